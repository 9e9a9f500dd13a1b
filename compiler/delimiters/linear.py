r"""Keep searches linear: try a loop at the start of a run only.

A pattern that starts with a loop, such as `\s*<x>`, matches from inside a run of spaces whenever
it matches from the character before. So a search finds nothing more by trying every place of the
run than by trying its start: `(?<!\s)\s*<x>`. Only the place where the search begins may be inside
a run; there the pattern is tried without the guard.
"""

from __future__ import annotations

from typing import TypeGuard

from compiler.delimiters.characters import is_single
from compiler.delimiters.lowered import sequence
from compiler.delimiters.nodes import (
    EMPTY,
    Alternation,
    Look,
    Node,
    Repeat,
    Sequence,
)


def guarded(node: Node) -> Node:
    r"""The tree with every leading loop tried at the start of a run only; the same if none leads.

        \s*<x>              ->  (?<!\s)\s*<x>
        (?:<m>)?[^<]*<x>    ->  (?:<m>|(?<![^<]))[^<]*<x>
        </t>|(?=.*?<x>)     ->  </t>|(?<!.)(?=.*?<x>)

    From any place, the leftmost match is the same or starts exactly at that place.
    """
    if isinstance(node, Alternation):
        branches = tuple(guarded(branch) for branch in node.branches)
        return node if branches == node.branches else Alternation(branches, node.span)
    items = node.items if isinstance(node, Sequence) else (node,)
    return _guarded_row(items) or node


def leading_run(items: tuple[Node, ...]) -> int | None:
    """The index of the item whose run is guarded in a row; None if none is."""
    lead = items[0] if items else EMPTY
    if is_run(lead):
        return 0
    if isinstance(lead, Look) and lead.ahead and not lead.negated and len(items) == 1:
        return 0 if is_run(_first_item(lead.body)) else None
    if len(items) < 2 or not is_run(items[1]) or not isinstance(lead, Repeat):
        return None
    return 1 if (lead.low, lead.high) == (0, 1) and lead.mode != "possessive" else None


def is_run(node: Node) -> TypeGuard[Repeat]:
    """Whether a node is a loop without limit over single characters."""
    return isinstance(node, Repeat) and node.high is None and is_single(node.body)


def _guarded_row(items: tuple[Node, ...]) -> Node | None:
    place = leading_run(items)
    if place is None:
        return None
    lead = items[0]
    if place == 1 and isinstance(lead, Repeat):
        options = (lead.body, _not_after(items[1]))
        chosen = Alternation(options if lead.mode == "greedy" else options[::-1], lead.span)
        return sequence([chosen, *items[1:]])
    run = _first_item(lead.body) if isinstance(lead, Look) else lead
    return sequence([_not_after(run), *items])


def _first_item(node: Node) -> Node:
    return (node.items or (EMPTY,))[0] if isinstance(node, Sequence) else node


def _not_after(run: Node) -> Look:
    assert isinstance(run, Repeat)
    return Look(run.body, ahead=False, negated=True, span=run.span)
