"""Pass 8: the mark `safe` goes where nothing can tell a marked text from a plain one.

    str(filter_safe(x))                                  ->    str(x)

    l_1_x = filter_safe(filter_tojson(y))                      l_1_x = str(filter_tojson(y))
    str(l_1_x)                                           ->    str(l_1_x)

Without autoescape the mark only matters to `+`, `%`, `join` and the like, which escape what they
add to a marked text. A variable is indifferent to it if it is only written, tested, compared or put
into JSON. Where `+` alone asks for the mark, the runtime has a type of text that adds so:

    str("<" + filter_safe(x))                            ->    str("<" + SafeText(x))

What stays marked is handed over by the next pass.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from compiler.backends.jinja.syntax import call, dotted, is_call

# Functions that give the same for a marked text, and those that keep the mark.
_INDIFFERENT = ("str", "str_join", "isinstance", "len", "filter_tojson", "filter_length", "test_")
_PASSING = ("filter_safe", "filter_string", "filter_trim")


def drop_safe_marks(root: ast.FunctionDef) -> ast.FunctionDef:
    uses = _Uses(root)
    kinds: dict[int, str] = {}  # of text, by the mark that it is instead of
    for node in ast.walk(root):
        if _is_mark(node):
            if uses.ignore_mark(node, _Way()):
                kinds[id(node)] = "str"
            elif uses.ignore_mark(node, _Way(may_add=True)):
                kinds[id(node)] = "SafeText"
    _Replacing(kinds).visit(root)
    return root


def _is_mark(node: ast.AST) -> bool:
    """Whether a node is `x | safe`, or what jinja2 makes of it where x is a constant."""
    if not (is_call(node, "filter_safe") or is_call(node, "Markup")):
        return False
    return len(node.args) == 1 and not node.keywords


@dataclass(frozen=True)
class _Way:
    """How a value came to where it is looked at."""

    may_add: bool = False  # whether `+` may heed the mark
    variables: frozenset[str] = frozenset()  # those it was assigned to


class _Uses:
    """Where the value of each expression goes."""

    def __init__(self, root: ast.FunctionDef) -> None:
        self._parents = {
            id(child): node for node in ast.walk(root) for child in ast.iter_child_nodes(node)
        }
        self._reads: dict[str, list[ast.Name]] = {}
        for node in ast.walk(root):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                self._reads.setdefault(node.id, []).append(node)

    def ignore_mark(self, node: ast.AST, way: _Way) -> bool:
        """Whether no use of a value asks for its mark, but perhaps `+`."""
        parent = self._parents.get(id(node))
        if isinstance(parent, ast.Tuple):  # the pieces of a text
            return is_call(self._parents.get(id(parent)), "str_join")
        if isinstance(parent, ast.IfExp):
            return parent.test is node or self.ignore_mark(parent, way)
        if isinstance(parent, ast.BoolOp):
            return self.ignore_mark(parent, way)
        if isinstance(parent, ast.BinOp):
            return way.may_add and isinstance(parent.op, ast.Add) and self.ignore_mark(parent, way)
        if isinstance(parent, ast.Call) and node in parent.args:
            function = dotted(parent.func)
            if function.startswith(_PASSING):  # which the runtime's functions do not do
                strict = _Way() if way.may_add else way
                return len(parent.args) == 1 and self.ignore_mark(parent, strict)
            return function.startswith(_INDIFFERENT)
        if isinstance(parent, ast.Assign):
            return all(self._is_indifferent(target, way) for target in parent.targets)
        if isinstance(parent, ast.UnaryOp):
            return isinstance(parent.op, ast.Not)
        return isinstance(parent, ast.Compare | ast.If)

    def _is_indifferent(self, target: ast.expr, way: _Way) -> bool:
        if not isinstance(target, ast.Name):
            return False
        further = _Way(way.may_add, way.variables | {target.id})
        return target.id in way.variables or all(
            self.ignore_mark(read, further) for read in self._reads.get(target.id, [])
        )


class _Replacing(ast.NodeTransformer):
    def __init__(self, kinds: dict[int, str]) -> None:
        self._kinds = kinds

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        return call(self._kinds[id(node)], *node.args) if id(node) in self._kinds else node
