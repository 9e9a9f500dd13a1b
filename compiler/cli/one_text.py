"""Parsing one text: the whole message, or every event on the way to it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict

from compiler.cli.parsers import Arguments, Event, ParserModule, parse_error
from compiler.cli.reporting import Reporting
from compiler.cli.terminal import data, data_json, json_text

_UNWRITABLE = (ValueError, RecursionError)  # values that JSON text cannot be made of


def parse_text(module: ParserModule, arguments: Arguments, text: str, reporting: Reporting) -> int:
    """Print the message; return the exit code."""
    try:
        message, errors = module.parse_result(text, **asdict(arguments))
        data_json(message, indent=2)
    except parse_error() as error:
        return reporting.failed(error)
    except _UNWRITABLE as error:
        return reporting.failed(_unwritable(error))
    return reporting.kept(errors)


def stream_text(
    module: ParserModule, arguments: Arguments, text: str, chunk: str, reporting: Reporting
) -> int:
    """Print the events of the text cut into chunks, then the message; return the exit code."""
    try:
        parser = module.Parser(arguments.prefix, arguments.tools, arguments.on_error)
        _print_events(parser.initial_events)
        for piece in pieces(text, chunk):
            _print_events(parser.feed(piece))
        message, events = parser.finalize(arguments.finish_reason)
        _print_events([*events, {"type": "message", "message": message}])
    except parse_error() as error:
        _print_events(error.events)
        return reporting.failed(error)
    except _UNWRITABLE as error:
        return reporting.failed(_unwritable(error))
    return reporting.kept(parser.errors)


def pieces(text: str, chunk: str) -> Iterator[str]:
    """The text in characters ("1"), in words and single other characters ("token"), or "all"."""
    pattern = {"1": r"(?s:.)", "token": r"\w+|\W", "all": r"(?s:.+)"}[chunk]
    return (match[0] for match in re.finditer(pattern, text))


def _unwritable(error: Exception) -> ValueError:
    return ValueError(f"the message cannot be written as JSON: {error}")


def _print_events(events: list[Event]) -> None:
    data("".join(f"{json_text(event)}\n" for event in events))
