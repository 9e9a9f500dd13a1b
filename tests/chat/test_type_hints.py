"""Type hints as JSON schemas, and those that have none."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from types import ModuleType
from typing import Any, Literal, NewType, TypedDict, TypeVar

import pytest

from runtime.chat.type_hints import TypeHintParsingException, schema_of_hint


class Colour(Enum):
    RED = "red"
    BLACK = 0
    CRIMSON = RED  # another name for it


class Level(IntEnum):
    LOW = 1


class Empty(Enum):
    pass


class Pairs(Enum):
    A = (1, 2)


class Movie(TypedDict):
    title: str


@dataclass
class Record:
    title: str


INTEGER = {"type": "integer"}
STRING = {"type": "string"}
ENUM = {"type": ["string", "integer"], "enum": ["red", 0]}

T = TypeVar("T")
UserId = NewType("UserId", int)


@pytest.mark.parametrize(
    ("hint", "schema"),
    [
        (int, INTEGER),
        (float, {"type": "number"}),
        (str, STRING),
        (bool, {"type": "boolean"}),
        (type(None), {"type": "null"}),
        (list, {"type": "array"}),
        (tuple, {"type": "array"}),
        (dict, {"type": "object"}),
        (Any, {}),
        (list[int], {"type": "array", "items": INTEGER}),
        (list[Any], {"type": "array", "items": {}}),
        (list[list[str]], {"type": "array", "items": {"type": "array", "items": STRING}}),
        (tuple[int, str], {"type": "array", "prefixItems": [INTEGER, STRING]}),
        (dict[(str,)], {"type": "object"}),
        (dict[str, int], {"type": "object", "additionalProperties": INTEGER}),
        (dict[int, Any], {"type": "object", "additionalProperties": {}}),
        (int | None, {"type": "integer", "nullable": True}),
        (None | list[int], {"type": "array", "items": INTEGER, "nullable": True}),
        (Any | None, {"nullable": True}),
        (str | int, {"type": ["integer", "string"]}),
        (None | str | float, {"type": ["number", "string"], "nullable": True}),
        (list | tuple, {"type": "array"}),
        (list[int] | int, {"anyOf": [{"type": "array", "items": INTEGER}, INTEGER]}),
        (Colour | str | None, {"anyOf": [ENUM, STRING], "nullable": True}),
        (int | Any, {"anyOf": [INTEGER, {}]}),
        (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
        (Literal[True, "b", None, "c"], {"type": ["boolean", "string", "null"]}),
        (Literal["a"] | None, {"type": "string", "enum": ["a"], "nullable": True}),
        (Colour, ENUM),
        (Level, {"type": "integer", "enum": [1]}),
    ],
)
def test_hints_with_a_schema(hint: Any, schema: dict[str, Any]) -> None:
    made = schema_of_hint(hint)
    if hint == Literal[True, "b", None, "c"]:
        assert made.pop("enum") == [True, "b", None, "c"]
    assert made == schema
    assert list(made) == list(schema)


@pytest.mark.parametrize(
    "hint",
    [bytes, set, object, Record, Movie, UserId, T, Callable, Sequence, Literal, "int", 5],
)
def test_bare_hints_without_a_schema(hint: Any) -> None:
    with pytest.raises(TypeHintParsingException) as caught:
        schema_of_hint(hint)
    assert str(caught.value) == (
        f"Couldn't convert the type hint {hint!r} to a JSON schema, likely because it is a custom "
        "class or object. Supported type hints are basic types like int, float, str and bool, Enum "
        "classes, typing.Literal, and list, tuple, dict and Union types containing those. If you "
        "need a more complex schema than that, you can write the JSON schema for your tool by hand "
        "and pass that instead of the function."
    )


@pytest.mark.parametrize(
    "hint", [set[int], Sequence[int], Callable[[], int], type[int], Literal[()]]
)
def test_generic_hints_without_a_schema(hint: Any) -> None:
    with pytest.raises(TypeHintParsingException) as caught:
        schema_of_hint(list[hint])
    text = "Couldn't parse this type hint, likely due to a custom class or object: "
    assert caught.value.args == (text, hint)


@pytest.mark.parametrize(
    ("hint", "text"),
    [
        (Empty, "The Enum Empty has no members, so no value could ever match it."),
        (
            Pairs,
            "The Enum Pairs has member values that cannot be written as JSON scalars.\n"
            "Values: [(1, 2)]\n"
            "Enum member values must be int, float, str, bool or None to be converted to a JSON "
            "schema.",
        ),
        (
            Literal[b"a"],
            "Only the valid python literals can be listed in typing.Literal.",
        ),
        (
            Literal[Level.LOW],
            "Only the valid python literals can be listed in typing.Literal.",
        ),
        (
            tuple[int],
            "The type hint tuple[int] is a Tuple with a single element, which we do not "
            "automatically convert to JSON schema as it is rarely necessary. If this input can "
            "contain more than one element, we recommend using a list[] type instead, or if it "
            "really is a single element, remove the tuple[] wrapper and just pass the element "
            "directly.",
        ),
        (
            tuple[int, ...],
            "Conversion of '...' is not supported in Tuple type hints. Use list[] types for "
            "variable-length inputs instead.",
        ),
    ],
)
def test_hints_that_cannot_be_written_as_json(hint: Any, text: str) -> None:
    with pytest.raises(TypeHintParsingException) as caught:
        schema_of_hint(str | hint)
    assert str(caught.value) == text


@pytest.mark.parametrize(
    ("module", "name", "schema_type"),
    [("PIL.Image", "Image", "image"), ("torch", "Tensor", "audio")],
)
def test_media_have_a_type_once_their_module_is_imported(
    module: str, name: str, schema_type: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    media = type(name, (), {})
    monkeypatch.delitem(sys.modules, module, raising=False)
    with pytest.raises(TypeHintParsingException):
        schema_of_hint(media)
    stand_in = ModuleType(module)
    monkeypatch.setitem(sys.modules, module, stand_in)
    with pytest.raises(TypeHintParsingException):  # half imported
        schema_of_hint(media)
    setattr(stand_in, name, media)
    assert schema_of_hint(list[media]) == {"type": "array", "items": {"type": schema_type}}
    with pytest.raises(TypeHintParsingException):
        schema_of_hint(type(name, (media,), {}))
