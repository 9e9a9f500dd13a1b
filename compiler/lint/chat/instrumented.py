"""A template that tells which values it prints."""

from __future__ import annotations

from jinja2 import nodes
from jinja2.visitor import NodeTransformer

from compiler.lint.chat.rendering import PRINTED
from compiler.lint.chat.syntax import start_of

# Filters that make a text of what they get; `join` does so with each item.
_WRITING_FILTERS = {"string", "trim", "lower", "upper", "title", "capitalize", "replace", "safe"}


def with_printed_values_seen(tree: nodes.Template) -> nodes.Template:
    """The tree, changed: what it makes a text of goes through the filter PRINTED, with its offset.

    That is what it prints, concatenates with `~`, and gives to filters such as `trim`.
    """
    changed = _Instrumenter().visit(tree)
    assert isinstance(changed, nodes.Template)
    return changed


class _Instrumenter(NodeTransformer):
    def visit_Output(self, node: nodes.Output) -> nodes.Node:
        self.generic_visit(node)
        node.nodes = [_seen(child) for child in node.nodes]
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:
        self.generic_visit(node)
        node.nodes = [_seen(child) for child in node.nodes]
        return node

    def visit_Filter(self, node: nodes.Filter) -> nodes.Node:
        self.generic_visit(node)
        if node.name in _WRITING_FILTERS and node.node is not None:
            node.node = _seen(node.node)
        return node


def _seen(node: nodes.Expr) -> nodes.Expr:
    """Other than what certainly is a text or a number."""
    written = isinstance(node, nodes.Filter) and node.name in {*_WRITING_FILTERS, PRINTED}
    if isinstance(node, nodes.Const):
        written = isinstance(node.value, str | int | float) and not isinstance(node.value, bool)
    if written or isinstance(node, nodes.TemplateData | nodes.Concat):
        return node
    offset = nodes.Const(start_of(node))
    return nodes.Filter(node, PRINTED, [offset], [], None, None, lineno=node.lineno)
