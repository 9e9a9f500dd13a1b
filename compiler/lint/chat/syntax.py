"""Questions about jinja2's syntax tree, whose line numbers are offsets here."""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import nodes


def every_node(node: nodes.Node) -> Iterator[nodes.Node]:
    """The node and all below it."""
    yield node
    yield from node.find_all(nodes.Node)


def start_of(node: nodes.Node) -> int:
    """The offset of the first token of an expression, brackets around it aside."""
    return min(each.lineno for each in every_node(node) if each.lineno is not None)


def method_calls(tree: nodes.Node) -> Iterator[tuple[nodes.Call, nodes.Getattr]]:
    """Each call of an attribute: the call, and the attribute."""
    for call in tree.find_all(nodes.Call):
        if isinstance(call.node, nodes.Getattr):
            yield call, call.node
