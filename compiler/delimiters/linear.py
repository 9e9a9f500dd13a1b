r"""Keep searches linear: try a loop at the start of a run only, and name what cannot be linear.

A pattern that starts with a loop, such as `\s*<x>`, matches from inside a run of spaces whenever
it matches from the character before. So a search finds nothing more by trying every place of the
run than by trying its start: `(?<!\s)\s*<x>`. Only the place where the search begins may be inside
a run; there the pattern is tried without the guard.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeGuard

from compiler.delimiters.characters import Characters, characters, complement, is_single, meet
from compiler.delimiters.endings import has_loop
from compiler.delimiters.engine import is_nested_loop
from compiler.delimiters.lowered import sequence
from compiler.delimiters.nodes import (
    EMPTY,
    Alternation,
    Anchor,
    Any,
    Backreference,
    Class,
    Look,
    Node,
    Repeat,
    Sequence,
    Span,
    Text,
    walk,
)
from compiler.delimiters.widths import is_nullable, width


@dataclass(frozen=True)
class Slowness:
    """A part of a pattern that can cost more than linear time; the span is in the source."""

    reason: str
    span: Span


def guarded(node: Node) -> Node:
    r"""The tree with every leading loop tried at the start of a run only; the same if none leads.

        \s*<x>              ->  (?<!\s)\s*<x>
        (?:<m>)?[^<]*<x>    ->  (?:<m>|(?<![^<]))[^<]*<x>
        </t>|(?=.*?<x>)     ->  </t>|(?<!.)(?=.*?<x>)

    From any place, the leftmost match is the same or starts exactly at that place.
    """
    if any(isinstance(inner, Backreference) for inner in walk(node)):
        return node  # the length of the run may matter
    if isinstance(node, Alternation):
        branches = tuple(guarded(branch) for branch in node.branches)
        return node if branches == node.branches else Alternation(branches, node.span)
    items = node.items if isinstance(node, Sequence) else (node,)
    return _guarded_row(items) or node


def slow_parts(node: Node) -> tuple[Slowness, ...]:
    """Where a search for a lowered pattern may take more than linear time, in source order."""
    found = [Slowness(reason, inner.span) for inner in walk(node) for reason in _slow(inner)]
    rows = node.branches if isinstance(node, Alternation) else (node,)
    for row in rows:
        found += _slow_starts(row.items if isinstance(row, Sequence) else (row,))
    return tuple(sorted(set(found), key=lambda slow: (slow.span, slow.reason)))


def _guarded_row(items: tuple[Node, ...]) -> Node | None:
    lead = items[0] if items else EMPTY
    if _is_run(lead):
        return sequence([_not_after(lead), *items])
    if isinstance(lead, Look) and lead.ahead and not lead.negated and len(items) == 1:
        inner = (lead.body.items or (EMPTY,))[0] if isinstance(lead.body, Sequence) else lead.body
        return sequence([_not_after(inner), lead]) if _is_run(inner) else None
    if len(items) < 2 or not _is_run(items[1]) or not isinstance(lead, Repeat):
        return None
    if (lead.low, lead.high) != (0, 1) or lead.mode == "possessive":
        return None
    options = (lead.body, _not_after(items[1]))
    chosen = Alternation(options if lead.mode == "greedy" else options[::-1], lead.span)
    return sequence([chosen, *items[1:]])


def _is_run(node: Node) -> TypeGuard[Repeat]:
    return isinstance(node, Repeat) and node.high is None and is_single(node.body)


def _not_after(run: Repeat) -> Look:
    return Look(run.body, ahead=False, negated=True, span=run.span)


def _slow(node: Node) -> Iterator[str]:
    """What is slow about a node wherever it stands."""
    if is_nested_loop(node):
        yield "a loop inside a loop"
    if isinstance(node, Backreference):
        yield "a backreference"
    if isinstance(node, Look) and not node.ahead and width(node.body)[1] is None:
        yield "a look-behind without limit"
    if isinstance(node, Sequence) and _have_rivals(node.items):
        yield "two loops over the same characters, one after the other"


def _have_rivals(items: tuple[Node, ...]) -> bool:
    running: list[Repeat] = []
    for index, item in enumerate(items):
        if _fails_nowhere(items[index:]):
            return False
        if _is_run(item):
            if any(meet(characters(run.body), characters(item.body)) for run in running):
                return True
            running.append(item)
        elif not is_nullable(item):
            running = []
    return False


def _slow_starts(items: tuple[Node, ...]) -> Iterator[Slowness]:
    """Loops that starts close to one another would each run through."""
    for index, item in enumerate(items):
        if isinstance(item, Look):
            if item.ahead and has_loop(item.body) and not _guarded_row(items):
                yield Slowness("a look-ahead over a loop, at many places", item.span)
        elif has_loop(item):
            before = items[:index]
            if not _guarded_row(items) and not _stands_alone(before, items[index:]):
                yield Slowness("a loop that what comes before it can start inside of", item.span)
            return


def _stands_alone(before: tuple[Node, ...], items: tuple[Node, ...]) -> bool:
    """Whether each run of the leading loop is gone through once."""
    if any(isinstance(item, Anchor) and item.place == "start" for item in before):
        return True
    loop = items[0]
    if not _is_run(loop):
        return False
    inside = characters(loop.body)
    return _fails_nowhere(items) or any(_is_outside(item, inside) for item in before)


def _fails_nowhere(items: tuple[Node, ...]) -> bool:
    """Whether `.*?` and a text are all that must match: it does if the text follows at all."""
    loop, *rest = items
    is_any = _is_run(loop) and isinstance(loop.body, Any) and loop.low == 0
    is_found = is_any and bool(rest) and isinstance(rest[0], Text)
    return is_found and all(map(is_nullable, rest[1:]))


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
