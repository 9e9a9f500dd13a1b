"""Pass 13: variables get the names that they have in the template.

    l_0_messages, l_1_message    ->    messages, message
    t_8 = []                     ->    parts_8 = []
    t_9 = 1                      ->    is_empty_9 = 1
    def t_10(fiter): ...         ->    def chosen_10(fiter): ...

A name that several scopes have keeps the number of its scope, and so does one that is Python's or
the runtime's.
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
    names = _names_of_temporaries(root)
    names |= _names_of_variables(identifiers, _TAKEN.union(names.values()))
    _Naming(names).visit(root)
    return root


def _names_of_temporaries(root: ast.FunctionDef) -> dict[str, str]:
    """New names of what jinja2 calls t_1, t_2 and so on, by what each is."""
    names: dict[str, str] = {}
    for node in ast.walk(root):
        if isinstance(node, ast.FunctionDef):
            names[node.name] = node.name.replace("t_", "chosen_")
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            temporary = node.targets[0].id
            kind = "parts_" if isinstance(node.value, ast.List) else "is_empty_"
            names[temporary] = temporary.replace("t_", kind)
    return {each: name for each, name in names.items() if re.fullmatch(r"t_\d+", each)}


def _names_of_variables(identifiers: set[str], taken: frozenset[str]) -> dict[str, str]:
    scopes: dict[str, list[str]] = {}
    for identifier in sorted(identifiers):
        found = re.fullmatch(r"l_(\d+)_(.+)", identifier)
        if found:
            scopes.setdefault(found[2], []).append(identifier)
    variables = {each for group in scopes.values() for each in group}
    used = set(taken | (identifiers - variables))
    names: dict[str, str] = {}
    for plain, group in sorted(scopes.items()):
        for identifier in group:
            name = plain
            if len(group) > 1 or plain in used or keyword.iskeyword(plain):
                name = f"{plain}_{identifier.split('_')[1]}"
            while name in used:
                name += "_"
            used.add(name)
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
