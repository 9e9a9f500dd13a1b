"""Pass 9: filters and tests become Python's own or a function of the runtime.

    test_defined(x)                      ->    x is not MISSING
    test_string(x)                       ->    isinstance(x, str)
    filter_length(x)                     ->    len(x)
    filter_tojson(x, indent=4)           ->    filter_tojson(x, indent=4)
    filter_selectattr(context, x, "role", "equalto", "user")
        ->    (each for each in x or () if each.get("role", MISSING) == "user")

All other filters and tests are handed over.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from compiler.backends.jinja.fields import field_of
from compiler.backends.jinja.syntax import (
    MISSING,
    call,
    comparison,
    dotted,
    hand_over,
    name,
    text_of,
)

RUNTIME_FILTERS = frozenset(
    {
        "filter_capitalize",
        "filter_default",
        "filter_dictsort",
        "filter_first",
        "filter_int",
        "filter_items",
        "filter_join",
        "filter_last",
        "filter_lower",
        "filter_max",
        "filter_min",
        "filter_replace",
        "filter_title",
        "filter_tojson",
        "filter_trim",
        "filter_upper",
    }
)
_SAME_FILTERS = {
    "filter_count": "filter_length",
    "filter_d": "filter_default",
}
_PYTHON_FILTERS = {"filter_length": "len", "filter_string": "str", "filter_list": "list"}
# What takes all that a generator gives, so that nobody sees the generator itself.
_CONSUMING = {
    "filter_list",
    "filter_join",
    "filter_first",
    "filter_last",
    "filter_min",
    "filter_max",
}
_CONTEXTS = {"context", "context.eval_ctx", "environment"}  # some filters get one of these first

_TESTS: dict[str, Callable[[ast.expr], ast.expr]] = {
    "test_defined": lambda value: comparison(value, ast.IsNot(), name(MISSING)),
    "test_undefined": lambda value: comparison(value, ast.Is(), name(MISSING)),
    "test_none": lambda value: comparison(value, ast.Is(), ast.Constant(None)),
    "test_true": lambda value: comparison(value, ast.Is(), ast.Constant(True)),
    "test_false": lambda value: comparison(value, ast.Is(), ast.Constant(False)),
    "test_string": lambda value: call("isinstance", value, name("str")),
    "test_boolean": lambda value: call("is_boolean", value),
    "test_iterable": lambda value: call("is_iterable", value),
    "test_sequence": lambda value: call("is_sequence", value),
    "test_mapping": lambda value: call("isinstance", value, name("dict")),
    "test_number": lambda value: call(
        "isinstance", value, ast.Tuple([name("int"), name("float")], ast.Load())
    ),
}
_EQUALITY = {"equalto", "eq", "=="}
_SELECTING = {"filter_select", "filter_selectattr", "filter_reject", "filter_rejectattr"}


def apply_filters(root: ast.FunctionDef) -> ast.FunctionDef:
    _Applying().visit(root)
    return root


class _Applying(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        function = dotted(node.func)
        if not function.startswith(("filter_", "test_")):
            return node
        arguments = [each for each in node.args if dotted(each) not in _CONTEXTS]
        if function == "test_defined" and dotted(arguments[0]).startswith("global_"):
            return ast.Constant(True)
        if function in _TESTS and len(arguments) == 1:
            return _TESTS[function](*arguments)
        if function in _SELECTING and not node.keywords:
            return _selection(function, *arguments)
        if function == "filter_map":
            return _mapping(arguments, node.keywords)
        function = _SAME_FILTERS.get(function, function)
        if function in _CONSUMING:
            arguments[0] = _unnamed(arguments[0])
        if function in _PYTHON_FILTERS and len(arguments) == 1 and not node.keywords:
            return call(_PYTHON_FILTERS[function], *arguments)
        if function in RUNTIME_FILTERS:
            return ast.Call(name(function), arguments, node.keywords)
        return hand_over()


def _selection(function: str, items: ast.expr, *arguments: ast.expr) -> ast.expr:
    """The items, or their fields of one name, that are true or pass a test."""
    value: ast.expr = name("each")
    test = arguments
    if function.endswith("attr"):
        if not arguments or not _is_plain_key(arguments[0]):
            return hand_over()
        value, test = _field_of_each(items, arguments[0]), arguments[1:]
    condition = _tested(value, *test)
    if condition is None:
        return hand_over()
    if function.startswith("filter_reject"):
        condition = ast.UnaryOp(ast.Not(), condition)
    return _generator("select_or_reject", name("each"), items, condition)


def _tested(value: ast.expr, *test: ast.expr) -> ast.expr | None:
    """`value is test`, where the test is given as it is to `select`: its name and its arguments."""
    if not test:
        return value
    identifier, arguments = text_of(test[0]), test[1:]
    if not arguments and f"test_{identifier}" in _TESTS:
        return _TESTS[f"test_{identifier}"](value)
    if len(arguments) == 1 and identifier in _EQUALITY and isinstance(arguments[0], ast.Constant):
        return comparison(value, ast.Eq(), arguments[0])
    return None


def _mapping(arguments: list[ast.expr], keywords: list[ast.keyword]) -> ast.expr:
    """`map` by a field, or by a filter without arguments."""
    if len(arguments) == 2 and not keywords:
        function = f"filter_{text_of(arguments[1])}"
        function = _PYTHON_FILTERS.get(function, function)
        if function in RUNTIME_FILTERS or function in _PYTHON_FILTERS.values():
            return _generator("sync_do_map", call(function, name("each")), arguments[0])
    if len(arguments) == 1 and [each.arg for each in keywords] == ["attribute"]:
        key = keywords[0].value
        if _is_plain_key(key):
            return _generator("sync_do_map", _field_of_each(arguments[0], key), arguments[0])
    return hand_over()


def _field_of_each(items: ast.expr, key: ast.expr) -> ast.expr:
    return field_of(name("each"), key, isinstance(items, ast.Name))


def _is_plain_key(node: ast.expr) -> bool:
    """Whether an attribute is one key of a dict: no path, no number, no method."""
    key = text_of(node)
    return key is not None and "." not in key and not key.isdigit() and key not in dir(dict)


def _generator(function: str, value: ast.expr, items: ast.expr, *conditions: ast.expr) -> ast.expr:
    """`(value for each in items or () if condition)`, under the name of jinja2's function.

    Whatever is false has no items.
    """
    some = ast.BoolOp(ast.Or(), [_unnamed(items), ast.Tuple([], ast.Load())])
    each = ast.comprehension(ast.Name("each", ast.Store()), some, list(conditions), 0)
    return call("named", ast.GeneratorExp(value, [each]), ast.Constant(function))


def _unnamed(node: ast.expr) -> ast.expr:
    """The generator itself, where its name cannot be seen."""
    is_named = isinstance(node, ast.Call) and dotted(node.func) == "named"
    return node.args[0] if is_named and isinstance(node, ast.Call) else node
