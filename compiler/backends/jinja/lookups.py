"""Pass 1: what jinja2 looks up before it is used becomes names with one meaning each.

    l_0_messages = resolve("messages")           l_0_messages = variables.get("messages", MISSING)
    l_0_range = resolve("range")           ->
    t_1 = environment.filters["trim"]
    ... t_1(...) ... l_0_range                   ... filter_trim(...) ... global_range

The rest of jinja2's opening goes. A global that the template also sets is handed over.
"""

from __future__ import annotations

import ast

from compiler.backends.jinja.syntax import (
    MISSING,
    dotted,
    hand_over,
    is_call,
    is_name,
    method,
    name,
    text_of,
)

_OPENING = {"resolve", "undefined", "concat", "cond_expr_undefined"}
_MAKES_GENERATOR = "if 0:\n    yield None"


def resolve_lookups(root: ast.FunctionDef, global_names: frozenset[str]) -> ast.FunctionDef:
    meanings = _globals_read(root, global_names)
    body: list[ast.stmt] = []
    for statement in root.body:
        found = _filter_or_test(statement)
        meanings |= found
        if not found and not _is_opening(statement):
            body.append(statement)
    root.body = body
    root.args = ast.arguments([], [ast.arg("variables")], None, [], [], None, [])
    _Resolving(meanings, global_names).visit(root)
    return root


def _globals_read(root: ast.FunctionDef, global_names: frozenset[str]) -> dict[str, str]:
    """{"l_0_range": "global_range"} for globals whose name the template gives to nothing else."""
    read: dict[str, str] = {}
    set_elsewhere: set[str] = set()
    for node in ast.walk(root):
        if isinstance(node, ast.Assign) and is_call(node.value, "resolve"):
            variable = text_of(node.value.args[0])
            if variable in global_names:
                read |= {each.id: variable for each in node.targets if isinstance(each, ast.Name)}
        elif isinstance(node, ast.Assign) and not is_name(node.value, "missing"):
            set_elsewhere |= _stored(*node.targets)
        elif isinstance(node, ast.For):
            set_elsewhere |= _stored(node.target)
        elif isinstance(node, ast.arg):
            set_elsewhere.add(node.arg)
    return {each: f"global_{read[each]}" for each in read if each not in set_elsewhere}


def _stored(*targets: ast.expr) -> set[str]:
    return {node.id for each in targets for node in ast.walk(each) if isinstance(node, ast.Name)}


def _filter_or_test(statement: ast.stmt) -> dict[str, str]:
    """`try: t_1 = environment.filters["trim"]` -> {"t_1": "filter_trim"}; {} for all else."""
    tried = statement.body[0] if isinstance(statement, ast.Try) else None
    if not (isinstance(tried, ast.Assign) and isinstance(tried.value, ast.Subscript)):
        return {}
    table = dotted(tried.value.value)
    if table not in ("environment.filters", "environment.tests"):
        return {}
    kind = table.removeprefix("environment.").removesuffix("s")
    return {dotted(tried.targets[0]): f"{kind}_{text_of(tried.value.slice)}"}


def _is_opening(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Assign):
        return is_name(statement.targets[0], *_OPENING)
    return ast.unparse(statement) == _MAKES_GENERATOR


class _Resolving(ast.NodeTransformer):
    def __init__(self, meanings: dict[str, str], global_names: frozenset[str]) -> None:
        self._meanings = meanings
        self._global_names = global_names

    def visit_Assign(self, node: ast.Assign) -> ast.Assign | None:
        node.targets = [each for each in node.targets if not is_name(each, *self._meanings)]
        self.generic_visit(node)
        return node if node.targets else None

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if not is_call(node, "resolve"):
            return node
        if text_of(node.args[0]) in self._global_names:
            return hand_over()
        return method(name("variables"), "get", node.args[0], name(MISSING))

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self._meanings.get(node.id, node.id), node.ctx)
