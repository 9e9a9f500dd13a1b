from __future__ import annotations

import json
from typing import Any

import pytest

from runtime.dialect_tools import (
    EVERY_KEY,
    NotOffered,
    cast_leaves,
    cast_texts,
    nested_argument_types,
    require_offered,
)
from runtime.tools import ToolTypesError, argument_types


def tool(**properties: Any) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties}
    return {"type": "function", "function": {"name": "f", "parameters": parameters}}


def call(**arguments: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": "f", "arguments": arguments}}


def cast(text: Any, *types: str, typed: Any = ()) -> Any:
    value = cast_texts(call(x=text), {"f": {"x": types}}, typed)
    return value["function"]["arguments"]["x"]


@pytest.mark.parametrize(
    ("text", "types", "value"),
    [
        (
            "{'theme': 'dark', 'on': True, 'base': None}",
            ["object"],
            {"theme": "dark", "on": True, "base": None},
        ),
        ('{"a": null}', ["object"], {"a": None}),
        ("['a', \"b's\"]", ["array"], ["a", "b's"]),
        ("['a']", ["object"], "['a']"),
        ("{'a': 1}", ["array"], "{'a': 1}"),
        ("{'a': oops}", ["object"], "{'a': oops}"),
        ("null", ["object", "null"], None),
        ("True", ["boolean"], True),
        ("3.0", ["integer"], 3),
        ("1e20", ["number"], 100000000000000000000),
        ("9007199254740993", ["integer"], 9007199254740993),
        (["1", "{'a': 1}"], ["integer", "object"], [1, {"a": 1}]),
        (["1"], ["array", "integer"], ["1"]),
        (7, ["boolean"], 7),
    ],
)
def test_casts_of_the_dialect(text: Any, types: list[str], value: Any) -> None:
    assert cast(text, *types) == value
    assert type(cast(text, *types)) is type(value)


def test_values_with_types_stay() -> None:
    assert cast("1", "integer", typed={"x"}) == "1"
    assert cast("1", "integer", typed={"y"}) == 1
    assert cast("1", "integer", typed=EVERY_KEY) == "1"


def test_calls_in_lists_are_cast_and_other_values_are_left_alone() -> None:
    types = {"f": {"x": ("integer",)}}
    assert cast_texts([call(x="1"), [call(x="2"), "x"], {}], types) == [
        call(x=1),
        [call(x=2), "x"],
        {},
    ]
    other = {"function": {"name": "g", "arguments": {"x": "1"}}}
    assert cast_texts(dict(other), types) == other


def test_json_nested_too_deeply_is_reported() -> None:
    with pytest.raises(ToolTypesError):
        cast("[" * 200_000, "array")


# -- what is inside arguments

SCHEMA = {
    "type": "object",
    "properties": {
        "n": {"type": "integer"},
        "a/b~": {"type": "boolean"},
        "list": {
            "type": "array",
            "items": {"type": "object", "properties": {"q": {"type": ["number", "null"]}}},
        },
        "grid": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
        "one": {"anyOf": [{"properties": {"p": {"type": "integer"}}}, {"type": "null"}]},
        "empty": {"type": "array"},
        "text": {"type": "string"},
    },
}
TOOLS = [tool(o=SCHEMA, n={"type": "integer"}, e={"type": "object"})]


def test_types_inside_arguments_have_places() -> None:
    types = nested_argument_types(TOOLS)["f"]
    assert {name: types[name] for name in argument_types(TOOLS)["f"]} == argument_types(TOOLS)["f"]
    assert types["/o/n"] == ("integer",)
    assert types["/o/a~1b~0"] == ("boolean",)
    assert types["/o/list/~/q"] == ("number", "null")
    assert types["/o/grid/~/~"] == ("integer",)
    assert types["/o/one/p"] == ("integer",)
    assert "/o/text" not in types


def test_leaves_are_cast() -> None:
    written = call(
        o={
            "n": "3",
            "a/b~": "true",
            "list": [{"q": "1.5"}, {"q": "null"}],
            "grid": [["1", "2"], ["x"]],
            "one": {"p": "4"},
            "empty": "",
            "text": "3",
            "more": "",
        },
        n=["6", "7"],
        e=" ",
        s="8",
    )
    assert cast_leaves(written, nested_argument_types(TOOLS))["function"]["arguments"] == {
        "o": {
            "n": 3,
            "a/b~": True,
            "list": [{"q": 1.5}, {"q": None}],
            "grid": [[1, 2], ["x"]],
            "one": {"p": 4},
            "empty": [],
            "text": "3",
            "more": "",
        },
        "n": [6, 7],
        "e": {},
        "s": "8",
    }


def test_leaves_with_types_stay() -> None:
    assert cast_leaves(call(n="3"), nested_argument_types(TOOLS), {"n"}) == call(n="3")


def test_a_name_that_looks_like_a_place_is_a_name() -> None:
    types = nested_argument_types([tool(o={"properties": {"~": {"type": "integer"}}})])
    assert cast_leaves(call(o=["1"]), types) == call(o=["1"])
    assert cast_leaves(call(o={"~": "1"}), types) == call(o={"~": 1})


@pytest.mark.parametrize("schema", [None, True, {"properties": 3}, {"anyOf": 5}, {"items": None}])
def test_schemas_of_any_shape(schema: Any) -> None:
    assert nested_argument_types([tool(x=schema)])["f"].keys() <= {"x", "/x"}
    assert nested_argument_types([{"name": "g", "parameters": schema}]) == {"g": {}}


def test_types_are_json() -> None:
    types = nested_argument_types(TOOLS)
    assert json.loads(json.dumps(types)) == {"f": {k: list(v) for k, v in types["f"].items()}}


# -- tools that are offered


def test_a_call_of_a_tool_given_is_good() -> None:
    types = argument_types([tool(), {"name": "g"}])
    require_offered(call(), types)
    require_offered([call(), [{"function": {"name": "g", "arguments": "x"}}], []], types)


def test_without_tools_every_call_is_good() -> None:
    require_offered(call(), {})
    require_offered({}, argument_types([]))


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ({"function": {"name": "h", "arguments": {}}}, "'h'"),
        ([call(), {"function": {"name": "h"}}], "'h'"),
        ({"function": {"name": ["f"]}}, r"\['f'\]"),
        ({"function": "f"}, "None"),
        ({"name": "f"}, "None"),
    ],
)
def test_any_other_call_is_not_offered(value: Any, name: str) -> None:
    with pytest.raises(NotOffered, match=f"no tool is named {name}"):
        require_offered(value, argument_types([tool()]))


@pytest.mark.parametrize("value", [1, "f", None, [1], [call(), [None]]])
def test_what_is_no_call_is_not_offered(value: Any) -> None:
    with pytest.raises(NotOffered, match="no call"):
        require_offered(value, argument_types([tool()]))
    require_offered(value, {})


# -- values of repeated tags, some of which have a type


@pytest.mark.parametrize(
    ("given", "typed", "types", "value"),
    [
        (["1", "2"], {("x", 0)}, ["integer"], ["1", 2]),
        (["2", "3"], {("x", 1)}, ["integer"], [2, "3"]),
        (["1", "2"], {("y", 0)}, ["integer"], [1, 2]),
        (["1", "2"], {"x"}, ["integer"], ["1", "2"]),
        (["1", "2"], {("x", 0)}, ["array", "integer"], ["1", "2"]),
        ([["1"], "2"], {("x", 0)}, ["integer"], [["1"], 2]),
    ],
)
def test_typed_values_of_a_repeated_tag_stay(
    given: Any, typed: Any, types: list[str], value: Any
) -> None:
    assert cast(list(given), *types, typed=typed) == value
    leaves = cast_leaves(call(x=list(given)), {"f": {"x": tuple(types)}}, typed)
    assert leaves == call(x=value)
