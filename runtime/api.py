"""The handshake between generated code and this runtime, and parsing many texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.events import Event, Message
from runtime.parser import StreamParser, rest_of
from runtime.stream import FAILURES, ON_ERROR
from runtime.tools import ToolTypes

RUNTIME_API = 1

OnePass = Callable[[str, ToolTypes], Message]  # whole text -> message; raises one of FAILURES


def require_api(version: int) -> None:
    """Called by every generated module: raises ImportError unless it was made for this runtime."""
    if version != RUNTIME_API:
        old = "the generated module" if version < RUNTIME_API else "the runtime"
        raise ImportError(
            f"generated for runtime API {version}, but {__file__} has {RUNTIME_API}: {old} is "
            "older; run `make generate` with the runtime you use"
        )


def parse_one(
    parser: type[StreamParser],
    quick: OnePass | None,
    text: str,
    prefix: str | None,
    tools: Sequence[Any] | None,
    on_error: str,
    finish_reason: str | None,
) -> tuple[Message, list[Event]]:
    """The message and the kept errors of one complete text, by `quick` where it can."""
    types = parser.tool_types(tools) if tools else {}
    return _parse(parser, quick, text, prefix, types, on_error, finish_reason)


def parse_all(
    parser: type[StreamParser],
    quick: OnePass | None,
    texts: Sequence[str],
    prefixes: str | Sequence[str] | None,
    tools: Sequence[Any] | None,
    on_error: str,
    finish_reasons: str | Sequence[str | None] | None,
) -> list[tuple[Message, list[Event]]]:
    """The same for many texts, in order; one prefix or finish reason serves all."""
    types = parser.tool_types(tools)
    return [
        _parse(parser, quick, text, prefix, types, on_error, finish_reason)
        for text, prefix, finish_reason in zip(
            texts,
            one_for_each(texts, prefixes, "prefixes"),
            one_for_each(texts, finish_reasons, "finish_reasons"),
            strict=True,
        )
    ]


def _parse(
    parser: type[StreamParser],
    quick: OnePass | None,
    text: str,
    prefix: str | None,
    types: ToolTypes,
    on_error: str,
    finish_reason: str | None,
) -> tuple[Message, list[Event]]:
    rest = rest_of(prefix, parser.after_anchor)
    # The quick way makes no events and reports no failure; what it cannot do, the parser does.
    if quick and finish_reason != "length" and not parser.REQUIRED and on_error in ON_ERROR:
        try:
            return quick(rest + text, types), []
        except FAILURES:
            pass
    return parser.whole(text, rest, types, on_error, finish_reason)


def one_for_each(texts: Sequence[str], given: Any, name: str) -> Sequence[Any]:
    """A single string (or None) for every text; a sequence must be as long as the texts."""
    if given is None or isinstance(given, str):
        return [given] * len(texts)
    if len(given) != len(texts):
        raise ValueError(f"{len(given)} {name} for {len(texts)} texts")
    return list(given)
