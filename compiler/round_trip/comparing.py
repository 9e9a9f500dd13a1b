"""When two messages are one: what a message says, not how it is spelt."""

from __future__ import annotations

import json
from typing import Any

from compiler.round_trip.shapes import Message

TEXTS = ("content", "reasoning_content")

_REASONING_NAMES = ("reasoning_content", "thinking", "reasoning")  # as response templates call it
_MAY_BE_EMPTY = (*TEXTS, "tool_calls")  # empty or absent is the same


def same(found: Message, expected: Message) -> bool:
    """Whether the message that came back is the one expected; all values as JSON, types included.

    Reasoning may go by any of its names, an empty field is no field, and the id of a call counts
    only where both have one: most models write none, and some chat templates number the calls.
    """
    one, other = alike(found, expected)
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def alike(found: Message, expected: Message) -> tuple[Message, Message]:
    """Both messages without what makes no difference."""
    found, expected = _plain(found), _plain(expected)
    return _with_ids_as_in(expected, found), _with_ids_as_in(found, expected)


def trimmed(found: Message, expected: Message) -> bool:
    """Whether the message came back, but for white space around its texts."""
    found, expected = alike(found, expected)
    return all(found.get(name, "") in expected.get(name, "") for name in TEXTS) and same(
        _without_outer_space(found), _without_outer_space(expected)
    )


def _without_outer_space(message: Message) -> Message:
    return {**message, **{name: message[name].strip() for name in TEXTS if name in message}}


def _plain(message: Message) -> Message:
    reasoning = next((name for name in _REASONING_NAMES if name in message), None)
    renamed = {TEXTS[1] if name == reasoning else name: message[name] for name in message}
    return {
        name: value
        for name, value in renamed.items()
        if name not in _MAY_BE_EMPTY or value not in ("", None, [])
    }


def _with_ids_as_in(other: Message, message: Message) -> Message:
    """The message; calls lose their ids where those of the other one have none."""
    calls, others = message.get("tool_calls"), other.get("tool_calls")
    if not isinstance(calls, list):
        return message
    has_id = [isinstance(call, dict) and "id" in call for call in others or ()]
    has_id += [False] * len(calls)
    kept = [
        call if with_id else _without_id(call) for call, with_id in zip(calls, has_id, strict=False)
    ]
    return {**message, "tool_calls": kept}


def _without_id(call: Any) -> Any:
    if not isinstance(call, dict):
        return call
    return {name: value for name, value in call.items() if name != "id"}
