"""The JSON schema of a Python function: its description, its arguments, their types, its errors."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any, Literal

import pytest

from runtime.chat.json_schema import (
    DocstringParsingException,
    TypeHintParsingException,
    get_json_schema,
)


def weather(city: str, days: int = 1) -> list[str]:
    """Tells the weather.

    One line a day.

    Args:
        city: Where.
        days (int): How far ahead,
            at most a week.

    Returns:
        The lines.

    Raises:
        OSError: There is no network.
    """
    return [city] * days


def of(documentation: str | None, **hints: Any) -> Callable[..., None]:
    """A function `f` with this docstring and arguments of these types, `returns` apart."""
    names = [name for name in hints if name != "returns"]
    namespace: dict[str, Any] = {}
    exec(f"def f({', '.join(names)}): pass", namespace)
    made: Callable[..., None] = namespace["f"]
    made.__doc__ = documentation
    made.__annotations__ = {
        "return" if name == "returns" else name: hint for name, hint in hints.items()
    }
    return made


def function_of(documentation: str, **hints: Any) -> dict[str, Any]:
    schema = get_json_schema(of(documentation, **hints))
    assert schema["type"] == "function"
    function: dict[str, Any] = schema["function"]
    return function


def argument(line: str, hint: Any = str) -> dict[str, Any]:
    """The schema of the only argument, x, whose docstring line is `line`."""
    parameters = function_of(f"F.\n\nArgs:\n    {line}", x=hint)["parameters"]
    schema: dict[str, Any] = parameters["properties"]["x"]
    return schema


# -- the whole


def test_a_function_becomes_a_tool() -> None:
    assert get_json_schema(weather) == {
        "type": "function",
        "function": {
            "name": "weather",
            "description": "Tells the weather.\n\nOne line a day.",
            "parameters": {
                "type": "object",
                "properties": {
                    "city": {"type": "string", "description": "Where."},
                    "days": {
                        "type": "integer",
                        "description": "How far ahead, at most a week.",
                    },
                },
                "required": ["city"],
            },
            "return": {
                "type": "array",
                "items": {"type": "string"},
                "description": "The lines.",
            },
        },
    }


def test_a_schema_is_new_each_time() -> None:
    get_json_schema(weather)["function"]["parameters"]["properties"]["city"]["type"] = "image"
    properties = get_json_schema(weather)["function"]["parameters"]["properties"]
    assert properties["city"]["type"] == "string"


def test_no_argument_needs_to_be_required() -> None:
    assert function_of("F.")["parameters"] == {"type": "object", "properties": {}}


def test_keys_have_their_order() -> None:
    schema = argument('x: Which. (choices: ["a"])')
    assert list(schema) == ["type", "enum", "description"]
    function = get_json_schema(weather)["function"]
    assert list(function) == ["name", "description", "parameters", "return"]
    assert list(function["parameters"]) == ["type", "properties", "required"]


# -- arguments


class Tool:
    def bound(self, x: int) -> None:
        """F.

        Args:
            x: A number.
        """

    @classmethod
    def made(cls, x: int) -> None:
        """F.

        Args:
            x: A number.
        """


@pytest.mark.parametrize(
    "method", [Tool.bound, Tool().bound, Tool.made, vars(Tool)["made"].__func__]
)
def test_the_receiver_of_a_method_is_no_argument(method: Any) -> None:
    parameters = get_json_schema(method)["function"]["parameters"]
    assert list(parameters["properties"]) == parameters["required"] == ["x"]


def test_a_receiver_with_a_type_is_an_argument() -> None:
    assert "self" in function_of("F.\n\nArgs:\n    self: Who.", self=int)["parameters"]["required"]


def test_only_the_first_argument_is_a_receiver() -> None:
    def f(x: int, self) -> None:
        """F."""

    with pytest.raises(TypeHintParsingException, match="Argument self is missing a type"):
        get_json_schema(f)


def test_typed_stars_are_required_arguments() -> None:
    def f(*many: int, **named: str) -> None:
        """F.

        Args:
            many: Numbers.
            named: Words.
        """

    parameters = get_json_schema(f)["function"]["parameters"]
    assert parameters["required"] == ["many", "named"]
    assert parameters["properties"]["named"] == {"type": "string", "description": "Words."}


@pytest.mark.parametrize("stars", ["*x", "**x"])
def test_bare_stars_lack_a_hint(stars: str) -> None:
    namespace: dict[str, Any] = {}
    exec(f"def f({stars}): 'F.'", namespace)
    with pytest.raises(TypeHintParsingException) as caught:
        get_json_schema(namespace["f"])
    assert str(caught.value) == "Argument x is missing a type hint in function f"


def test_a_missing_docstring_is_an_error() -> None:
    for nothing in (None, "", " ", "\n"):
        with pytest.raises(DocstringParsingException) as caught:
            get_json_schema(of(nothing))
        text = "Cannot generate JSON schema for f because it has no docstring!"
        assert str(caught.value) == text


def test_a_missing_description_is_an_error() -> None:
    with pytest.raises(DocstringParsingException) as caught:
        get_json_schema(of("F.\n\nArgs:\n    y: Why.", y=int, x=int))
    assert str(caught.value) == (
        "Cannot generate JSON schema for f because the docstring has no description for the "
        "argument 'x'"
    )


def test_a_hint_in_quotes_is_looked_up() -> None:
    assert argument("x: A.", "int | None") == {
        "type": "integer",
        "nullable": True,
        "description": "A.",
    }
    with pytest.raises(NameError, match="'Nowhere' is not defined"):
        argument("x: A.", "Nowhere")


def test_annotations_of_a_hint_do_not_count() -> None:
    assert argument("x: A.", Annotated[int, "positive"]) == {
        "type": "integer",
        "description": "A.",
    }


# -- what is returned


def test_a_return_hint_without_a_schema_is_dropped() -> None:
    assert "return" not in function_of("F.\n\nReturns:\n    Bytes.", returns=bytes)
    assert "return" not in function_of("F.")


def test_what_is_returned_may_have_a_description() -> None:
    assert function_of("F.\n\nReturns:\n    One.", returns=int)["return"] == {
        "type": "integer",
        "description": "One.",
    }
    assert function_of("F.\n\nReturns: One.", returns=int)["return"] == {"type": "integer"}
    assert function_of("F.\nReturns:\nRaises:", returns=int)["return"]["description"] == ""
    assert function_of("F.", returns=type(None))["return"] == {"type": "null"}


# -- choices


@pytest.mark.parametrize(
    ("line", "values", "description"),
    [
        ('x: Which. (choices: ["a", " b "])', ["a", "b"], "Which."),
        ("x: (CHOICES:[1, null, 2.5])  ", [1, None, 2.5], ""),
        ('x: Which (choices: ["(choices: a)"])', ["(choices: a)"], "Which"),
        ('x: Which (choices:\n        ["a",\n        "b"])', ["a", "b"], "Which"),
        ('x: Which (choices: {"a": 1})', ["a"], "Which"),
    ],
)
def test_choices_become_an_enum(line: str, values: list[Any], description: str) -> None:
    assert argument(line) == {"type": "string", "enum": values, "description": description}


def test_choices_that_do_not_end_the_text_are_text() -> None:
    text = 'Which (choices: ["a"]), please.'
    assert argument(f"x: {text}") == {"type": "string", "description": text}


def test_choices_replace_those_of_the_hint() -> None:
    schema = argument('x: A. (choices: ["b"])', Literal["a"])
    assert schema == {"type": "string", "enum": ["b"], "description": "A."}


@pytest.mark.parametrize("choices", ["", "a, b", "['a']"])
def test_choices_are_json(choices: str) -> None:
    with pytest.raises(json.JSONDecodeError):
        argument(f"x: Which (choices: {choices})")
