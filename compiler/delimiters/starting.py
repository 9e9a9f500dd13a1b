r"""Take out of a pattern what it starts with and a search can do without.

What can match only at the very start of the text:

    ^\s+|</think>\s*    ->  </think>\s*
    (?:^\s*)?<think>    ->  <think>
    ^\s*<x>             ->  nothing

Anywhere else the rest finds the same. A search for the rest is fast where the whole is slow: `re`
looks for the literal that every branch begins with.
"""

from __future__ import annotations

from compiler.delimiters.lowered import sequence
from compiler.delimiters.nodes import (
    Alternation,
    Anchor,
    Backreference,
    Capture,
    Node,
    Repeat,
    Sequence,
    Text,
    walk,
)

NOTHING = Alternation(())  # a pattern that matches nowhere


def without_start(node: Node) -> Node:
    """The tree without the ways that begin with `^`; the same tree if there are none."""
    if any(isinstance(inner, Backreference) for inner in walk(node)):
        return node
    rest = _without(node)
    return NOTHING if rest is None else rest


def _without(node: Node) -> Node | None:
    """The rest of a node; None for nothing."""
    match node:
        case Anchor(place="start"):
            return None
        case Alternation():
            rests = [_without(branch) for branch in node.branches]
            kept = tuple(rest for rest in rests if rest is not None)
            if kept == node.branches:
                return node
            return (kept[0] if len(kept) == 1 else Alternation(kept, node.span)) if kept else None
        case Sequence() if node.items:
            first, *others = node.items
            rest = _without(first)
            if rest == first:
                return node
            return None if rest is None else sequence([rest, *others])
        case Repeat(low=0, high=1) if _without(node.body) is None:
            return Sequence(())
    return node


def starts_plainly(node: Node) -> bool:
    """Whether every way of a pattern starts with a literal character."""
    match node:
        case Text():
            return not node.fold
        case Sequence() if node.items:
            return starts_plainly(node.items[0])
        case Alternation():
            return all(map(starts_plainly, node.branches))
        case Capture():
            return starts_plainly(node.body)
    return False
