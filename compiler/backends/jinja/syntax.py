"""Small syntax trees, made and recognised: what the passes say about Python's `ast`."""

from __future__ import annotations

import ast
from typing import TypeGuard

MISSING = "MISSING"  # the runtime's value of whatever is not there
HAND_OVER = "hand_over"  # the runtime's way out, to the template as jinja2 runs it


def name(identifier: str) -> ast.Name:
    return ast.Name(identifier, ast.Load())


def call(function: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(name(function), list(arguments), [])


def method(receiver: ast.expr, attribute: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(receiver, attribute, ast.Load()), list(arguments), [])


def comparison(left: ast.expr, operator: ast.cmpop, right: ast.expr) -> ast.Compare:
    return ast.Compare(left, [operator], [right])


def hand_over() -> ast.Call:
    return call(HAND_OVER)


def is_name(node: ast.AST | None, *identifiers: str) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and node.id in identifiers


def is_call(node: ast.AST | None, function: str) -> TypeGuard[ast.Call]:
    """Whether a node calls `function`, a name or a dotted one such as `environment.getattr`."""
    return isinstance(node, ast.Call) and dotted(node.func) == function


def dotted(node: ast.AST) -> str:
    """`a.b` as text, "" for whatever is no such chain of names."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return ""


def text_of(node: ast.AST) -> str | None:
    """The value of a text constant, None for anything else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def names_read(node: ast.AST) -> set[str]:
    return {
        each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)
    }
