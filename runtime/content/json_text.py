"""The `json` content parser for JSON as Python's `json` module reads it."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from runtime.content.excerpt import excerpt


def parse_json(body: str | None) -> Any:
    """The value of the JSON text; NaN and Infinity count as numbers (v1).

    Raises ValueError for other text and for an integer of more digits than the interpreter
    allows, RecursionError for lists and dicts nested too deeply.
    """
    if not isinstance(body, str):
        raise TypeError("there is no text to read JSON from")
    text = body.strip(" \t\n\r")
    try:
        value, end = _json_decoder().raw_decode(text)
        return value if end == len(text) else json.loads(body)
    except json.JSONDecodeError as error:
        raise ValueError(describe_json_error(error)) from error


@cache
def _json_decoder() -> json.JSONDecoder:
    """What `json.loads` uses, without its checks on every call."""
    return json.JSONDecoder()


def describe_json_error(error: json.JSONDecodeError) -> str:
    """What is wrong, where, and the text there; `json`'s own message has none of the text."""
    place = f"line {error.lineno}, column {error.colno} (offset {error.pos})"
    what = error.msg.removesuffix(" at")
    return f"not JSON: {what} at {place}, near {excerpt(error.doc, error.pos)}"
