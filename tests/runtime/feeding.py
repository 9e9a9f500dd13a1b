"""Running a parser over a text in pieces, and what came of it as data that can be compared."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from runtime.errors import ParseError, as_json


@dataclass(frozen=True)
class Outcome:
    """A run: reprs tell 1 from 1.0 and from True, and NaN equals itself."""

    message: str
    events: str  # neighbouring chunks joined
    errors: str
    raised: bool = False


def feed_all(parser: Any, chunks: Iterable[str], finish_reason: str | None = None) -> Outcome:
    """Feed the chunks and finalize; a ParseError stands in for the message."""
    events = list(parser.initial_events)
    try:
        for chunk in chunks:
            events += parser.feed(chunk)
        message, last = parser.finalize(finish_reason)
    except ParseError as error:
        return failed(error, events, parser.errors)
    return Outcome(repr(message), repr(joined([*events, *last])), repr(parser.errors))


def failed(error: ParseError, events: list[Any], errors: list[Any]) -> Outcome:
    """The outcome of a run that raised after the events."""
    joined_events = repr(joined([*events, *error.events]))
    return Outcome(repr(as_json(error)), joined_events, repr(errors), raised=True)


def stream(
    compiled: Any,
    prefix: str,
    chunks: Iterable[str],
    on_error: str = "raise",
    tools: list[Any] | None = None,
    finish_reason: str | None = None,
) -> Outcome:
    """A new parser, fed all chunks."""
    try:
        parser = compiled.Parser(prefix, tools, on_error)
    except ParseError as error:
        return failed(error, [], [])
    return feed_all(parser, chunks, finish_reason)


def whole(
    compiled: Any,
    prefix: str,
    text: str,
    on_error: str = "raise",
    tools: list[Any] | None = None,
    finish_reason: str | None = None,
) -> Outcome:
    """The same in one call, which has no events."""
    try:
        message, errors = compiled.parse_result(
            text, prefix=prefix, tools=tools, on_error=on_error, finish_reason=finish_reason
        )
    except ParseError as error:
        return Outcome(repr(as_json(error)), "", "[]", raised=True)
    return Outcome(repr(message), "", repr(errors))


def without_events(outcome: Outcome) -> Outcome:
    """The part of an outcome that a whole parse has too; if that raises, it returns no errors."""
    errors = "[]" if outcome.raised else outcome.errors
    return Outcome(outcome.message, "", errors, outcome.raised)


def joined(events: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The events with neighbouring chunks joined, so that cuts do not show."""
    result: list[dict[str, Any]] = []
    for event in events:
        last = result[-1] if result else {"type": "", "field": ""}
        if last["type"] == event["type"] == "region_chunk":
            assert last["field"] == event["field"]
            result[-1] = {**last, "text": last["text"] + event["text"]}
        else:
            result.append(event)
    return result


def cut(text: str, places: Iterable[int]) -> list[str]:
    """The text in pieces, cut at the places (any integers)."""
    inside = sorted(place % (len(text) + 1) for place in places)
    return [text[start:end] for start, end in pairwise([0, *inside, len(text)])]


def chunkings() -> st.SearchStrategy[list[int]]:
    """Places for `cut`."""
    return st.lists(st.integers(0, 400), max_size=12)


def joined_lists(pieces: Iterable[str], most: int) -> st.SearchStrategy[str]:
    """Texts made of the pieces, some of them cut short."""
    piece = st.sampled_from(list(pieces))
    short = st.tuples(piece, st.integers(0, 12)).map(lambda pair: pair[0][: pair[1]])
    return st.lists(st.one_of(piece, piece, piece, short), max_size=most).map("".join)
