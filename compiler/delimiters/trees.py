"""From a template's delimiter to its pattern tree."""

from __future__ import annotations

from functools import lru_cache

from compiler.delimiters.nodes import Node
from compiler.delimiters.pattern import literals_node, parse_pattern
from compiler.frontend.syntax import Delimiter


@lru_cache(maxsize=512)
def tree_of(delimiter: Delimiter) -> Node:
    """The tree of a delimiter; of a list of literals an alternation, longest first."""
    if delimiter.literals is not None:
        return literals_node(delimiter.literals)
    assert delimiter.pattern is not None
    return parse_pattern(delimiter.pattern)
