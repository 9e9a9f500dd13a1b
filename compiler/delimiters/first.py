"""Which characters a match can start with."""

from __future__ import annotations

from dataclasses import replace

from compiler.delimiters.characters import EVERY, NONE, Characters, characters, size, union
from compiler.delimiters.nodes import (
    Alternation,
    Anchor,
    Any,
    Atomic,
    Capture,
    Class,
    Look,
    Node,
    Repeat,
    Sequence,
    Text,
)

_MOST = 64  # a larger set is no use to a search
_NEWLINE: Characters = ((10, 10),)

First = tuple[Characters, bool]  # the characters, and whether there may be none


def first_characters(node: Node) -> frozenset[str] | None:
    """The characters that a match can have at its start, away from the start of the text.

    A branch that begins with `^` counts for nothing. None if any character will do, if the match
    needs none at all, or if there are more than 64. `node` is lowered.
    """
    found, empty = first(node)
    if empty or size(found) > _MOST:
        return None
    return frozenset(chr(code) for start, end in found for code in range(start, end + 1))


def first(node: Node) -> First:
    """The characters at the start of a match, and whether a match may do without."""
    match node:
        case Text():
            return characters(replace(node, text=node.text[0])), False
        case Any() | Class():
            return characters(node), False
        case Anchor():
            return (_NEWLINE if node.place == "last line" else NONE), False
        case Look() if node.ahead and not node.negated:
            return first(node.body)
        case Capture() | Atomic():
            return first(node.body)
        case Repeat():
            found, empty = first(node.body)
            return found, empty or node.low == 0
        case Sequence():
            return _first_in_row(node.items)
        case Alternation():
            firsts = [first(branch) for branch in node.branches]
            found = NONE
            for each, _ in firsts:
                found = union(found, each)
            return found, any(empty for _, empty in firsts)
    return EVERY, True


def _first_in_row(items: tuple[Node, ...]) -> First:
    found = NONE
    for item in items:
        each, empty = first(item)
        if isinstance(item, Look) and (not item.ahead or item.negated):
            continue  # says nothing about the characters that follow
        found = union(found, each)
        if not empty:
            return found, False
    return found, True
