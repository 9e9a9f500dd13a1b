"""How many characters a pattern can match, and how many before its start it can look at."""

from __future__ import annotations

from compiler.delimiters.nodes import (
    Alternation,
    Anchor,
    Any,
    Atomic,
    Backreference,
    Boundary,
    Capture,
    Class,
    Look,
    Node,
    Repeat,
    Sequence,
    Text,
    children,
)

WHOLE_TEXT = 2**31 - 1  # the reach of a look-behind without limit

Width = tuple[int, int | None]  # the least and the most, None for no limit


def width(node: Node) -> Width:
    """The least and the greatest number of characters that a node matches."""
    match node:
        case Text():
            return len(node.text), len(node.text)
        case Any() | Class():
            return 1, 1
        case Anchor() | Boundary() | Look():
            return 0, 0
        case Capture() | Atomic():
            return width(node.body)
        case Backreference():
            return 0, None
        case Repeat():
            low, high = width(node.body)
            return low * node.low, _product(high, node.high)
        case Sequence():
            widths = [width(item) for item in node.items]
            return sum(low for low, _ in widths), _total([high for _, high in widths])
        case Alternation():
            widths = [width(branch) for branch in node.branches]
            return min(low for low, _ in widths), _greatest([high for _, high in widths])


def is_nullable(node: Node) -> bool:
    """Whether a node may match without taking a character."""
    return width(node)[0] == 0


def is_optional(node: Node) -> bool:
    """Whether a node matches no text at any place whatever: no look and no anchor says where."""
    match node:
        case Capture() | Atomic():
            return is_optional(node.body)
        case Repeat():
            return node.low == 0 or is_optional(node.body)
        case Sequence():
            return all(map(is_optional, node.items))
        case Alternation():
            return any(map(is_optional, node.branches))
    return False


def reach(node: Node) -> int:
    """How many characters before its own start a node can look at; `WHOLE_TEXT` for any number."""
    if isinstance(node, Anchor):
        return 1 if node.place == "start" else 0
    if isinstance(node, Boundary):
        return 1
    inner = max((reach(child) for child in children(node)), default=0)
    if isinstance(node, Look) and not node.ahead:
        most = width(node.body)[1]
        return WHOLE_TEXT if most is None else min(WHOLE_TEXT, most + inner)
    return inner


def _product(high: int | None, times: int | None) -> int | None:
    if high == 0 or times == 0:
        return 0
    return None if high is None or times is None else high * times


def _total(highs: list[int | None]) -> int | None:
    total = 0
    for high in highs:
        if high is None:
            return None
        total += high
    return total


def _greatest(highs: list[int | None]) -> int | None:
    greatest = 0
    for high in highs:
        if high is None:
            return None
        greatest = max(greatest, high)
    return greatest
