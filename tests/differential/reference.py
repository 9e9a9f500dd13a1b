"""The reference's one-shot result, as plain data that two implementations can be compared by."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from transformers.utils.chat_parsing import ResponseParser
from transformers.utils.chat_parsing.response_templates import (
    ResponseTemplate,
    load_response_template,
)

for _name in ("transformers", "chatc"):  # both tell of anchors that a short text lacks
    logging.getLogger(_name).setLevel(logging.ERROR)

# The classes that a caller may catch: what an outcome records of an error.
ERROR_CLASSES = (KeyError, TypeError, AttributeError, RecursionError, ValueError)


@dataclass(frozen=True)
class Outcome:
    """A message with its events (adjacent chunks merged), or the class of the error raised."""

    message: Any = None
    events: tuple[Any, ...] = ()
    error: str | None = None


class Stalled(Exception):
    """The reference lost text or would never end on this input (docs/differences.md)."""


class _Bounded(ResponseParser):
    """The reference, stopped where it would open and close regions of no text for ever."""

    _left = 100_000

    def _reset_to_implicit(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise Stalled
        super()._reset_to_implicit()

    def _process(self, events: list[dict[str, Any]], eos: bool) -> None:
        super()._process(events, eos)
        if eos and self._pos < len(self._buffer):
            raise Stalled


def load_reference(spec: dict[str, Any]) -> ResponseTemplate:
    """The reference's own loaded template; raises ValueError where it refuses the spec."""
    return load_response_template(spec)


def reference_outcome(
    template: ResponseTemplate, text: str, tools: list[dict[str, Any]] | None = None
) -> Outcome:
    """What the reference makes of a whole text; raises Stalled where it makes nothing of it."""
    parser = _Bounded(template, prefix="", tools=tools)
    parser._left = 4 * len(text) + 100
    try:
        events = parser.feed(text)
        message, last = parser.finalize()
    except ERROR_CLASSES as error:
        return Outcome(error=error_name(error))
    return Outcome(message, merged(events + last))


def error_name(error: Exception) -> str:
    """The first class of ERROR_CLASSES that the error is an instance of."""
    return next(known.__name__ for known in ERROR_CLASSES if isinstance(error, known))


def merged(events: list[dict[str, Any]]) -> tuple[Any, ...]:
    """Events with adjacent chunks joined: what does not depend on where the text was cut."""
    result: list[dict[str, Any]] = []
    for event in events:
        last = result[-1] if result else None
        if last and event["type"] == last["type"] == "region_chunk":
            assert event["field"] == last["field"]
            assert event["dirty"] == last["dirty"]
            result[-1] = {**last, "text": last["text"] + event["text"]}
        else:
            result.append(event)
    return tuple(result)
