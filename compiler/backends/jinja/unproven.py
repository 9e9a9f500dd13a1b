"""Pass 11: whatever still means something to jinja2 alone is handed over, where it is reached.

    t_9(environment.getattr(x, "a"))    ->    hand_over()

So the passes before only have to be right in what they rewrite: what they leave, and all that a
later jinja2 may add to its code, ends here. Names are known if Python, the runtime or the function
itself defines them.
"""

from __future__ import annotations

import ast

from compiler.backends.jinja.filters import RUNTIME_FILTERS
from compiler.backends.jinja.syntax import HAND_OVER, hand_over

RUNTIME_NAMES = frozenset(
    {
        "MISSING",
        "NOT_GIVEN",
        "SafeText",
        "Variables",
        "as_items",
        "bounded_range",
        "field_of",
        "get_from_dict",
        "hand_over",
        "is_boolean",
        "is_iterable",
        "named",
        "is_sequence",
        "item",
        "strftime_now",
        *RUNTIME_FILTERS,
    }
)
_PYTHON_NAMES = ("dict", "enumerate", "float", "int", "isinstance", "len", "list", "str")


def hand_over_unproven(root: ast.FunctionDef) -> ast.FunctionDef:
    known = RUNTIME_NAMES.union(_PYTHON_NAMES, _defined(root))
    _HandingOver(known).visit(root)
    return root


def _defined(root: ast.FunctionDef) -> set[str]:
    defined: set[str] = set()
    for node in ast.walk(root):
        if isinstance(node, ast.FunctionDef):
            defined.add(node.name)
        elif isinstance(node, ast.arg):
            defined.add(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            defined.add(node.id)
    return defined


class _HandingOver(ast.NodeTransformer):
    def __init__(self, known: frozenset[str]) -> None:
        self._known = known

    def visit(self, node: ast.AST) -> ast.AST:
        """An expression that starts with an unknown name goes as a whole."""
        if isinstance(node, ast.YieldFrom | ast.NamedExpr | ast.Lambda | ast.Await):
            return hand_over()
        if isinstance(node, ast.Call | ast.Attribute | ast.Subscript | ast.Name):
            first = _first(node)
            if isinstance(first, ast.Name) and first.id not in self._known - {HAND_OVER}:
                return hand_over()
        visited: ast.AST = super().visit(node)
        return visited


def _first(node: ast.AST) -> ast.AST:
    """The expression from which a chain of calls, attributes and items starts."""
    while True:
        if isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, ast.Attribute | ast.Subscript):
            node = node.value
        else:
            return node
