"""Pass 8: the mark `safe` goes where nothing can tell a marked text from a plain one.

    str(filter_safe(x))                                  ->    str(x)

    l_1_x = filter_safe(filter_tojson(y))                      l_1_x = filter_tojson(y)
    str(l_1_x)                                           ->    str(l_1_x)

Without autoescape the mark only matters to `+`, `%`, `join` and the like, which escape what they
add to a marked text. A variable is indifferent to it if it is only written, tested, compared or put
into JSON. What stays marked is handed over by the next pass.
"""

from __future__ import annotations

import ast

from compiler.backends.jinja.syntax import dotted, is_call

# Functions that give the same for a marked text, and those that keep the mark.
_INDIFFERENT = ("str", "str_join", "isinstance", "len", "filter_tojson", "filter_length", "test_")
_PASSING = ("filter_safe", "filter_string", "filter_trim")


def drop_safe_marks(root: ast.FunctionDef) -> ast.FunctionDef:
    uses = _Uses(root)
    _Dropping(
        {id(node) for node in ast.walk(root) if _is_mark(node) and uses.ignore_mark(node)}
    ).visit(root)
    return root


def _is_mark(node: ast.AST) -> bool:
    return is_call(node, "filter_safe") and len(node.args) == 1 and not node.keywords


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

    def ignore_mark(self, node: ast.AST, above: frozenset[str] = frozenset()) -> bool:
        """Whether no use of a value asks for its mark; `above`: variables being looked at."""
        parent = self._parents.get(id(node))
        if isinstance(parent, ast.Tuple):  # the pieces of a text
            return is_call(self._parents.get(id(parent)), "str_join")
        if isinstance(parent, ast.IfExp):
            return parent.test is node or self.ignore_mark(parent, above)
        if isinstance(parent, ast.BoolOp):
            return self.ignore_mark(parent, above)
        if isinstance(parent, ast.Call) and node in parent.args:
            function = dotted(parent.func)
            if function.startswith(_PASSING):
                return len(parent.args) == 1 and self.ignore_mark(parent, above)
            return function.startswith(_INDIFFERENT)
        if isinstance(parent, ast.Assign):
            return all(self._is_indifferent(target, above) for target in parent.targets)
        if isinstance(parent, ast.UnaryOp):
            return isinstance(parent.op, ast.Not)
        return isinstance(parent, ast.Compare | ast.If)

    def _is_indifferent(self, target: ast.expr, above: frozenset[str]) -> bool:
        if not isinstance(target, ast.Name):
            return False
        return target.id in above or all(
            self.ignore_mark(read, above | {target.id}) for read in self._reads.get(target.id, [])
        )


class _Dropping(ast.NodeTransformer):
    def __init__(self, marks: set[int]) -> None:
        self._marks = marks

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        return node.args[0] if id(node) in self._marks else node
