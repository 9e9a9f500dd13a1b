"""Turns type hints into JSON schemas: `list[int] | None` -> an array of integers, or null.

Which hints have a schema, and which, is as in transformers 5.24.0; so are the error texts.
"""

from __future__ import annotations

import sys
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

_SCALAR_NAMES: dict[type, str] = {
    int: "integer",
    float: "number",
    str: "string",
    bool: "boolean",
    NoneType: "null",
}
_PLAIN_NAMES = {**_SCALAR_NAMES, list: "array", tuple: "array", dict: "object"}

# Inputs of multimodal tools. A hint can only be one of these if its module has been imported.
_MEDIA = (("PIL.Image", "Image", "image"), ("torch", "Tensor", "audio"))


class TypeHintParsingException(Exception):
    """A type hint is missing, or there is no JSON schema for it."""


def schema_of_hint(hint: Any) -> dict[str, Any]:
    """The JSON schema of a resolved type hint, a new dict.

    Raises TypeHintParsingException for classes of one's own, and for all else that JSON has no
    plain word for, such as sets, bytes and `tuple[int, ...]`.
    """
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is None:
        return _schema_of_enum(hint) if _is_enum(hint) else _schema_of_plain(hint)
    if origin in (Union, UnionType):
        return _schema_of_union(arguments)
    if origin is Literal and arguments:
        return _schema_of_literal(arguments)
    if origin is list:
        return _schema_with("items", {"type": "array"}, arguments[:1])
    if origin is tuple:
        return _schema_of_tuple(hint, arguments)
    if origin is dict:  # whose keys are strings in JSON, whatever the hint says
        return _schema_with("additionalProperties", {"type": "object"}, arguments[1:2])
    raise TypeHintParsingException(
        "Couldn't parse this type hint, likely due to a custom class or object: ", hint
    )


def _schema_with(key: str, schema: dict[str, Any], hints: tuple[Any, ...]) -> dict[str, Any]:
    """`schema` with what its parts are, if there is a hint of it."""
    for hint in hints:
        schema[key] = schema_of_hint(hint)
    return schema


def _is_enum(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Enum)


def _schema_of_enum(hint: type[Enum]) -> dict[str, Any]:
    values = [member.value for member in hint]
    if not values:
        raise TypeHintParsingException(
            f"The Enum {hint.__name__} has no members, so no value could ever match it."
        )
    if not _are_scalars(values):
        raise TypeHintParsingException(
            f"The Enum {hint.__name__} has member values that cannot be written as JSON scalars.\n"
            f"Values: {values}\n"
            "Enum member values must be int, float, str, bool or None to be converted to a JSON "
            "schema."
        )
    return _schema_of_values(values)


def _schema_of_literal(values: tuple[Any, ...]) -> dict[str, Any]:
    if not _are_scalars(values):
        raise TypeHintParsingException(
            "Only the valid python literals can be listed in typing.Literal."
        )
    return _schema_of_values(values)


def _are_scalars(values: list[Any] | tuple[Any, ...]) -> bool:
    return all(type(value) in _SCALAR_NAMES for value in values)  # subclasses do not count


def _schema_of_values(values: list[Any] | tuple[Any, ...]) -> dict[str, Any]:
    names = list(dict.fromkeys(_SCALAR_NAMES[type(value)] for value in values))
    return {"type": _one_or_all(names), "enum": list(values)}


def _schema_of_plain(hint: Any) -> dict[str, Any]:
    if hint is Any:
        return {}
    name = _PLAIN_NAMES.get(hint) or _media_name(hint)
    if name is None:
        raise TypeHintParsingException(
            f"Couldn't convert the type hint {hint!r} to a JSON schema, likely because it is a "
            "custom class or object. Supported type hints are basic types like int, float, str and "
            "bool, Enum classes, typing.Literal, and list, tuple, dict and Union types containing "
            "those. If you need a more complex schema than that, you can write the JSON schema for "
            "your tool by hand and pass that instead of the function."
        )
    return {"type": name}


def _media_name(hint: Any) -> str | None:
    for module, attribute, name in _MEDIA:
        if module in sys.modules and hint is getattr(sys.modules[module], attribute, None):
            return name
    return None


def _schema_of_union(hints: tuple[Any, ...]) -> dict[str, Any]:
    """One schema, a list of types if they say nothing else, or any of several; maybe null."""
    choices = [schema_of_hint(hint) for hint in hints if hint is not NoneType]
    if len(choices) == 1:
        (schema,) = choices
    elif all(choice.keys() == {"type"} for choice in choices):
        schema = {"type": _one_or_all(sorted({choice["type"] for choice in choices}))}
    else:
        schema = {"anyOf": choices}
    if NoneType in hints:
        schema["nullable"] = True
    return schema


def _one_or_all(names: list[str]) -> str | list[str]:
    return names[0] if len(names) == 1 else names


def _schema_of_tuple(hint: Any, hints: tuple[Any, ...]) -> dict[str, Any]:
    if not hints:
        return {"type": "array"}
    if len(hints) == 1:
        raise TypeHintParsingException(
            f"The type hint {str(hint).replace('typing.', '')} is a Tuple with a single element, "
            "which we do not automatically convert to JSON schema as it is rarely necessary. If "
            "this input can contain more than one element, we recommend using a list[] type "
            "instead, or if it really is a single element, remove the tuple[] wrapper and just "
            "pass the element directly."
        )
    if ... in hints:
        raise TypeHintParsingException(
            "Conversion of '...' is not supported in Tuple type hints. Use list[] types for "
            "variable-length inputs instead."
        )
    return {"type": "array", "prefixItems": [schema_of_hint(each) for each in hints]}
