"""Sets of characters, as sorted ranges of code points: what an atom matches, and the algebra."""

from __future__ import annotations

from functools import cache

from compiler.delimiters.classes import CLASSES, spans
from compiler.delimiters.nodes import Any, Class, Node, Text
from compiler.delimiters.printer import Printer

Characters = tuple[tuple[int, int], ...]  # inclusive ranges, in order, not adjacent

NONE: Characters = ()
EVERY: Characters = ((0, 0x10FFFF),)


def is_single(node: Node) -> bool:
    """Whether a node always matches exactly one character, whatever is around it."""
    return isinstance(node, Any | Class) or (isinstance(node, Text) and len(node.text) == 1)


@cache
def characters(node: Node) -> Characters:
    """The characters a one-character node matches."""
    if isinstance(node, Any):
        return EVERY
    if isinstance(node, Text) and not node.fold:
        return ((ord(node.text), ord(node.text)),)
    return spans(Printer("regex").text(node))


def words() -> Characters:
    r"""The characters of `\w`."""
    return spans(CLASSES["WORD"])


def union(left: Characters, right: Characters) -> Characters:
    """The characters in either set."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(left + right):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], last))
        else:
            merged.append((first, last))
    return tuple(merged)


def complement(of: Characters) -> Characters:
    """The characters not in a set."""
    gaps: list[tuple[int, int]] = []
    start = 0
    for first, last in of:
        if first > start:
            gaps.append((start, first - 1))
        start = last + 1
    if start <= EVERY[0][1]:
        gaps.append((start, EVERY[0][1]))
    return tuple(gaps)


def meet(left: Characters, right: Characters) -> bool:
    """Whether two sets have a character in common."""
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i][1] < right[j][0]:
            i += 1
        elif right[j][1] < left[i][0]:
            j += 1
        else:
            return True
    return False


def size(of: Characters) -> int:
    """How many characters a set has."""
    return sum(last - first + 1 for first, last in of)
