r"""Parser of the responses of json_unquoted_keys.

between_regions  --  <args>   ->  in_args
in_args          --  </args>  ->  between_regions
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.anchor import after_last_literal
from runtime.api import parse_all, parse_one, require_api
from runtime.content.json_dialect import parse_json_dialect
from runtime.events import Event, Message
from runtime.parser import StreamParser
from runtime.regions import Region
from runtime.stream import FAILURES, State, finished_message
from runtime.tools import ToolTypes, cast_arguments
from runtime.watch import Watch

require_api(1)

__all__ = ["Parser", "parse", "parse_batch", "parse_result"]

NO_REGION = Region(None)
ARGS = Region("args", dirty=True)

# A streaming pattern also matches the beginning of a delimiter where the text so far ends (`\Z`):
# that is held back. The group that a match ends with tells which delimiter is complete.

# What between_regions watches: <args>
BETWEEN_REGIONS = Watch(
    "<",
    streaming=(r"<args>(?P<ARGS_OPEN>)" r"|<(?:a(?:r(?:gs?)?)?)?\Z"),
    final=(r"<args>(?P<ARGS_OPEN>)"),
)

# What in_args watches: </args>
IN_ARGS = Watch(
    "<",
    streaming=(r"</args>(?P<ARGS_CLOSE>)" r"|<(?:/(?:a(?:r(?:gs?)?)?)?)?\Z"),
    final=(r"</args>(?P<ARGS_CLOSE>)"),
)


class Parser(StreamParser):
    __doc__ = StreamParser.__doc__
    __slots__ = ()

    TEMPLATE = "sha256:29a19b56c3df4c760f764e8192aaf365"

    def defaults(self) -> Message:
        return {}

    @staticmethod
    def after_anchor(prefix: str) -> str:
        return after_last_literal(prefix, "<|assistant|>")

    def start(self) -> State:
        self.between(NO_REGION)
        return self.between_regions

    def between_regions(self) -> State | None:
        # No field takes the text between regions: it is dropped.
        found = self.seek(BETWEEN_REGIONS)
        if found is None:
            return None
        if found == "ARGS_OPEN":
            self.open(ARGS)
            return self.in_args
        return None

    def in_args(self) -> State | None:
        # /fields/args: to its closer.
        found = self.seek(IN_ARGS)
        if found is None:
            return None
        self.close_args()
        self.between(NO_REGION)
        return self.between_regions

    def close_args(self) -> None:
        # /fields/args: json, the last one counts.
        try:
            value = parse_json_dialect(self.whole_body(), unquoted_keys=True)
            if self.tools:
                value = cast_arguments(value, self.tools)
            self.message["args"] = value
        except FAILURES as error:
            self.malformed(error)
        else:
            self.close(value)


def one_pass(text: str, tools: ToolTypes) -> Message:
    """The message of a complete text; whatever fails here is left to `Parser`."""
    message: Message = {}
    value: Any
    position = 0
    while True:
        found = BETWEEN_REGIONS.final(text, position)
        start = found.start() if found else len(text)
        if not found:
            break
        position = found.end()
        if found.lastgroup == "ARGS_OPEN":
            found = IN_ARGS.final(text, position)
            start, end = found.span() if found else (len(text), len(text))
            value = parse_json_dialect(text[position:start], unquoted_keys=True)
            if tools:
                value = cast_arguments(value, tools)
            message["args"] = value
            position = end
            continue
    return finished_message(message, Parser)


def parse(
    text: str,
    *,
    prefix: str | None = None,
    tools: Sequence[Any] | None = None,
    on_error: str = "raise",
    finish_reason: str | None = None,
) -> Message:
    """Parse one complete response; `prefix` is the prompt it continues ("" if none)."""
    return parse_one(Parser, one_pass, text, prefix, tools, on_error, finish_reason)[0]


def parse_result(
    text: str,
    *,
    prefix: str | None = None,
    tools: Sequence[Any] | None = None,
    on_error: str = "raise",
    finish_reason: str | None = None,
) -> tuple[Message, list[Event]]:
    """Like `parse`, with the failures that `on_error="keep"` kept."""
    return parse_one(Parser, one_pass, text, prefix, tools, on_error, finish_reason)


def parse_batch(
    texts: Sequence[str],
    *,
    prefixes: str | Sequence[str] | None = None,
    tools: Sequence[Any] | None = None,
    on_error: str = "raise",
    finish_reasons: str | Sequence[str | None] | None = None,
) -> list[Message]:
    """Parse complete responses, in order; one prefix or finish reason serves all."""
    results = parse_all(Parser, one_pass, texts, prefixes, tools, on_error, finish_reasons)
    return [message for message, _ in results]
