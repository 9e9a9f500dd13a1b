"""The `json` content parser for JSON: as Python's `json` module has it, or strict (dialect)."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from math import isinf
from typing import Any, NoReturn

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


def parse_strict_json(body: str) -> Any:
    """The value of JSON text that every reader of JSON understands alike (dialect).

    Raises ValueError for NaN, Infinity, numbers beyond the range of a float and a key that an
    object has twice, and like `parse_json` otherwise.
    """
    text = body.strip(" \t\n\r")
    try:
        value, end = strict_json_decoder().scan_once(text, 0)
        if end == len(text):
            return value
        error = json.JSONDecodeError("Extra data", text, end)
    except StopIteration as stop:
        error = json.JSONDecodeError("Expecting value", text, stop.value)
    except json.JSONDecodeError as found:
        error = found
    raise ValueError(describe_json_error(error)) from error


@cache
def strict_json_decoder() -> Any:
    """A JSONDecoder, whose type hides `scan_once`: `raw_decode` without one more call."""
    return json.JSONDecoder(
        object_pairs_hook=_without_repeats, parse_float=finite, parse_constant=_refuse_constant
    )


def finite(text: str) -> float:
    """The number; raises ValueError for one beyond the range of a float."""
    number = float(text)
    if isinf(number):
        raise ValueError(f"not a number that a float can hold: {excerpt(text)}")
    return number


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) == len(pairs):
        return entries
    counts = Counter(key for key, _ in pairs)
    repeated = next(key for key, count in counts.items() if count > 1)
    raise ValueError(f"not JSON: an object has the key {excerpt(repeated)} twice")


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"not JSON: {name} is no number")


def describe_json_error(error: json.JSONDecodeError) -> str:
    """What is wrong, where, and the text there; `json`'s own message has none of the text."""
    place = f"line {error.lineno}, column {error.colno} (offset {error.pos})"
    what = error.msg.removesuffix(" at")
    return f"not JSON: {what} at {place}, near {excerpt(error.doc, error.pos)}"
