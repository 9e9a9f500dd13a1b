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

from compiler.delimiters.characters import is_single
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
_KINDS: tuple[Kind, ...] = ("behind", "before", "plain")
_SPACE = Class((Category("SPACE"),))
_TRAILING = "trailing"


@dataclass(frozen=True)
class Space:
    """White space before a delimiter that is part of it: which characters, and how many at most."""

    characters: str
    most: int | None  # None: any number

    def is_any(self) -> bool:
        r"""Whether it is what `\s*` takes."""
        return self == Space(_texts(_SPACE), None)


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
    spaces: frozenset[Space]  # what its ways have before them
    marks: frozenset[str]  # the characters that its parts start with


def landmarks(node: Node) -> Landmarks | None:
    """The parts of a lowered tree without ways that start with `^`; None if one has no marks."""
    if any(isinstance(inner, Anchor) and inner.place == "start" for inner in walk(node)):
        return None
    ways = [_sorted(way) for way in _ways(node)]
    kinds = [kind for kind, _, _ in ways]
    if reach(node) and set(kinds) != {"plain"}:  # its space is what it sees, and is not searched
        return None
    parts = tuple(_part(kind, ways) for kind in _KINDS if kind in kinds)
    firsts = [first_characters(part.node) for part in parts]
    marks = frozenset[str]().union(*(first or () for first in firsts))
    if None in firsts:
        return None
    in_order = kinds == sorted(kinds, key=[*_KINDS, _TRAILING].index)
    if not in_order and any(may_tie(a.node, b.node) for a, b in combinations(parts, 2)):
        return None  # the first way counts, but parts are tried in their own order
    spaces = frozenset(space for _, _, space in ways if space)
    return Landmarks(parts, _TRAILING in kinds, spaces, marks)


def _part(kind: Kind, ways: list[tuple[str, Node, Space | None]]) -> Part:
    nodes = tuple(node for each, node, _ in ways if each == kind)
    return Part(kind, nodes[0] if len(nodes) == 1 else Alternation(nodes))


def _ways(node: Node) -> list[Node]:
    if node == NOTHING:
        return []
    if isinstance(node, Alternation):
        return [way for branch in node.branches for way in _ways(branch)]
    return [node]


def _sorted(way: Node) -> tuple[str, Node, Space | None]:
    """The kind of a way, the way without its space, and that."""
    match way:
        case Look(ahead=True, negated=False, body=Sequence(items=(first, *others))):
            if space := _space(first, 0):
                return "before", replace(way, body=sequence(others)), space
        case Sequence(items=(first, Anchor(place="end"))):
            space = _space(first, 1)
            if space and space.most is None:
                return _TRAILING, way, space
        case Sequence(items=(first, *others)) if others:
            if space := _space(first, 0):
                return "behind", sequence(others), space
    return "plain", way, None


def _space(node: Node, least: int) -> Space | None:
    """The space that a node takes in, however little from `least` on; None for other nodes."""
    match node:
        case Repeat(body=body, low=low, high=high, mode=mode):
            if low == least and mode != "lazy" and is_single(body):
                texts = _texts(body)
                return Space(texts, high) if texts.isspace() else None
    return None


def _texts(single: Node) -> str:
    """The characters that a node of one character matches; "" if there are many."""
    return "".join(sorted(first_characters(single) or ()))
