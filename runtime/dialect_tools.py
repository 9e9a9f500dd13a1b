"""What the dialect does with tool calls beyond v1 (`tools.py`).

Text for an object or an array may be a Python literal as well as JSON. Values that their tags have
typed are left alone. Types reach into arguments that were written as elements. A call may have to
be of one of the tools given.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from runtime.content.json_values import parse_json_values
from runtime.tools import (
    CASTS,
    Casts,
    ToolTypes,
    ToolTypesError,
    argument_types,
    calls_in,
    cast_text,
    castable_types,
    items_in,
    name_and_arguments,
    tool_parameters,
)

# Arguments that stay; `(argument, 1)` stands for the second of the values of a repeated tag alone.
Typed = Container["str | tuple[str, int]"]
_Types = tuple[str, ...]  # to try, in order
_ITEMS = "~"  # in a place: the items of a list; a key never is a "~" alone there


class EveryKey:
    """`EVERY_KEY`: the keys of any dict."""

    def __contains__(self, key: object) -> bool:
        return True


EVERY_KEY = EveryKey()


class NotOffered(ValueError):
    """A call is not of one of the tools given."""


def require_offered(value: Any, types: ToolTypes) -> None:
    """Raises NotOffered unless the value is a call of a tool in `types`, or a list of such calls.

    Without any tool every call is good.
    """
    for call in items_in(value) if types else ():
        if not isinstance(call, dict):
            raise NotOffered("what is no call is of no tool")
        function = call.get("function")
        name = function.get("name") if isinstance(function, dict) else None
        if not isinstance(name, str) or name not in types:
            raise NotOffered(f"no tool is named {name!r}")


def cast_texts(value: Any, types: ToolTypes, typed: Typed = ()) -> Any:
    """As `cast_arguments`, by the rules of the dialect; what is in `typed` stays.

    Raises ToolTypesError as it does.
    """
    try:
        for call in calls_in(value):
            name, arguments = name_and_arguments(call)
            for argument, accepted in types.get(name, {}).items():
                if argument in arguments and argument not in typed:
                    given = arguments[argument]
                    cast = _cast_given(given, accepted)
                    arguments[argument] = _with_typed(argument, given, cast, typed)
    except Exception as error:
        raise ToolTypesError(error) from error
    return value


def _with_typed(argument: str, given: Any, cast: Any, typed: Typed) -> Any:
    """What the argument was cast to, but for the values of a repeated tag that are in `typed`."""
    if not isinstance(given, list) or not isinstance(cast, list):
        return cast
    pairs = enumerate(zip(given, cast, strict=True))
    return [own if (argument, at) in typed else item for at, (own, item) in pairs]


def _cast_given(given: Any, accepted: Sequence[str]) -> Any:
    if isinstance(given, str):
        return cast_text(given, accepted, _DIALECT_CASTS)
    if isinstance(given, list) and "array" not in accepted:
        return [_cast_given(item, accepted) if isinstance(item, str) else item for item in given]
    return given


def _cast_object_literal(text: str) -> dict[str, Any]:
    value = parse_json_values(text, python_literals=True)
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value


def _cast_array_literal(text: str) -> list[Any]:
    value = parse_json_values(text, python_literals=True)
    if not isinstance(value, list):
        raise ValueError("not an array")
    return value


# The rules of v1, and Python literals, which chat templates write where JSON was meant.
_DIALECT_CASTS: Casts = {**CASTS, "object": _cast_object_literal, "array": _cast_array_literal}


def cast_leaves(value: Any, types: ToolTypes, typed: Typed = ()) -> Any:
    """As `cast_texts`, for arguments that are trees of text; `types` are `nested_argument_types`.

    Empty text for an object or an array is an empty one.
    """
    try:
        for call in calls_in(value):
            name, arguments = name_and_arguments(call)
            of_tool = types.get(name, {})
            for argument, given in arguments.items():
                if argument not in typed:
                    accepted, place = of_tool.get(argument, ()), _below("", argument)
                    cast = _cast_tree(given, accepted, of_tool, place)
                    arguments[argument] = _with_typed(argument, given, cast, typed)
    except Exception as error:
        raise ToolTypesError(error) from error
    return value


def _cast_tree(given: Any, accepted: _Types, of_tool: Mapping[str, _Types], pointer: str) -> Any:
    """`pointer` leads to `given` in the arguments; `accepted` are its own types."""

    def inner(item: Any, place: str) -> Any:
        return _cast_tree(item, of_tool.get(place, ()), of_tool, place)

    if isinstance(given, dict):
        return {key: inner(item, _below(pointer, key)) for key, item in given.items()}
    if isinstance(given, list) and "array" in accepted:
        return [inner(item, f"{pointer}/{_ITEMS}") for item in given]
    if isinstance(given, list):  # the values of a name that was repeated
        return [_cast_tree(item, accepted, of_tool, pointer) for item in given]
    is_empty = isinstance(given, str) and not given.strip()
    if is_empty and ("array" in accepted or "object" in accepted):
        return [] if "array" in accepted else {}
    return _cast_given(given, accepted)


def nested_argument_types(tools: Sequence[Any] | None) -> ToolTypes:
    """As `argument_types`, and the types of what is inside arguments, each under its place.

    The place is a JSON pointer, `/opt/mode`, in which "~" stands for the items of a list.
    """
    types = argument_types(tools)
    for name, parameters in tool_parameters(tools):
        types[name] = {**dict(_types_inside(parameters, "")), **types[name]}
    return types


def _types_inside(schema: Any, pointer: str) -> Iterator[tuple[str, _Types]]:
    """Of all that a schema says about what is inside it, unions included."""
    if not isinstance(schema, dict):
        return
    for union in ("anyOf", "oneOf"):
        choices = schema.get(union)
        for choice in choices if isinstance(choices, (list, tuple)) else ():
            yield from _types_inside(choice, pointer)
    properties = schema.get("properties")
    inside = dict(properties) if isinstance(properties, dict) else {}
    places = [(_below(pointer, key), inner) for key, inner in inside.items()]
    places += [(f"{pointer}/{_ITEMS}", schema["items"])] if "items" in schema else []
    for place, inner in places:
        if accepted := castable_types(inner):
            yield place, accepted
        yield from _types_inside(inner, place)


def _below(pointer: str, key: str) -> str:
    return f"{pointer}/{key.replace('~', '~0').replace('/', '~1')}"
