"""Pass 4: whatever is undefined is one value of the runtime, MISSING.

    undefined(name="x") if l_0_x is missing else l_0_x    ->    l_0_x
    a if b else cond_expr_undefined("...")                ->    a if b else MISSING
    l_0_x = missing                                       ->    l_0_x = MISSING

MISSING does what undefined values do without an error: it is false, empty and written as nothing.
All else fails and is handed over, and so the text of an error is jinja2's.
"""

from __future__ import annotations

import ast

from compiler.backends.jinja.syntax import MISSING, is_call, is_name, name


def unite_undefined(root: ast.FunctionDef) -> ast.FunctionDef:
    _Uniting().visit(root)
    return root


class _Uniting(ast.NodeTransformer):
    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        if is_call(node.body, "undefined") and isinstance(node.orelse, ast.Name):
            return node.orelse
        self.generic_visit(node)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if is_call(node, "cond_expr_undefined"):
            return name(MISSING)
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return name(MISSING) if is_name(node, "missing") else node
