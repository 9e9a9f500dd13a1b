"""Pass 7: fields and items are read as Python reads them.

    environment.getattr(l_1_m, "role")     ->    l_1_m.get("role", MISSING)
    environment.getitem(l_1_m, "role")     ->    l_1_m.get("role", MISSING)
    environment.getitem(x, "items")        ->    x["items"]
    environment.getitem(x, l_0_y)          ->    item(x, l_0_y)
    l_0_ns["n"] = 2                        ->    l_0_ns.assign("n", 2)

Of the values that occur only dicts and namespaces have `get`, so all else fails and is handed over.
A function answers where templates read from texts, too, which have no such field: what an inner
loop runs over (a content can be parts or a text), what a macro is given, and all but variables.

    environment.getattr(l_2_part, "type")  ->    field_of(l_2_part, "type")

Names of a dict's own attributes mean its methods to jinja2, at times; such reads are handed over
where a dict has no such key.
"""

from __future__ import annotations

import ast

from compiler.backends.jinja.syntax import (
    MISSING,
    call,
    dotted,
    hand_over,
    is_call,
    is_name,
    method,
    name,
    text_of,
)

_OF_DICTS = frozenset(dir(dict)) | {"assign"}


def read_fields(root: ast.FunctionDef) -> ast.FunctionDef:
    _Reading(_maybe_texts(root)).visit(root)
    return root


def _maybe_texts(root: ast.FunctionDef) -> set[str]:
    """The parameters of macros and the variables of inner loops, whose scope is not the first."""
    found: set[str] = set()
    for node in ast.walk(root):
        if isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.For):
            targets = {each.id for each in ast.walk(node.target) if isinstance(each, ast.Name)}
            found |= {each for each in targets if not each.startswith("l_1_")}
    return found


def field_of(receiver: ast.expr, key: ast.expr, has_fields: bool) -> ast.expr:
    if has_fields:
        return method(receiver, "get", key, name(MISSING))
    return call("field_of", receiver, key)


class _Reading(ast.NodeTransformer):
    def __init__(self, maybe_texts: set[str]) -> None:
        self._maybe_texts = maybe_texts

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if is_call(node, "environment.getattr"):
            receiver, key = node.args
            return hand_over() if _is_of_dicts(key) else self._field(receiver, key)
        if is_call(node, "environment.getitem"):
            receiver, key = node.args
            if isinstance(receiver, ast.Constant):  # Python warns of it
                return hand_over()
            if text_of(key) is None:
                return call("item", receiver, key)
            if _is_of_dicts(key):
                return ast.Subscript(receiver, key, ast.Load())
            return self._field(receiver, key)
        return node

    def _field(self, receiver: ast.expr, key: ast.expr) -> ast.expr:
        has_fields = isinstance(receiver, ast.Name) and receiver.id not in self._maybe_texts
        return field_of(receiver, key, has_fields)

    def visit_If(self, node: ast.If) -> ast.stmt | None:
        """Without the check before an assignment to a namespace: only a namespace has `assign`."""
        if any(is_name(each, "Namespace") for each in ast.walk(node.test)):
            return None
        self.generic_visit(node)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        self.generic_visit(node)
        target = node.targets[0]
        if not isinstance(target, ast.Subscript):
            return node
        key = text_of(target.slice)
        if key is None or key.startswith("_"):
            return ast.Expr(hand_over())
        receiver = name(dotted(target.value))
        return ast.Expr(method(receiver, "assign", target.slice, node.value))


def _is_of_dicts(key: ast.expr) -> bool:
    text = text_of(key)
    return text is not None and (text in _OF_DICTS or text.startswith("__"))
