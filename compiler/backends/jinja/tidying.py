"""Pass 12: what was set up for jinja2's own sake goes where nothing reads it.

    l_0_show = l_0_ns = MISSING                       l_0_ns = MISSING
    def l_0_show(l_1_x=MISSING): ...                  def l_0_show(l_1_x=MISSING): ...
    for l_1_m in l_0_messages:                  ->    for l_1_m in l_0_messages:
        l_1_y = l_0_y                                     l_1_y = l_0_y
        ...                                               ...
    l_1_loop = l_1_m = l_1_y = MISSING

A variable of a loop need not be cleared after it if only the loop reads it, and sets it first. A
macro that is called before its definition fails without the name, and so is handed over.
"""

from __future__ import annotations

import ast
from collections import Counter

from compiler.backends.jinja.syntax import MISSING, is_name


def drop_unread(root: ast.FunctionDef) -> ast.FunctionDef:
    reads = _reads(root)
    macros = {node.name for node in ast.walk(root) if isinstance(node, ast.FunctionDef)}
    for node in ast.walk(root):
        for field in ("body", "orelse"):
            statements = getattr(node, field, None)
            if isinstance(statements, list):
                kept = _without_clearing(statements, reads, macros)
                setattr(node, field, kept or ([ast.Pass()] if field == "body" else []))
    return root


def _without_clearing(
    statements: list[ast.stmt], reads: Counter[str], macros: set[str]
) -> list[ast.stmt]:
    kept: list[ast.stmt] = []
    for statement in statements:
        if isinstance(statement, ast.Assign) and is_name(statement.value, MISSING):
            loops_own = _read_in_loop_alone(kept[-1], reads) if kept else set()
            statement.targets = [
                target
                for target in statement.targets
                if not isinstance(target, ast.Name)
                or not (target.id in macros | loops_own or not reads[target.id])
            ]
            if not statement.targets:
                continue
        kept.append(statement)
    return kept


def _read_in_loop_alone(loop: ast.stmt, reads: Counter[str]) -> set[str]:
    """The variables that a loop sets first thing, and that nothing outside it reads."""
    if not isinstance(loop, ast.For):
        return set()
    inside, set_inside = _reads(loop), _stored(loop)
    first = _stored(loop.target)
    for statement in loop.body:
        if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
            break
        if _reads(statement.value).keys() & (set_inside - first):
            break
        first |= {each for target in statement.targets for each in _stored(target)}
    return {each for each in first if reads[each] == inside[each]}


def _stored(node: ast.AST) -> set[str]:
    return {
        each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }


def _reads(node: ast.AST) -> Counter[str]:
    return Counter(
        each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)
    )
