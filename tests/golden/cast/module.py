r"""Parser of the responses of cast.

between_regions  --  <call (?P<name>\w+)>  ->  in_calls
between_regions  --  <json>                ->  in_typed_calls
in_calls         --  </call>               ->  between_regions
in_typed_calls   --  </json>               ->  between_regions
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from runtime.anchor import after_last_literal
from runtime.api import parse_all, parse_one, require_api
from runtime.content.json_text import parse_strict_json
from runtime.content.kv_lines import parse_kv_lines
from runtime.dialect_tools import cast_texts
from runtime.events import Event, Message
from runtime.parser import StreamParser
from runtime.regions import Region
from runtime.scan import wait_until
from runtime.stream import FAILURES, State, Unfinished, finished_message, groups_of
from runtime.tools import ToolTypes
from runtime.transform import Scope, require_call
from runtime.unicode_classes import WORD
from runtime.watch import Watch

require_api(1)

__all__ = ["Parser", "parse", "parse_batch", "parse_result"]

NO_REGION = Region(None)
CALLS = Region("calls", dirty=True)
TYPED_CALLS = Region("typed_calls", dirty=True)

# /fields/calls/open_pattern: <call (?P<name>\w+)>
CALLS_OPEN_GROUPS = re.compile(rf"<call (?P<name>[{WORD}]+)>", re.DOTALL)

# A streaming pattern also matches the beginning of a delimiter where the text so far ends (`\Z`):
# that is held back. The group that a match ends with tells which delimiter is complete.

# What between_regions watches: <call (?P<name>\w+)>, <json>
BETWEEN_REGIONS = Watch(
    "<",
    streaming=(
        rf"<call (?:[{WORD}]+(?:(?P<CALLS_OPEN_WAIT>\Z)|>(?P<CALLS_OPEN>))|\Z)"
        r"|<(?:c(?:a(?:ll?)?)?)?\Z"
        r"|<json>(?P<TYPED_CALLS_OPEN>)"
        r"|<(?:j(?:s(?:on?)?)?)?\Z"
    ),
    final=(rf"(?:<call [{WORD}]+>)(?P<CALLS_OPEN>)" r"|<json>(?P<TYPED_CALLS_OPEN>)"),
    waits={
        "CALLS_OPEN_WAIT": wait_until(rf"[^{WORD}]"),
    },
)

# What in_calls watches: </call>
IN_CALLS = Watch(
    "<",
    streaming=(r"</call>(?P<CALLS_CLOSE>)" r"|<(?:/(?:c(?:a(?:ll?)?)?)?)?\Z"),
    final=(r"</call>(?P<CALLS_CLOSE>)"),
)

# What in_typed_calls watches: </json>
IN_TYPED_CALLS = Watch(
    "<",
    streaming=(r"</json>(?P<TYPED_CALLS_CLOSE>)" r"|<(?:/(?:j(?:s(?:on?)?)?)?)?\Z"),
    final=(r"</json>(?P<TYPED_CALLS_CLOSE>)"),
)


class Parser(StreamParser):
    __doc__ = StreamParser.__doc__
    __slots__ = ()

    TEMPLATE = "sha256:01fbb19a5316eb2e81c71068888ce2c0"

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
        if found == "CALLS_OPEN":
            self.open(CALLS)
            self.capture(CALLS_OPEN_GROUPS)
            return self.in_calls
        if found == "TYPED_CALLS_OPEN":
            self.open(TYPED_CALLS)
            return self.in_typed_calls
        return None

    def in_calls(self) -> State | None:
        # /fields/calls: to its closer.
        found = self.seek(IN_CALLS)
        if found is None:
            return None
        self.close_calls()
        self.between(NO_REGION)
        return self.between_regions

    def in_typed_calls(self) -> State | None:
        # /fields/typed_calls: to its closer.
        found = self.seek(IN_TYPED_CALLS)
        if found is None:
            return None
        self.close_typed_calls()
        self.between(NO_REGION)
        return self.between_regions

    def close_calls(self) -> None:
        # /fields/calls: kv-lines, transform, repeats.
        try:
            content = parse_kv_lines(self.closed_body())
            value = {"function": {"name": self.captures["name"], "arguments": content}}
            require_call(value)
            self.message.setdefault("calls", []).append(value)
        except FAILURES as error:
            self.malformed(error)
        else:
            self.close(value)

    def close_typed_calls(self) -> None:
        # /fields/typed_calls: json, repeats.
        try:
            value = parse_strict_json(self.whole_body())
            if self.tools:
                value = cast_texts(value, self.tools)
            self.message.setdefault("typed_calls", []).append(value)
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
        opened = start
        position = found.end()
        if found.lastgroup == "CALLS_OPEN":
            captures = Scope()
            captures.update(groups_of(CALLS_OPEN_GROUPS.match(text, opened)))
            found = IN_CALLS.final(text, position)
            start, end = found.span() if found else (len(text), len(text))
            if not found:
                raise Unfinished("calls")
            content = parse_kv_lines(text[position:start])
            value = {"function": {"name": captures["name"], "arguments": content}}
            require_call(value)
            message.setdefault("calls", []).append(value)
            position = end
            continue
        if found.lastgroup == "TYPED_CALLS_OPEN":
            found = IN_TYPED_CALLS.final(text, position)
            start, end = found.span() if found else (len(text), len(text))
            value = parse_strict_json(text[position:start])
            if tools:
                value = cast_texts(value, tools)
            message.setdefault("typed_calls", []).append(value)
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
