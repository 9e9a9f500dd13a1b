"""The `json` content parser for JSON as Python's `json` module reads it."""

from __future__ import annotations

import json
from typing import Any

from runtime.content.excerpt import excerpt


def parse_json(body: str) -> Any:
    """The value of the JSON text; NaN and Infinity count as numbers (v1).

    Raises ValueError for other text and for an integer of more digits than the interpreter
    allows, RecursionError for lists and dicts nested too deeply.
    """
    try:
        return json.loads(body)
    except json.JSONDecodeError as error:
        raise ValueError(describe_json_error(error)) from error


def describe_json_error(error: json.JSONDecodeError) -> str:
    """What is wrong, where, and the text there; `json`'s own message has none of the text."""
    place = f"line {error.lineno}, column {error.colno} (offset {error.pos})"
    return f"not JSON: {error.msg} at {place}, near {excerpt(error.doc, error.pos)}"
