"""Pass 2: what jinja2 notes for templates that import or include others goes.

    _loop_vars = {}
    l_1_x = f(1, _loop_vars=_loop_vars)    ->    l_1_x = f(1)
    _loop_vars["x"] = l_1_x
    context.vars["x"] = l_0_x = 2                l_0_x = 2
    context.exported_vars.add("x")

A chat template stands alone: nothing reads these notes.
"""

from __future__ import annotations

import ast

from compiler.backends.jinja.syntax import dotted, is_name

_NOTES = {"context.vars", "context.exported_vars", "_loop_vars", "_block_vars"}


def drop_bookkeeping(root: ast.FunctionDef) -> ast.FunctionDef:
    _Dropping().visit(root)
    _fill_empty_bodies(root)
    return root


class _Dropping(ast.NodeTransformer):
    def visit_Assign(self, node: ast.Assign) -> ast.stmt | None:
        node.targets = [target for target in node.targets if not _is_note(target)]
        self.generic_visit(node)
        return node if node.targets else None

    def visit_Expr(self, node: ast.Expr) -> ast.stmt | None:
        called = node.value.func if isinstance(node.value, ast.Call) else None
        if isinstance(called, ast.Attribute) and dotted(called.value) in _NOTES:
            return None
        self.generic_visit(node)
        return node

    def visit_Pass(self, node: ast.Pass) -> None:
        return None

    def visit_Call(self, node: ast.Call) -> ast.Call:
        node.keywords = [each for each in node.keywords if f"{each.arg}" not in _NOTES]
        self.generic_visit(node)
        return node


def _is_note(target: ast.expr) -> bool:
    if isinstance(target, ast.Subscript):
        return dotted(target.value) in _NOTES
    return is_name(target, *_NOTES)


def _fill_empty_bodies(root: ast.AST) -> None:
    for node in ast.walk(root):
        if isinstance(node, ast.If | ast.For | ast.FunctionDef) and not node.body:
            node.body = [ast.Pass()]
