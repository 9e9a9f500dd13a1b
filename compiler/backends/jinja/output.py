"""Pass 10: what a template writes is gathered in a list, neighbours at once.

yield "<|im_start|>"                        text += ("<|im_start|>", str(l_1_x))
yield str(l_1_x)                      ->
...                                         ...
                                            return "".join(text)

t_8 = []                                    t_8 = []
t_8.extend(("a", str(x)))             ->    t_8 += ("a", str(x))
return concat(t_8)                          return "".join(t_8)

str_join((x, "a"))                    ->    "".join((str(x), "a"))
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from compiler.backends.jinja.syntax import call, dotted, is_call, method

_TEXT = "text"
_MAKE_TEXTS = frozenset(
    (
        "capitalize",
        "casefold",
        "join",
        "lower",
        "lstrip",
        "removeprefix",
        "removesuffix",
        "replace",
        "rstrip",
        "strip",
        "swapcase",
        "title",
        "upper",
    )
)
_TEXT_FUNCTIONS = {"str", "strftime_now"} | {
    f"filter_{each}"
    for each in ("capitalize", "join", "lower", "replace", "title", "tojson", "trim", "upper")
}


def gather_output(root: ast.FunctionDef) -> ast.FunctionDef:
    _Gathering().visit(root)
    for node in ast.walk(root):
        for field in ("body", "orelse"):
            statements = getattr(node, field, None)
            if isinstance(statements, list):
                setattr(node, field, list(_joined(statements)))
    start = ast.parse(f"{_TEXT}: list[str] = []").body
    root.body = [*start, *root.body, *ast.parse(f"return ''.join({_TEXT})").body]
    return root


class _Gathering(ast.NodeTransformer):
    """Visits the root function; others yield only where they filter a loop's items."""

    def __init__(self) -> None:
        self._depth = 0

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self._depth += 1
        self.generic_visit(node)
        self._depth -= 1
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        self.generic_visit(node)
        value = node.value
        if isinstance(value, ast.Yield) and value.value and self._depth == 1:
            return _addition(_TEXT, [value.value])
        if isinstance(value, ast.Call) and dotted(value.func).startswith("t_"):
            buffer, _, verb = dotted(value.func).partition(".")
            argument = value.args[0]
            if verb == "append":
                return _addition(buffer, [argument])
            if verb == "extend" and isinstance(argument, ast.Tuple):
                return _addition(buffer, argument.elts)
        return node

    def visit_Return(self, node: ast.Return) -> ast.Return:
        """jinja2 ends the root function early where nothing can follow."""
        self.generic_visit(node)
        if node.value is None and self._depth == 1:
            return ast.Return(ast.parse(f"''.join({_TEXT})", mode="eval").body)
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if is_call(node, "concat"):
            return method(ast.Constant(""), "join", *node.args)
        if is_call(node, "str_join") and isinstance(node.args[0], ast.Tuple):
            parts = [call("str", part) for part in node.args[0].elts]
            texts: list[ast.expr] = [_without_str(part) for part in parts]
            return method(ast.Constant(""), "join", ast.Tuple(texts, ast.Load()))
        if isinstance(node.func, ast.IfExp) and len(node.args) == 1:
            return _unmarked(node)
        return _without_str(node)


def _addition(target: str, pieces: list[ast.expr]) -> ast.AugAssign:
    value = ast.Tuple(pieces, ast.Load())
    return ast.AugAssign(ast.Name(target, ast.Store()), ast.Add(), value)


def _joined(statements: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements, those that add to one list after another made one."""
    last: ast.stmt | None = None
    for statement in statements:
        target = _target_of_addition(statement)
        if target and last is not None and _target_of_addition(last) == target:
            last = _addition(target, [*_pieces(last), *_pieces(statement)])
            continue
        if last is not None:
            yield last
        last = statement
    if last is not None:
        yield last


def _target_of_addition(statement: ast.stmt) -> str:
    if isinstance(statement, ast.AugAssign) and isinstance(statement.value, ast.Tuple):
        return dotted(statement.target)
    return ""


def _pieces(statement: ast.stmt) -> list[ast.expr]:
    if isinstance(statement, ast.AugAssign) and isinstance(statement.value, ast.Tuple):
        return statement.value.elts
    raise AssertionError(ast.unparse(statement))


def _unmarked(node: ast.Call) -> ast.expr:
    """`(Markup if context.eval_ctx.autoescape else identity)(x)` -> `x`: there is no autoescape."""
    if isinstance(node.func, ast.IfExp) and dotted(node.func.orelse) == "identity":
        return node.args[0]
    return node


def _without_str(node: ast.expr) -> ast.expr:
    """`str(x)` -> `x` where x is sure to be a text, for no other type has the method."""
    if not (is_call(node, "str") and len(node.args) == 1):
        return node
    value = node.args[0]
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return value
    if isinstance(value, ast.Call):
        is_method = isinstance(value.func, ast.Attribute) and value.func.attr in _MAKE_TEXTS
        if is_method or dotted(value.func) in _TEXT_FUNCTIONS:
            return value
    return node
