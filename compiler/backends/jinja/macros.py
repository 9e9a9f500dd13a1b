"""Pass 3: a macro becomes a function, and a call of it a call.

    def macro(l_1_m, l_1_mark):                       def l_0_show(l_1_m=MISSING, l_1_mark="*"):
        t_8 = []                                          t_8 = []
        if l_1_m is missing:                              ...
            l_1_m = undefined(...)                        return concat(t_8)
        if l_1_mark is missing:                  ->
            l_1_mark = "*"
        ...
        return concat(t_8)
    l_0_show = Macro(environment, macro, "show", ("m", "mark"), False, False, False, ...)
    environment.call(context, l_0_show, x, mark=y)    l_0_show(x, l_1_mark=y)

A block that is tagged as the model's words is a macro, called once where it stands. The block of
`{% call show(x) %}` is one, too, and is given to the other as its last argument:

    def macro(l_1_x, l_1_caller):                     def l_0_show(l_1_x=MISSING,
        ...                                                        l_1_caller=MISSING):
        environment.call(context, l_1_caller)             l_1_caller()
    def macro(): ...                           ->     def caller(): ...
    caller = Macro(environment, macro, None, ...)
    environment.call(context, l_0_show, x, caller=caller)
                                                      l_0_show(x, l_1_caller=caller)

Macros that take any number of arguments, and macros used as values, are handed over.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from compiler.backends.jinja.syntax import (
    MISSING,
    call,
    comparison,
    dotted,
    hand_over,
    is_call,
    is_name,
    name,
)

_NOT_GIVEN = "NOT_GIVEN"  # the runtime's default of parameters whose own default is computed
_TAKES_MORE = slice(4, 6)  # arguments of `Macro`: whether it takes further keywords, positions
_CALLER = "caller"  # the block of a `call` or generation tag


def define_macros(root: ast.FunctionDef) -> ast.FunctionDef:
    """A macro is known by its name where no other macro of other parameters has that name."""
    definitions = _Defining()
    definitions.visit(root)
    _Calling(definitions.parameters).visit(root)
    return root


class _Defining(ast.NodeTransformer):
    def __init__(self) -> None:
        self.parameters: dict[str, list[str]] = {}  # macro -> those of its function, in order

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for field, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                setattr(node, field, list(self._with_macros(value)))
        return node

    def _with_macros(self, statements: list[ast.stmt]) -> Iterator[ast.stmt]:
        function: ast.FunctionDef | None = None
        for statement in statements:
            macro = statement.value if isinstance(statement, ast.Assign) else None
            if isinstance(statement, ast.FunctionDef) and statement.name == "macro":
                function = statement
            elif function and isinstance(statement, ast.Assign) and is_call(macro, "Macro"):
                target = statement.targets[-1]
                if isinstance(target, ast.Name) and self._can_be_called(target.id, function, macro):
                    function.name = target.id
                    yield function
                else:
                    statement.value = hand_over()
                    yield statement
            else:
                yield statement

    def _can_be_called(self, macro: str, function: ast.FunctionDef, made: ast.Call) -> bool:
        if not all(
            isinstance(f, ast.Constant) and f.value is False for f in made.args[_TAKES_MORE]
        ):
            return False
        parameters = [parameter.arg for parameter in function.args.args]
        if self.parameters.setdefault(macro, parameters) != parameters and macro != _CALLER:
            return False
        _move_defaults(function)
        return True


def _move_defaults(function: ast.FunctionDef) -> None:
    """Every parameter gets a default: its own, if that is a constant."""
    defaults: dict[str, ast.expr] = {
        parameter.arg: name(MISSING) for parameter in function.args.args
    }
    body = []
    for statement in function.body:
        check = _check_of_parameter(statement, defaults)
        if check is None:
            body.append(statement)
            continue
        parameter, value = check
        if is_call(value, "undefined"):
            continue
        if isinstance(value, ast.Constant):
            defaults[parameter] = value
            continue
        defaults[parameter] = name(_NOT_GIVEN)
        test = comparison(name(parameter), ast.Is(), name(_NOT_GIVEN))
        assignment = ast.Assign([ast.Name(parameter, ast.Store())], value)
        body.append(ast.If(test, [assignment], []))
    function.body = body
    function.args.defaults = list(defaults.values())


def _check_of_parameter(
    statement: ast.stmt, parameters: dict[str, ast.expr]
) -> tuple[str, ast.expr] | None:
    """The parameter and its default in `if l_1_m is missing: l_1_m = default`."""
    if (
        isinstance(statement, ast.If)
        and isinstance(statement.test, ast.Compare)
        and isinstance(statement.test.left, ast.Name)
        and is_name(statement.test.comparators[0], "missing")
        and statement.test.left.id in parameters
        and isinstance(statement.body[0], ast.Assign)
    ):
        return statement.test.left.id, statement.body[0].value
    return None


class _Calling(ast.NodeTransformer):
    def __init__(self, parameters: dict[str, list[str]]) -> None:
        self._parameters = parameters
        self._blocks = {  # parameters that are the block of a `call` tag
            each for names in parameters.values() for each in names if _plain(each) == _CALLER
        }

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if is_call(node, "environment.call"):
            called = _without_undefined(node.args[1])
            if _is_generation(called):
                return call(_CALLER)
            if isinstance(called, ast.Name) and called.id in self._blocks | set(self._parameters):
                if any(isinstance(argument, ast.Starred) for argument in node.args):
                    return hand_over()
                arguments = [self.visit(argument) for argument in node.args[2:]]
                if called.id not in self._blocks:
                    return self._call_of_macro(called, arguments, node.keywords)
                return hand_over() if node.keywords else ast.Call(called, arguments, [])
        self.generic_visit(node)
        return node

    def _call_of_macro(
        self, macro: ast.Name, arguments: list[ast.expr], keywords: list[ast.keyword]
    ) -> ast.expr:
        plain = {_plain(each): each for each in self._parameters[macro.id]}
        if len(arguments) > len(plain.keys() - {_CALLER}):
            return hand_over()
        given = []
        for keyword in keywords:
            if keyword.arg not in plain:
                return hand_over()
            is_block = keyword.arg == _CALLER and is_name(keyword.value, _CALLER)
            value = keyword.value if is_block else self.visit(keyword.value)
            given.append(ast.keyword(plain[keyword.arg], value))
        return ast.Call(name(macro.id), arguments, given)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """A macro that is not called but read."""
        if isinstance(node.ctx, ast.Load) and node.id in self._blocks | set(self._parameters):
            return hand_over()
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        if is_name(_without_undefined(node), *self._blocks, *self._parameters):
            return hand_over()
        self.generic_visit(node)
        return node


def _plain(identifier: str) -> str:
    """The name that a variable of jinja2's code has in the template."""
    return re.sub(r"^l_\d+_", "", identifier)


def _without_undefined(node: ast.expr) -> ast.expr:
    """`undefined(name="x") if l_0_x is missing else l_0_x` -> `l_0_x`."""
    if isinstance(node, ast.IfExp) and is_call(node.body, "undefined"):
        return node.orelse
    return node


def _is_generation(called: ast.expr) -> bool:
    return isinstance(called, ast.Attribute) and (
        called.attr == "_generation_support"
        and isinstance(called.value, ast.Subscript)
        and dotted(called.value.value) == "environment.extensions"
    )
