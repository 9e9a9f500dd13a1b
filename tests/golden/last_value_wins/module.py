r"""Parser of the responses of last_value_wins.

between_regions  --  <think>   ->  in_thoughts
in_thoughts      --  </think>  ->  between_regions
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.anchor import after_last_literal
from runtime.api import parse_all, parse_one, require_api
from runtime.events import Event, Message
from runtime.parser import StreamParser
from runtime.regions import Region
from runtime.stream import State, finished_message
from runtime.tools import ToolTypes
from runtime.watch import Watch

require_api(1)

__all__ = ["Parser", "parse", "parse_batch", "parse_result"]

NO_REGION = Region(None)
THOUGHTS = Region("thoughts")

# A streaming pattern also matches the beginning of a delimiter where the text so far ends (`\Z`):
# that is held back. The group that a match ends with tells which delimiter is complete.

# What between_regions watches: <think>
BETWEEN_REGIONS = Watch(
    "<",
    streaming=(r"<think>(?P<THOUGHTS_OPEN>)" r"|<(?:t(?:h(?:i(?:nk?)?)?)?)?\Z"),
    final=(r"<think>(?P<THOUGHTS_OPEN>)"),
)

# What in_thoughts watches: </think>
IN_THOUGHTS = Watch(
    "<",
    streaming=(r"</think>(?P<THOUGHTS_CLOSE>)" r"|<(?:/(?:t(?:h(?:i(?:nk?)?)?)?)?)?\Z"),
    final=(r"</think>(?P<THOUGHTS_CLOSE>)"),
)


class Parser(StreamParser):
    __doc__ = StreamParser.__doc__
    __slots__ = ()

    TEMPLATE = "sha256:0218bd1196b06418f553c3083aeecfa8"

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
        if found == "THOUGHTS_OPEN":
            self.open(THOUGHTS)
            return self.in_thoughts
        return None

    def in_thoughts(self) -> State | None:
        # /fields/thoughts: to its closer.
        found = self.seek(IN_THOUGHTS)
        if found is None:
            return None
        self.close_thoughts()
        self.between(NO_REGION)
        return self.between_regions

    def close_thoughts(self) -> None:
        # /fields/thoughts: text, the last one counts.
        value = self.body().strip()
        self.message["thoughts"] = value
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
        if found.lastgroup == "THOUGHTS_OPEN":
            found = IN_THOUGHTS.final(text, position)
            start, end = found.span() if found else (len(text), len(text))
            value = text[position:start].strip()
            message["thoughts"] = value
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
