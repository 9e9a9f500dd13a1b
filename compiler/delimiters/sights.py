r"""What captures inside look-aheads still wait for.

    <(?=(?P<name>\w+))    ->  <\w+

A delimiter is complete once its look-ahead holds, but what a group captured there may grow with
the text. It is settled when the delimiter with the look-ahead's body in its place is complete.
"""

from __future__ import annotations

from compiler.delimiters.nodes import Capture, Look, Node, Sequence, walk
from compiler.delimiters.starting import NOTHING


def capture_sights(node: Node) -> tuple[Node, ...]:
    """The patterns that must be complete before the named groups of a delimiter are settled.

    `NOTHING`, which never is, stands for look-aheads that are not in the row of the delimiter.
    """
    items = node.items if isinstance(node, Sequence) else (node,)
    sights: list[Node] = []
    for index, item in enumerate(items):
        if isinstance(item, Look) and item.ahead and not item.negated and _captures(item.body):
            sights.append(Sequence((*items[:index], item.body)))
            inner: Node = item.body
        else:
            inner = item
        if any(isinstance(look, Look) and look.ahead and _captures(look) for look in walk(inner)):
            return (NOTHING,)
    return tuple(sights)


def _captures(node: Node) -> bool:
    return any(isinstance(inner, Capture) and inner.name for inner in walk(node))
