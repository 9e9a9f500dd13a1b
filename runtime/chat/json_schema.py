"""Makes the JSON schema of a Python function, as chat templates and models know tools.

The types come from the function's hints, all words from its docstring:

    def weather(city: str, days: int = 1) -> str:
        '''Tells the weather.

        Args:
            city: Where.
            days: How far ahead.
        '''

    {"type": "function", "function": {
        "name": "weather",
        "description": "Tells the weather.",
        "parameters": {
            "type": "object",
            "properties": {
                "city": {"type": "string", "description": "Where."},
                "days": {"type": "integer", "description": "How far ahead."},
            },
            "required": ["city"],
        },
        "return": {"type": "string"},
    }}
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from inspect import Parameter, getdoc, signature
from typing import Any, get_type_hints

from runtime.chat.docstrings import read_docstring
from runtime.chat.type_hints import TypeHintParsingException, schema_of_hint


class DocstringParsingException(Exception):
    """A function has no docstring, or its docstring leaves an argument out."""


def get_json_schema(function: Callable[..., Any]) -> dict[str, Any]:
    """The tool schema of a function or method, equal to that of transformers 5.24.0.

    Every argument needs a type hint, and a line in the docstring's `Args:`. Such a line may end in
    `(choices: ["a", "b"])`, which becomes the argument's `enum`. An untyped first argument `self`
    or `cls` is left out, and so is a return hint that has no schema.

    Raises DocstringParsingException, TypeHintParsingException, json.JSONDecodeError for choices
    that are no JSON, and NameError for a hint in quotes that names nothing.
    """
    name = getattr(function, "__name__", "operation")
    text = getdoc(function)
    if not text:
        raise DocstringParsingException(
            f"Cannot generate JSON schema for {name} because it has no docstring!"
        )
    docs = read_docstring(text.strip())
    hints = get_type_hints(function)
    required = _required_arguments(function, name)
    schemas = {key: schema_of_hint(hint) for key, hint in hints.items() if key != "return"}
    returned = _schema_of_return(hints)
    for argument, schema in schemas.items():
        if argument not in docs.arguments:
            raise DocstringParsingException(
                f"Cannot generate JSON schema for {name} because the docstring has no description "
                f"for the argument '{argument}'"
            )
        schema.update(_argument_text(docs.arguments[argument]))
    parameters: dict[str, Any] = {"type": "object", "properties": schemas}
    if required:
        parameters["required"] = required
    tool = {"name": name, "description": docs.description, "parameters": parameters}
    if returned is not None:
        if docs.returns is not None:
            returned["description"] = docs.returns
        tool["return"] = returned
    return {"type": "function", "function": tool}


def _required_arguments(function: Callable[..., Any], name: str) -> list[str]:
    """The arguments without a default. Raises TypeHintParsingException for one without a hint."""
    arguments = list(signature(function).parameters.values())
    if arguments and arguments[0].name in ("self", "cls") and _is_untyped(arguments[0]):
        del arguments[0]
    for argument in arguments:
        if _is_untyped(argument):
            raise TypeHintParsingException(
                f"Argument {argument.name} is missing a type hint in function {name}"
            )
    return [argument.name for argument in arguments if argument.default is Parameter.empty]


def _is_untyped(argument: Parameter) -> bool:
    return argument.annotation is Parameter.empty


def _schema_of_return(hints: Mapping[str, Any]) -> dict[str, Any] | None:
    """None also for a hint without a schema: no model writes what a tool returns."""
    if "return" in hints:
        with suppress(TypeHintParsingException):
            return schema_of_hint(hints["return"])
    return None


def _argument_text(text: str) -> dict[str, Any]:
    """The `enum`, if the text ends in choices, and the `description`."""
    choices = re.search(r"\(choices:\s*(.*)\)\Z", text, re.IGNORECASE)
    if not choices:
        return {"description": text}
    values = json.loads(choices[1])
    return {
        "enum": [value.strip() if isinstance(value, str) else value for value in values],
        "description": text[: choices.start()].strip(),
    }
