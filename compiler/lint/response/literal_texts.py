"""The texts that a delimiter matches, where they are few."""

from __future__ import annotations

from itertools import product
from math import prod

from compiler.delimiters.nodes import Alternation, Anchor, Look, Node, Repeat, Sequence, Text
from compiler.delimiters.widths import is_nullable

_MOST = 64


def literal_texts(node: Node) -> tuple[str, ...] | None:
    """All texts that a lowered node matches, in the order that it tries them.

    None if they are many, or depend on what stands around them.
    """
    match node:
        case Text(fold=False):
            return (node.text,)
        case Repeat(low=0, high=1, mode="greedy"):
            inner = literal_texts(node.body)
            return None if inner is None else (*inner, "")
        case Alternation():
            branches = [literal_texts(branch) for branch in node.branches]
            texts = tuple(text for branch in branches for text in branch or ())
            return None if None in branches or len(texts) > _MOST else texts
        case Sequence():
            items = [literal_texts(item) for item in node.items]
            known = [item for item in items if item is not None]
            if len(known) < len(items) or prod(map(len, known)) > _MOST:
                return None
            return tuple("".join(parts) for parts in product(*known))
    return None


def without_end(node: Node) -> Node:
    """A node without what it may do without at its end, such as white space."""
    if not isinstance(node, Sequence):
        return node
    items = list(node.items)
    while items and is_nullable(items[-1]) and not isinstance(items[-1], Look | Anchor):
        items.pop()
    return items[0] if len(items) == 1 else Sequence(tuple(items), node.span)
