"""Name the parts of a delimiter that can cost more than linear time, whatever is done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from compiler.delimiters.characters import (
    NONE,
    Characters,
    characters,
    complement,
    is_single,
    meet,
    union,
)
from compiler.delimiters.endings import has_loop, stopped_by
from compiler.delimiters.engine import is_nested_loop
from compiler.delimiters.linear import is_run, leading_run
from compiler.delimiters.nodes import (
    Alternation,
    Anchor,
    Any,
    Atomic,
    Backreference,
    Capture,
    Class,
    Look,
    Node,
    Repeat,
    Sequence,
    Span,
    Text,
    children,
    walk,
)
from compiler.delimiters.widths import is_nullable, width

Row = tuple[Node, ...]


@dataclass(frozen=True)
class Slowness:
    """A part of a pattern that can cost more than linear time; the span is in the source."""

    reason: str
    span: Span


def slow_parts(node: Node) -> tuple[Slowness, ...]:
    """Where a search for a lowered pattern may take more than linear time, in source order."""
    found = [slow for inner in walk(node) for slow in _slow(inner)]
    for row in _rows(node):
        found += _slow_starts(row)
    return tuple(sorted(set(found), key=lambda slow: (slow.span, slow.reason)))


def runs_to_text(items: Row) -> bool:
    """Whether any text up to a literal is all that must match: then it does if that follows.

    `.*?</x>\\s*` and `(?:(?!</x>).)*</x>` are such rows.
    """
    if len(items) < 2 or not isinstance(items[1], Text):
        return False
    loop = items[0]
    if not isinstance(loop, Repeat) or (loop.low, loop.high) != (0, None):
        return False
    stop = stopped_by(loop.body)
    is_any = isinstance(loop.body, Any) or (stop is not None and stop.text == items[1].text)
    return is_any and _is_end(items[2:])


def _slow(node: Node) -> Iterator[Slowness]:
    """What is slow about a node wherever it stands."""
    if is_nested_loop(node):
        yield Slowness("a loop inside a loop", node.span)
    if isinstance(node, Backreference):
        yield Slowness("a backreference", node.span)
    if isinstance(node, Look) and not node.ahead and width(node.body)[1] is None:
        yield Slowness("a look-behind without limit", node.span)
    if isinstance(node, Sequence):
        for rival in _rivals(node.items):
            yield Slowness("a loop that shares characters with the one before", rival.span)


def _rivals(items: Row) -> Iterator[Node]:
    """Loops that may give characters to, or take them from, a loop before."""
    running: list[Characters] = []
    for index, item in enumerate(items):
        if runs_to_text(items[index:]):
            return
        inside = characters(item.body) if is_run(item) else NONE
        if any(meet(inside, other) for other in running):
            yield item
        if not is_nullable(item):
            running = []
        running.append(inside)


def _slow_starts(row: Row) -> Iterator[Slowness]:
    """Loops of a row that several starts would each go through, and fail after."""
    guarded = leading_run(row)
    for index, item in enumerate(row):
        cannot_fail = runs_to_text(row[index:]) or (is_run(item) and _is_end(row[index + 1 :]))
        if index == guarded or cannot_fail:
            continue
        for loop, before in _loops(item, row[:index]):
            if isinstance(loop, Look):
                if not any(map(_is_start, before)):
                    yield Slowness("a look-ahead over a loop, at many places", loop.span)
            elif not _is_entered_once(loop, before):
                yield Slowness("a loop that a match may start inside of", loop.span)


def _is_end(items: Row) -> bool:
    """Whether nothing after can fail."""
    return all(map(_takes_nothing, items))


def _takes_nothing(node: Node) -> bool:
    """Whether a node can match at any place without taking a character."""
    match node:
        case Sequence():
            return all(map(_takes_nothing, node.items))
        case Alternation():
            return any(map(_takes_nothing, node.branches))
        case Capture() | Atomic():
            return _takes_nothing(node.body)
        case Repeat():
            return node.low == 0 or _takes_nothing(node.body)
    return False


def _is_start(node: Node) -> bool:
    return isinstance(node, Anchor) and node.place == "start"


def _loops(node: Node, before: Row) -> Iterator[tuple[Node, Row]]:
    """The loops of a node, each with what comes before it."""
    if isinstance(node, Look):
        if node.ahead and has_loop(node.body):
            yield node, before
    elif isinstance(node, Repeat) and node.high is None:
        yield node, before
    elif isinstance(node, Sequence | Alternation):
        for row in _rows(node):
            for index, item in enumerate(row):
                yield from _loops(item, (*before, *row[:index]))
    else:
        for child in children(node):
            yield from _loops(child, before)


def _rows(node: Node) -> list[Row]:
    branches = node.branches if isinstance(node, Alternation) else (node,)
    return [branch.items if isinstance(branch, Sequence) else (branch,) for branch in branches]


def _is_entered_once(loop: Node, before: Row) -> bool:
    """Whether what comes before a loop cannot be found inside of its run."""
    inside = _alphabet(loop)
    return any(map(_is_start, before)) or any(_is_outside(item, inside) for item in before)


def _alphabet(node: Node) -> Characters:
    """The characters that a match of a node can have."""
    if isinstance(node, Look):
        return NONE
    if is_single(node):
        return characters(node)
    singles = [replace(node, text=each) for each in node.text] if isinstance(node, Text) else []
    found = NONE
    for child in (*singles, *children(node)):
        found = union(found, _alphabet(child))
    return found


def _is_outside(node: Node, inside: Characters) -> bool:
    """Whether every match of a node has a character outside the set, or cannot follow it."""
    match node:
        case Text():
            return any(not meet(characters(replace(node, text=c)), inside) for c in node.text)
        case Any() | Class():
            return not meet(characters(node), inside)
        case Sequence():
            return any(_is_outside(item, inside) for item in node.items)
        case Alternation():
            return all(_is_outside(branch, inside) for branch in node.branches)
        case Repeat() if node.low:
            return _is_outside(node.body, inside)
        case Look(ahead=False, negated=True) if is_single(node.body):
            return not meet(complement(characters(node.body)), inside)
    return False
