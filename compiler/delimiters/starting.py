r"""Take out of a pattern what it starts with and a search can do without.

What can match only at the very start of the text:

    ^\s+|</think>\s*    ->  </think>\s*
    (?:^\s*)?<think>    ->  <think>
    ^\s*<x>             ->  nothing

Anywhere else the rest finds the same. A search for the rest is fast where the whole is slow: `re`
looks for the literal that every branch begins with. And the space in front:

    \s*</think>|(?=\s*<call>)    ->  </think>|(?=<call>)

Where the rest is found, the whole begins behind the character before that is no space.
"""

from __future__ import annotations

from dataclasses import replace

from compiler.delimiters.lowered import sequence
from compiler.delimiters.nodes import (
    EMPTY,
    Alternation,
    Anchor,
    Backreference,
    Capture,
    Category,
    Class,
    Look,
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


def without_space(node: Node) -> Node:
    r"""The tree without the `\s*` and `\s+` that its ways start with."""
    match node:
        case Repeat(body=Class(members=(Category("SPACE", False),), negated=False), high=None):
            return EMPTY
        case Alternation():
            return Alternation(tuple(map(without_space, node.branches)), node.span)
        case Sequence() if node.items:
            return sequence([without_space(node.items[0]), *node.items[1:]])
        case Capture() | Look(ahead=True, negated=False):
            return replace(node, body=without_space(node.body))
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
