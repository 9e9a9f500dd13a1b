"""Casts the arguments of tool calls to the types that the tools' schemas declare.

Models write many arguments as text. Where a schema says what the text stands for, the value of the
region gets that type: `{"days": "3"}` -> `{"days": 3}` for `"days": {"type": "integer"}`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from math import isfinite
from types import FunctionType, MethodType
from typing import Any

Casts = Mapping[str, Callable[[str], Any]]  # type -> what reads it; raises ValueError
ToolTypes = dict[str, dict[str, tuple[str, ...]]]  # tool -> argument -> the types to try, in order


class ToolTypesError(Exception):
    """Casting failed in a way that keeping the text does not cover; `error` says how."""

    def __init__(self, error: Exception) -> None:
        super().__init__(error)
        self.error = error

    def __str__(self) -> str:
        return f"argument types: {str(self.error) or type(self.error).__name__}"


def argument_types(tools: Sequence[Any] | None) -> ToolTypes:
    """The types that each argument of each tool is cast to.

    `tools`: JSON schemas `{"function": {"name", "parameters"}}` or bare `{"name", "parameters"}`,
    or Python functions and methods; of equal names the last wins. Arguments of no castable type
    are left out; whatever is neither schema nor function is skipped. Raises whatever
    `get_json_schema` raises for a function; in a parser that is a file of its own, TypeError.
    """
    return {name: _parameter_types(parameters) for name, parameters in tool_parameters(tools)}


def tool_parameters(tools: Sequence[Any] | None) -> Iterator[tuple[str, Any]]:
    """The name and the parameters' schema, if there is one, of each tool."""
    for tool in tools or ():
        schema = function_schema(tool) if isinstance(tool, (FunctionType, MethodType)) else tool
        function = schema.get("function", schema) if isinstance(schema, dict) else None
        if isinstance(function, dict) and isinstance(function.get("name"), str):
            yield function["name"], function.get("parameters")


def function_schema(function: Callable[..., Any]) -> dict[str, Any]:
    """The schema of a Python function; a parser that is a file of its own refuses functions."""
    from runtime.chat.json_schema import get_json_schema  # imports much, and is rarely needed

    return get_json_schema(function)


def cast_arguments(value: Any, types: ToolTypes) -> Any:
    """The region's value with its tool calls' arguments cast, in place.

    A tool call is `{"function": {"name": str, "arguments": dict}}`; the value may also be a list of
    them, lists inside lists included. An argument that is text is cast; of an argument that is a
    list each text is, unless the argument may be an `array`. Text that no type fits stays.

    Raises ToolTypesError for whatever goes wrong, such as JSON nested too deeply.
    """
    try:
        for call in calls_in(value):
            _cast_call(call, types)
    except Exception as error:
        raise ToolTypesError(error) from error
    return value


def calls_in(value: Any) -> Iterator[dict[str, Any]]:
    """The value, or what the list that it is holds, lists inside lists included: the dicts."""
    return (item for item in items_in(value) if isinstance(item, dict))


def items_in(value: Any) -> Iterator[Any]:
    """The value, or what the list that it is holds, lists inside lists included."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, list):
            pending += reversed(item)
        else:
            yield item


def _cast_call(call: dict[str, Any], types: ToolTypes) -> None:
    name, arguments = name_and_arguments(call)
    for argument, accepted in types.get(name, {}).items():
        given = arguments.get(argument)
        if isinstance(given, str):
            arguments[argument] = cast_text(given, accepted, CASTS)
        elif isinstance(given, list) and "array" not in accepted:
            arguments[argument] = [
                cast_text(item, accepted, CASTS) if isinstance(item, str) else item
                for item in given
            ]


def name_and_arguments(call: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Of a tool call; "" and a dict of no use to anyone for a dict that is none."""
    function = call.get("function")
    if isinstance(function, dict):
        name, arguments = function.get("name"), function.get("arguments")
        if isinstance(name, str) and isinstance(arguments, dict):
            return name, arguments
    return "", {}


def cast_text(text: str, accepted: Sequence[str], casts: Casts) -> Any:
    """What the text stands for, by the first type that fits; the text itself if none does."""
    for type_name in accepted:
        with suppress(ValueError):
            return casts[type_name](text)
    return text


def _cast_integer(text: str) -> int:
    with suppress(ValueError):
        return int(text)
    number = float(text)  # whole numbers written as floats count: 3.0, 1e3
    if not number.is_integer():
        raise ValueError("not a whole number")
    return int(number) if abs(number) < 2**53 else _exact_integer(text)


def _exact_integer(text: str) -> int:
    """The integer that a float may be too coarse for: 9007199254740993.0, 1e30."""
    from decimal import Decimal  # rarely needed

    exact = Decimal(text)
    whole = int(exact)
    if whole != exact:
        raise ValueError("not a whole number")
    return whole


def _cast_number(text: str) -> int | float:
    number = float(text)
    if not isfinite(number):
        raise ValueError("not a JSON number")
    if "." in text or not number.is_integer():
        return number
    with suppress(ValueError):
        return int(text)  # every digit of an integer literal; a float keeps 53 bits
    return int(number)


def _cast_boolean(text: str) -> bool:
    word = text.strip().lower()
    if word not in ("true", "1", "false", "0"):
        raise ValueError("not a boolean")
    return word in ("true", "1")


def _cast_null(text: str) -> None:
    if text.strip() not in ("null", "None"):
        raise ValueError("not null")


def _cast_object(text: str) -> dict[str, Any]:
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value


def _cast_array(text: str) -> list[Any]:
    value = json.loads(text)
    if not isinstance(value, list):
        raise ValueError("not an array")
    return value


# The rules of transformers 5.24.0, except that integers keep all their digits. `string` has none.
CASTS: Casts = {
    "integer": _cast_integer,
    "number": _cast_number,
    "boolean": _cast_boolean,
    "null": _cast_null,
    "object": _cast_object,
    "array": _cast_array,
}


def _parameter_types(parameters: Any) -> dict[str, tuple[str, ...]]:
    properties = parameters.get("properties") if isinstance(parameters, dict) else None
    if not isinstance(properties, dict):
        return {}
    types = {name: castable_types(schema) for name, schema in properties.items()}
    return {name: accepted for name, accepted in types.items() if accepted}


def castable_types(schema: Any) -> tuple[str, ...]:
    """The types of a schema that are not text, in the order declared."""
    return tuple(dict.fromkeys(name for name in _declared_types(schema) if name in CASTS))


def _declared_types(schema: Any) -> Iterator[str]:
    """The types of a schema in the order declared; `allOf` and `$ref` do not count (v1)."""
    if not isinstance(schema, dict):
        return
    declared = schema.get("type")
    if isinstance(declared, str):
        yield declared
    elif isinstance(declared, list):
        yield from (name for name in declared if isinstance(name, str))
    for union in ("anyOf", "oneOf"):
        choices = schema.get(union)
        for choice in choices if isinstance(choices, (list, tuple)) else ():
            yield from _declared_types(choice)
    if schema.get("nullable"):
        yield "null"
