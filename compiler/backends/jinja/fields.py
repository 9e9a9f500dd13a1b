"""Pass 7: fields and items are read as Python reads them.

    environment.getattr(x, "role")     ->    x.get("role", MISSING)
    environment.getitem(x, "role")     ->    x.get("role", MISSING)
    environment.getitem(x, "items")    ->    x["items"]
    environment.getitem(x, l_0_y)      ->    item(x, l_0_y)
    l_0_ns["n"] = 2                    ->    l_0_ns.assign("n", 2)

Of the values that occur only dicts and namespaces have `get`, so all else fails and is handed over.
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
    _Reading().visit(root)
    return root


class _Reading(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if is_call(node, "environment.getattr"):
            receiver, key = node.args
            return hand_over() if _is_of_dicts(key) else method(receiver, "get", key, name(MISSING))
        if is_call(node, "environment.getitem"):
            receiver, key = node.args
            if isinstance(receiver, ast.Constant):  # Python warns of it
                return hand_over()
            if text_of(key) is None:
                return call("item", receiver, key)
            if _is_of_dicts(key):
                return ast.Subscript(receiver, key, ast.Load())
            return method(receiver, "get", key, name(MISSING))
        return node

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
