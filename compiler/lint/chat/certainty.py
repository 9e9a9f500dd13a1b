"""What is certain of the values of expressions: that one is a text, or a mapping.

A template gets JSON data. So what has been called `split` is a text, and what stands in the body of
`{% if x is mapping %}` as `x` is a mapping.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from jinja2 import nodes

from compiler.lint.chat.syntax import every_node

Kind = Literal["text", "mapping"]

_KINDS: dict[str, Kind] = {"string": "text", "mapping": "mapping"}  # by the test that asks

# What only texts have, and gives a text.
_TEXT_METHODS = {
    *("strip", "lstrip", "rstrip", "lower", "upper", "title", "capitalize", "swapcase"),
    *("replace", "removeprefix", "removesuffix", "zfill", "ljust", "rjust", "center"),
}
_SPLITTING = {"split", "rsplit"}

_TEXT_FILTERS = {
    *("trim", "string", "lower", "upper", "title", "capitalize", "replace", "join", "tojson"),
}
_MARKUP_FILTERS = {"safe", "escape", "e", "forceescape", "urlize", "xmlattr"}


@dataclass(frozen=True)
class Fact:
    """An expression, and what its value is as long as the fact holds."""

    expression: nodes.Expr
    kind: Kind


@dataclass(frozen=True)
class Facts:
    """The facts that hold at a place of a template.

    `changing`: the attributes that the template assigns to, of namespaces. `only_data`: what is
    called `split` is no function that the template has put there.
    """

    changing: frozenset[str]
    only_data: bool
    known: tuple[Fact, ...] = ()

    def is_text(self, node: nodes.Expr) -> bool:
        """Whether the value is certainly a text, once it has been computed."""
        if isinstance(node, nodes.Const):
            return isinstance(node.value, str)
        if isinstance(node, nodes.Add):
            return self.is_text(node.left) or self.is_text(node.right)
        if isinstance(node, nodes.CondExpr):
            certain = self.is_text(node.expr1)
            return certain and node.expr2 is not None and self.is_text(node.expr2)
        if isinstance(node, nodes.Filter):
            return node.name in _TEXT_FILTERS
        if isinstance(node, nodes.Call) and isinstance(node.node, nodes.Getattr):
            return self.only_data and node.node.attr in _TEXT_METHODS
        if isinstance(node, nodes.Getitem) and self.only_data and _is_piece(node):
            return True
        return isinstance(node, nodes.Concat) or self._holds(node, "text")

    def is_mapping(self, node: nodes.Expr) -> bool:
        """Whether the value is certainly a mapping."""
        return isinstance(node, nodes.Dict) or self._holds(node, "mapping")

    def after(self, condition: nodes.Node, scope: list[nodes.Node]) -> Facts:
        """With what a condition tells about the nodes that are reached only if it is true."""
        assigned = {name for node in scope for name in _assigned(node)}
        told = [fact for fact in _told(condition) if self._is_constant(fact.expression, assigned)]
        return replace(self, known=(*self.known, *told))

    def _holds(self, node: nodes.Expr, kind: Kind) -> bool:
        return Fact(node, kind) in self.known

    def _is_constant(self, expression: nodes.Expr, assigned: set[str]) -> bool:
        """Whether an expression has one value wherever the names assigned to are not its own."""
        for node in every_node(expression):
            if isinstance(node, nodes.Name):
                constant = node.name not in assigned and node.name != "loop"
            elif isinstance(node, nodes.Getattr):
                constant = node.attr not in self.changing
            elif isinstance(node, nodes.Getitem):
                constant = isinstance(node.arg, nodes.Const) and node.arg.value not in self.changing
            else:
                constant = isinstance(node, nodes.Const)
            if not constant:
                return False
        return True


def facts_of_calls(tree: nodes.Template) -> Iterator[tuple[nodes.Call, Facts]]:
    """Every call in a template, with what is certain there."""
    changing = frozenset(node.attr for node in tree.find_all(nodes.NSRef))
    yield from _calls(tree, Facts(changing, _makes_no_method(tree)))


def makes_markup(tree: nodes.Template) -> bool:
    """Whether texts of the class Markup may come up, whose `replace` escapes."""
    filters = {node.name for node in tree.find_all(nodes.Filter)}
    return bool(filters & _MARKUP_FILTERS) or tree.find(nodes.EvalContextModifier) is not None


def _calls(node: nodes.Node, facts: Facts) -> Iterator[tuple[nodes.Call, Facts]]:
    if isinstance(node, nodes.Call):
        yield node, facts
    parts: list[tuple[nodes.Node, Facts]]
    if isinstance(node, nodes.If):
        inner = facts.after(node.test, node.body)
        parts = [(node.test, facts), *((child, inner) for child in node.body)]
        parts += [(child, facts) for child in (*node.elif_, *node.else_)]
    elif isinstance(node, nodes.CondExpr):
        parts = [(node.test, facts), (node.expr1, facts.after(node.test, []))]
        parts += [(node.expr2, facts)] if node.expr2 else []
    elif isinstance(node, nodes.And):
        parts = [(node.left, facts), (node.right, facts.after(node.left, []))]
    elif isinstance(node, nodes.Macro | nodes.CallBlock | nodes.Block):  # runs elsewhere
        nothing = replace(facts, known=())
        parts = [(child, nothing) for child in node.iter_child_nodes()]
    else:
        parts = [(child, facts) for child in node.iter_child_nodes()]
    for child, known in parts:
        yield from _calls(child, known)


def _told(condition: nodes.Node) -> Iterator[Fact]:
    if isinstance(condition, nodes.And):
        yield from _told(condition.left)
        yield from _told(condition.right)
    elif isinstance(condition, nodes.Test) and condition.name in _KINDS:
        assert isinstance(condition.node, nodes.Expr)
        yield Fact(condition.node, _KINDS[condition.name])


def _assigned(node: nodes.Node) -> Iterator[str]:
    for each in every_node(node):
        if isinstance(each, nodes.Name) and each.ctx == "load":
            continue
        if isinstance(each, nodes.Name | nodes.NSRef | nodes.Macro):
            yield each.name


def _makes_no_method(tree: nodes.Template) -> bool:
    """Whether no key or attribute that the template makes can have the name of a text's method."""
    keys: set[object] = {node.attr for node in tree.find_all(nodes.NSRef)}
    keys |= {argument.key for argument in tree.find_all(nodes.Keyword)}
    for pair in tree.find_all(nodes.Pair):
        if not isinstance(pair.key, nodes.Const):
            return False
        keys.add(pair.key.value)
    return not keys & (_TEXT_METHODS | _SPLITTING)


def _is_piece(node: nodes.Getitem) -> bool:
    """The first or last piece of a text split at a separator: these always exist."""
    at_end = node.arg in (nodes.Const(0), nodes.Neg(nodes.Const(1)))
    call = node.node
    if not at_end or not isinstance(call, nodes.Call) or not isinstance(call.node, nodes.Getattr):
        return False
    separator = call.args[0] if call.args else None
    is_given = isinstance(separator, nodes.Const) and isinstance(separator.value, str)
    return call.node.attr in _SPLITTING and is_given
