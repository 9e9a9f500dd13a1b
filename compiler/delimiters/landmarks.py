r"""Where a search finds a delimiter: at a character that is no space, its mark.

    \s*</think>          behind    found as   </think>       and the space before it is part of it
    (?=\s*<call>)        before    found as   (?=<call>)     and stands before that space
    <think>\s*           plain     found as   <think>\s*
    \s+\Z                trailing  found where nothing else is

`re` skips to a literal, but tries a pattern that begins with space at every space. So space is left
out of what is searched, and the end of the text before a mark tells how much there is. A delimiter
with several ways has a part of each kind, tried in the order above.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from compiler.delimiters.first import first_characters
from compiler.delimiters.lowered import sequence
from compiler.delimiters.nodes import (
    Alternation,
    Anchor,
    Category,
    Class,
    Look,
    Node,
    Repeat,
    Sequence,
    walk,
)
from compiler.delimiters.starting import NOTHING
from compiler.delimiters.ties import may_tie
from compiler.delimiters.widths import reach

Kind = Literal["behind", "before", "plain"]
_SPACE = Class((Category("SPACE"),))
_TRAILING = "trailing"


@dataclass(frozen=True)
class Part:
    """The ways of a delimiter that are found in the same manner; its node has no space ahead."""

    kind: Kind
    node: Node


@dataclass(frozen=True)
class Landmarks:
    """A delimiter as a search finds it."""

    parts: tuple[Part, ...]  # one of a kind at most
    trailing: bool  # space at the end of the text is one, too
    marks: frozenset[str]  # the characters that its parts start with


def landmarks(node: Node) -> Landmarks | None:
    """The parts of a lowered tree without ways that start with `^`; None if one has no marks."""
    if any(isinstance(inner, Anchor) and inner.place == "start" for inner in walk(node)):
        return None
    ways = [_sorted(way) for way in _ways(node)]
    kinds = [kind for kind, _ in ways]
    if reach(node) and set(kinds) != {"plain"}:  # its space is what it sees, and is not searched
        return None
    parts = tuple(_part(kind, ways) for kind in _KINDS if any(kind == each for each, _ in ways))
    firsts = [first_characters(part.node) for part in parts]
    marks = frozenset[str]().union(*(first or () for first in firsts))
    if None in firsts or any(map(str.isspace, marks)):
        return None
    in_order = kinds == sorted(kinds, key=[*_KINDS, _TRAILING].index)
    if not in_order and any(may_tie(a.node, b.node) for a, b in combinations(parts, 2)):
        return None  # the first way counts, but parts are tried in their own order
    return Landmarks(parts, _TRAILING in kinds, marks)


_KINDS: tuple[Kind, ...] = ("behind", "before", "plain")


def _part(kind: Kind, ways: list[tuple[str, Node]]) -> Part:
    nodes = tuple(node for each, node in ways if each == kind)
    return Part(kind, nodes[0] if len(nodes) == 1 else Alternation(nodes))


def _ways(node: Node) -> list[Node]:
    if node == NOTHING:
        return []
    if isinstance(node, Alternation):
        return [way for branch in node.branches for way in _ways(branch)]
    return [node]


def _sorted(way: Node) -> tuple[str, Node]:
    """The kind of a way, and the way without its space."""
    match way:
        case Look(ahead=True, negated=False, body=Sequence(items=(first, *others))):
            if _is_space(first, 0):
                return "before", replace(way, body=sequence(others))
        case Sequence(items=(first, Anchor(place="end"))) if _is_space(first, 1):
            return _TRAILING, way
        case Sequence(items=(first, *others)) if others and _is_space(first, 0):
            return "behind", sequence(others)
    return "plain", way


def _is_space(node: Node, least: int) -> bool:
    """Whether a node takes in all the space there is, however little from `least` on."""
    match node:
        case Repeat(body=Class() as body, low=low, high=None, mode=mode):
            return replace(body, span=_SPACE.span) == _SPACE and low == least and mode != "lazy"
    return False
