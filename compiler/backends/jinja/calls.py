"""Pass 6: calls of methods and of globals that are known to be safe become Python's own.

    environment.call(context, environment.getattr(x, "split"), ",")      ->  x.split(",")
    environment.call(context, environment.getattr("{}>", "format"), x)   ->  str_join((x, ">"))
    environment.call(context, global_range, 3)                           ->  bounded_range(3)

A value can only be of a JSON type, or one that the runtime makes, and a method in the list does the
same on each type that has it and changes none. On any other value the call fails, and so is handed
over; so is every call that is not in the lists.
"""

from __future__ import annotations

import ast
import re
from string import Formatter

from compiler.backends.jinja.syntax import call, hand_over, is_call, name, text_of

_METHODS = frozenset(
    (
        "capitalize",
        "casefold",
        "count",
        "endswith",
        "find",
        "index",
        "isalnum",
        "isalpha",
        "isdecimal",
        "isdigit",
        "islower",
        "isnumeric",
        "isspace",
        "istitle",
        "isupper",
        "items",
        "join",
        "keys",
        "lower",
        "lstrip",
        "partition",
        "removeprefix",
        "removesuffix",
        "replace",
        "rfind",
        "rindex",
        "rpartition",
        "rsplit",
        "rstrip",
        "split",
        "splitlines",
        "startswith",
        "strip",
        "swapcase",
        "title",
        "upper",
        "values",
    )
)
_GLOBALS = {
    "global_namespace": "Variables",
    "global_range": "bounded_range",
    "global_strftime_now": "strftime_now",
}


def call_directly(root: ast.FunctionDef) -> ast.FunctionDef:
    _Calling().visit(root)
    return root


def _is_plain(keyword: str) -> bool:
    """Whether a keyword is neither hidden nor like the names of jinja2, which are changed later."""
    return not re.match(r"_|[lt]_\d", keyword)


class _Calling(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.expr:
        if not is_call(node, "environment.call"):
            self.generic_visit(node)
            return node
        called, arguments, keywords = node.args[1], node.args[2:], node.keywords
        if any(isinstance(each, ast.Starred) for each in arguments):
            return hand_over()
        if not all(each.arg and _is_plain(each.arg) for each in keywords):
            return hand_over()
        arguments = [self.visit(each) for each in arguments]
        keywords = [ast.keyword(each.arg, self.visit(each.value)) for each in keywords]
        if isinstance(called, ast.Name) and called.id in _GLOBALS:
            return ast.Call(name(_GLOBALS[called.id]), arguments, keywords)
        if is_call(called, "environment.getattr"):
            return self._call_of_method(called, arguments, keywords)
        return hand_over()

    def _call_of_method(
        self, called: ast.Call, arguments: list[ast.expr], keywords: list[ast.keyword]
    ) -> ast.expr:
        receiver, attribute = self.visit(called.args[0]), text_of(called.args[1])
        if attribute in _METHODS:
            return ast.Call(ast.Attribute(receiver, attribute, ast.Load()), arguments, keywords)
        if attribute == "get" and len(arguments) in (1, 2) and not keywords:
            return call("get_from_dict", receiver, *arguments)
        form = text_of(receiver)
        if attribute == "format" and form is not None and not keywords:
            return _filled(form, arguments)
        return hand_over()


def _filled(form: str, arguments: list[ast.expr]) -> ast.expr:
    """A text with its `{}` filled in order; any other field may reach into an argument."""
    try:
        fields = list(Formatter().parse(form))
    except ValueError:
        return hand_over()
    values = iter(arguments)
    pieces: list[ast.expr] = []
    for literal, place, width, conversion in fields:
        pieces += [ast.Constant(literal)] if literal else []
        if place is not None:
            value = next(values, None)
            if value is None or place or width or conversion:
                return hand_over()
            pieces.append(value)
    return hand_over() if any(values) else call("str_join", ast.Tuple(pieces, ast.Load()))
