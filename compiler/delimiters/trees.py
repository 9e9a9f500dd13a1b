"""From a template's delimiter to its pattern tree."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from compiler.delimiters.nodes import (
    Alternation,
    Atomic,
    Backreference,
    Capture,
    Look,
    Node,
    Repeat,
    Sequence,
    walk,
)
from compiler.delimiters.pattern import literals_node, parse_pattern
from compiler.frontend.syntax import Delimiter


@lru_cache(maxsize=512)
def tree_of(delimiter: Delimiter) -> Node:
    """The tree of a delimiter; of a list of literals an alternation, longest first.

    Where the delimiter yields to others it also matches in front of one of them.
    """
    ways = [*_own(delimiter)]
    for other in delimiter.yields_to:
        groups = [inner.number for way in ways for inner in walk(way) if isinstance(inner, Capture)]
        ways.append(Look(_unnamed(tree_of(other), max(groups, default=0)), True, False))
    return ways[0] if len(ways) == 1 else Alternation(tuple(ways))


def _own(delimiter: Delimiter) -> tuple[Node, ...]:
    """Without what it yields to; nothing if it has no text of its own."""
    if delimiter.pattern is not None:
        return (parse_pattern(delimiter.pattern),)
    return (literals_node(delimiter.literals),) if delimiter.literals else ()


def _unnamed(node: Node, taken: int) -> Node:
    """The tree with its groups numbered behind those `taken`, and without names."""
    match node:
        case Capture():
            body = _unnamed(node.body, taken)
            return replace(node, body=body, number=node.number + taken, name=None)
        case Backreference():
            return replace(node, number=node.number + taken)
        case Look() | Atomic() | Repeat():
            return replace(node, body=_unnamed(node.body, taken))
        case Sequence():
            return replace(node, items=tuple(_unnamed(item, taken) for item in node.items))
        case Alternation():
            return replace(node, branches=tuple(_unnamed(each, taken) for each in node.branches))
    return node
