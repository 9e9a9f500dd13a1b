"""One row of a batch: a JSON object with a text becomes a JSON object with its message.

    {"id": 7, "text": "Hi", "prefix": "", "tools": null, "finish_reason": "stop"}

becomes

    {"id": 7, "message": {"role": "assistant", "content": "Hi"}, "errors": []}

or `{"id": 7, "error": {"class": ..., "message": ...}}`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from compiler.cli.parsers import Arguments, ParserModule, ParserSource, failure_as_json
from compiler.cli.terminal import json_text

Outcome = Literal["parsed", "kept", "failed"]  # kept: there is a message, and there are errors


@dataclass(frozen=True)
class Batch:
    """How every row is parsed; plain data, so that other processes can have it."""

    source: ParserSource
    arguments: Arguments  # where a row does not say otherwise
    text_keys: tuple[str, ...]  # the first that a row has counts
    prefix_keys: tuple[str, ...]


class Row(NamedTuple):
    """A row to write, how it went, and the bytes of the input that it stands for."""

    text: str
    outcome: Outcome
    size: int


class RowError(ValueError):
    """A row that does not say what to parse."""


def parse_row(module: ParserModule, batch: Batch, line: bytes) -> Row:
    """Parse one line of the input; whatever is wrong with it is told in the row."""
    row: dict[str, Any] = {}
    try:
        row = _read(line)
        message, errors = module.parse_result(_text(row, batch.text_keys), **_keywords(row, batch))
        text = json_text({**_id(row), "message": message, "errors": errors})
        return Row(text, "kept" if errors else "parsed", len(line))
    except Exception as error:  # no row may stop the others
        text = json_text({**_id(row), "error": failure_as_json(error)})
        return Row(text, "failed", len(line))


def _read(line: bytes) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RowError(f"the row is not JSON: {error}") from None
    if not isinstance(row, dict):
        raise RowError("the row is not a JSON object")
    return row


def _text(row: dict[str, Any], keys: tuple[str, ...]) -> str:
    text = _string(row, keys)
    if text is None:
        raise RowError(f"the row has no {' and no '.join(map(json.dumps, keys))}")
    return text


def _keywords(row: dict[str, Any], batch: Batch) -> dict[str, Any]:
    """What the row says besides its text, or else what all rows are given."""
    given = batch.arguments
    prefix = _string(row, batch.prefix_keys)
    tools = row.get("tools")
    if tools is not None and not isinstance(tools, list):
        raise RowError('"tools" is not an array')
    return {
        "prefix": given.prefix if prefix is None else prefix,
        "tools": given.tools if tools is None else tools,
        "on_error": given.on_error,
        "finish_reason": _string(row, ("finish_reason",)) or given.finish_reason,
    }


def _string(row: dict[str, Any], keys: tuple[str, ...]) -> str | None:
    """The value of the first key that the row has; null is as good as absent."""
    for key in keys:
        value = row.get(key)
        if value is not None:
            if not isinstance(value, str):
                raise RowError(f'"{key}" is not a string')
            return value
    return None


def _id(row: dict[str, Any]) -> dict[str, Any]:
    """The row's id, if it is a string or a number."""
    return {"id": row["id"]} if isinstance(row.get("id"), (str, int, float)) else {}
