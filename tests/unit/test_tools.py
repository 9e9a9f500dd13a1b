from __future__ import annotations

import json
from typing import Any

import pytest

from runtime.chat.json_schema import DocstringParsingException
from runtime.tools import ToolTypes, ToolTypesError, argument_types, cast_arguments


def tool(**properties: Any) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties}
    return {"type": "function", "function": {"name": "f", "parameters": parameters}}


def call(**arguments: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": "f", "arguments": arguments}}


def cast(text: Any, *types: str) -> Any:
    value = cast_arguments(call(x=text), {"f": {"x": types}})
    return value["function"]["arguments"]["x"]


@pytest.mark.parametrize(
    ("schema", "types"),
    [
        ({"type": "integer"}, ("integer",)),
        ({"type": ["null", "string", "number"]}, ("null", "number")),
        ({"anyOf": [{"type": "integer"}, {"oneOf": [{"type": "null"}]}]}, ("integer", "null")),
        (
            {"type": "boolean", "oneOf": [{"type": "array"}], "nullable": True},
            ("boolean", "array", "null"),
        ),
        ({"type": ["null", "integer"], "nullable": True}, ("null", "integer")),
        ({"anyOf": [{"type": "integer"}, {"type": "integer"}]}, ("integer",)),
        ({"type": "object", "nullable": False}, ("object",)),
    ],
)
def test_declared_types_in_order(schema: dict[str, Any], types: tuple[str, ...]) -> None:
    assert argument_types([tool(x=schema)]) == {"f": {"x": types}}


@pytest.mark.parametrize(
    "schema",
    [
        {},
        {"type": "string"},
        {"type": "any"},
        {"type": 3},
        {"type": [None, 3]},
        {"allOf": [{"type": "integer"}]},
        {"$ref": "#/x"},
        {"anyOf": None, "oneOf": {"type": "integer"}},
        {"anyOf": 5},
        {"anyOf": [True, "integer"]},
        True,
        None,
    ],
)
def test_arguments_without_a_castable_type_are_left_out(schema: Any) -> None:
    assert argument_types([tool(x=schema, y={"type": "null"})]) == {"f": {"y": ("null",)}}


@pytest.mark.parametrize(
    ("tools", "types"),
    [
        (None, {}),
        ([], {}),
        ([None, "f", {}, {"function": None}, {"name": 3}], {}),
        (
            [{"name": "g", "parameters": {"properties": {"a": {"type": "null"}}}}],
            {"g": {"a": ("null",)}},
        ),
        ([{"name": "g"}], {"g": {}}),
        ([{"name": "g", "parameters": {"properties": []}}], {"g": {}}),
        ([tool(x={"type": "null"}), {"name": "f"}], {"f": {}}),
    ],
)
def test_tools_of_every_shape(tools: Any, types: ToolTypes) -> None:
    assert argument_types(tools) == types


class Box:
    def lift(self, height: float | None, times: int | bool = 1, note: str = "") -> None:
        """Lift the box.

        Args:
            height: How high.
            times: How often.
            note: What to write on it.
        """


@pytest.mark.parametrize("function", [Box.lift, Box().lift])
def test_python_functions_are_tools(function: Any) -> None:
    types = {"height": ("number", "null"), "times": ("boolean", "integer")}
    assert argument_types([function]) == {"lift": types}


def test_functions_and_schemas_go_together() -> None:
    """The last of a name wins, and what only can be called is no function."""
    schema = {"name": "lift", "parameters": {"properties": {"height": {"type": "array"}}}}
    assert argument_types([Box().lift, schema]) == {"lift": {"height": ("array",)}}
    assert argument_types([schema, Box().lift])["lift"]["height"] == ("number", "null")
    assert argument_types([Box, len, "lift".upper]) == {}


def test_a_function_without_a_schema_is_refused() -> None:
    with pytest.raises(DocstringParsingException, match="for cast because it has no docstring"):
        argument_types([cast])


def test_types_are_plain_data() -> None:
    types = argument_types([tool(x={"type": ["integer", "array"]})])
    restored = json.loads(json.dumps(types))
    value = cast_arguments(call(x="[1]"), restored)
    assert value == call(x=[1])


@pytest.mark.parametrize(
    ("text", "types", "value"),
    [
        ("3", ("integer",), 3),
        (" -3 ", ("integer",), -3),
        ("1_000", ("integer",), 1000),
        ("3.0", ("integer",), 3),
        ("1e3", ("integer",), 1000),
        ("3.5", ("integer",), "3.5"),
        ("inf", ("integer",), "inf"),
        ("nan", ("integer",), "nan"),
        ("x", ("integer",), "x"),
        ("1" * 400, ("integer",), int("1" * 400)),
        ("1" * 5000, ("integer",), "1" * 5000),
        ("9007199254740993", ("integer",), 9007199254740993),
        ("9007199254740993.0", ("integer",), 9007199254740993),
        ("-1.8014398509481985e16", ("integer",), -18014398509481985),
        ("1e30", ("integer",), 10**30),
        ("9007199254740993.5", ("integer",), "9007199254740993.5"),
        ("1e400", ("integer",), "1e400"),
        ("1.5", ("number",), 1.5),
        ("2.0", ("number",), 2.0),
        ("2", ("number",), 2),
        ("1e3", ("number",), 1000),
        ("-0", ("number",), 0),
        ("12345678901234567890", ("number",), 12345678901234567890),
        ("nan", ("number",), "nan"),
        ("-inf", ("number",), "-inf"),
        ("1" * 400, ("number",), "1" * 400),
        (" TRUE ", ("boolean",), True),
        ("1", ("boolean",), True),
        ("False", ("boolean",), False),
        ("0", ("boolean",), False),
        ("yes", ("boolean",), "yes"),
        (" null", ("null",), None),
        ("None", ("null",), None),
        ("none", ("null",), "none"),
        ('{"a": 1}', ("object",), {"a": 1}),
        ("[1]", ("object",), "[1]"),
        ("{a: 1}", ("object",), "{a: 1}"),
        ("[1, 2]", ("array",), [1, 2]),
        ("{}", ("array",), "{}"),
        ("1", ("boolean", "integer"), True),
        ("1", ("integer", "boolean"), 1),
        ("x", ("integer", "number", "null", "boolean", "object", "array"), "x"),
        ('["1"]', ("integer", "array"), ["1"]),
        (["1", "x", 2, None, ["3"]], ("integer",), [1, "x", 2, None, ["3"]]),
        (["1"], ("integer", "array"), ["1"]),
        (3, ("null",), 3),
        ({"a": "1"}, ("integer",), {"a": "1"}),
    ],
)
def test_casts(text: Any, types: tuple[str, ...], value: Any) -> None:
    result = cast(text, *types)
    assert result == value
    assert type(result) is type(value)


def test_calls_in_lists_are_cast_too() -> None:
    types: ToolTypes = {"f": {"x": ("integer",)}}
    value = cast_arguments([call(x="1"), [[call(x="2")]], "text", None], types)
    assert value == [call(x=1), [[call(x=2)]], "text", None]


def test_calls_that_share_their_arguments_are_cast_in_order() -> None:
    arguments: dict[str, Any] = {"x": "1"}
    calls = [
        {"function": {"name": "f", "arguments": arguments}},
        {"function": {"name": "g", "arguments": arguments}},
    ]
    cast_arguments(calls, {"f": {"x": ("boolean",)}, "g": {"x": ("integer",)}})
    assert arguments["x"] is True


@pytest.mark.parametrize(
    "value",
    [
        "text",
        None,
        {"function": "f"},
        {"function": {"name": ["f"], "arguments": {"x": "1"}}},
        {"function": {"name": "f", "arguments": '{"x": "1"}'}},
        {"function": {"name": "other", "arguments": {"x": "1"}}},
        {"name": "f", "arguments": {"x": "1"}},
        call(y="1"),
    ],
)
def test_other_values_stay(value: Any) -> None:
    before = json.dumps(value)
    assert json.dumps(cast_arguments(value, {"f": {"x": ("integer",)}})) == before


def test_deep_lists_of_calls_need_no_recursion() -> None:
    value: Any = call(x="1")
    for _ in range(100_000):
        value = [value]
    types: ToolTypes = {"f": {"x": ("integer",)}}
    value = cast_arguments(value, types)
    for _ in range(100_000):
        (value,) = value
    assert value == call(x=1)


def test_what_goes_wrong_is_one_class_with_its_cause() -> None:
    with pytest.raises(ToolTypesError, match="argument types: ") as caught:
        cast("[" * 200_000, "array")
    assert isinstance(caught.value.error, RecursionError)
    assert caught.value.__cause__ is caught.value.error
    assert not isinstance(caught.value, ValueError)
    assert str(ToolTypesError(ValueError())) == "argument types: ValueError"
