"""Pass 11: variables get the names that they have in the template.

    l_0_messages, l_1_message, t_8    ->    messages, message, part_8

A name that several scopes have, or that is Python's or the runtime's, keeps the number of its scope.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re

from compiler.backends.jinja.unproven import RUNTIME_NAMES

_TAKEN = RUNTIME_NAMES | frozenset(dir(builtins)) | {"variables", "text", "each"}


def name_variables(root: ast.FunctionDef) -> ast.FunctionDef:
    identifiers = {
        identifier
        for node in ast.walk(root)
        for identifier in (getattr(node, "id", None), getattr(node, "arg", None))
        if isinstance(identifier, str)
    }
    identifiers |= {node.name for node in ast.walk(root) if isinstance(node, ast.FunctionDef)}
    _Naming(_readable(identifiers)).visit(root)
    return root


def _readable(identifiers: set[str]) -> dict[str, str]:
    scopes: dict[str, list[str]] = {}
    for identifier in sorted(identifiers):
        found = re.fullmatch(r"l_(\d+)_(.+)", identifier)
        if found:
            scopes.setdefault(found[2], []).append(identifier)
    names: dict[str, str] = {}
    others = identifiers - {each for group in scopes.values() for each in group}
    taken = set(_TAKEN | others)
    for plain, group in sorted(scopes.items()):
        for identifier in group:
            name = plain
            if len(group) > 1 or plain in taken or keyword.iskeyword(plain):
                name = f"{plain}_{identifier.split('_')[1]}"
            while name in taken:
                name += "_"
            taken.add(name)
            names[identifier] = name
    return names


class _Naming(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self._names.get(node.id, node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(self._names.get(node.arg, node.arg))

    def visit_keyword(self, node: ast.keyword) -> ast.keyword:
        self.generic_visit(node)
        return ast.keyword(self._names.get(f"{node.arg}", node.arg), node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.name = self._names.get(node.name, node.name)
        self.generic_visit(node)
        return node
