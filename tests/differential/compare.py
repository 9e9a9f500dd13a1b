"""One case: our parser, under every way of feeding it, against the reference's one-shot result."""

from __future__ import annotations

from typing import Any

from compiler import CompiledTemplate
from tests.differential.reference import ERROR_CLASSES, Outcome, error_name, merged


def streamed(
    compiled: CompiledTemplate,
    prefix: str,
    chunks: list[str],
    tools: list[dict[str, Any]] | None = None,
) -> Outcome:
    """Feed the chunks and finalize; events include those of the prefix."""
    try:
        parser = compiled.Parser(prefix, tools)
        events = list(parser.initial_events)
        for chunk in chunks:
            events += parser.feed(chunk)
        message, last = parser.finalize()
    except ERROR_CLASSES as error:
        return Outcome(error=_checked(error))
    return Outcome(message, merged(events + last))


def resumed(compiled: CompiledTemplate, prefix: str, chunks: list[str]) -> Outcome:
    """The same, but every chunk is fed to a parser restored from the saved state."""
    try:
        parser = compiled.Parser(prefix)
        events = list(parser.initial_events)
        for chunk in chunks:
            parser = compiled.Parser.from_state(parser.state())
            events += parser.feed(chunk)
        message, last = compiled.Parser.from_state(parser.state()).finalize()
    except ERROR_CLASSES as error:
        return Outcome(error=_checked(error))
    return Outcome(message, merged(events + last))


def whole(
    compiled: CompiledTemplate,
    prefix: str,
    text: str,
    tools: list[dict[str, Any]] | None = None,
) -> Outcome:
    """Parse in one pass; no events."""
    try:
        return Outcome(compiled.parse(text, prefix=prefix, tools=tools))
    except ERROR_CLASSES as error:
        return Outcome(error=_checked(error))


def _checked(error: Exception) -> str:
    assert type(error).__name__.startswith("Parse"), f"not a ParseError: {error!r}"
    return error_name(error)
