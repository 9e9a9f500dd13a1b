r"""Parser of the responses of self_closing.

in_content  --  <call (?P<name>\w+)/>  ->  in_content
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from runtime.anchor import after_last_literal
from runtime.api import parse_all, parse_one, require_api
from runtime.dialect_tools import cast_texts
from runtime.events import Event, Message
from runtime.parser import StreamParser
from runtime.regions import Region
from runtime.scan import wait_until
from runtime.stream import FAILURES, State, finished_message, groups_of
from runtime.tools import ToolTypes
from runtime.transform import Scope
from runtime.unicode_classes import WORD
from runtime.watch import Watch

require_api(1)

__all__ = ["Parser", "parse", "parse_batch", "parse_result"]

CONTENT = Region("content")
TOOL_CALLS = Region("tool_calls")

# /fields/tool_calls/open_pattern: <call (?P<name>\w+)/>
TOOL_CALLS_OPEN_GROUPS = re.compile(rf"<call (?P<name>[{WORD}]+)/>", re.DOTALL)

# A streaming pattern also matches the beginning of a delimiter where the text so far ends (`\Z`):
# that is held back. The group that a match ends with tells which delimiter is complete.

# What in_content watches: <call (?P<name>\w+)/>
IN_CONTENT = Watch(
    "<",
    streaming=(
        rf"<call (?:[{WORD}]+(?:(?P<TOOL_CALLS_OPEN_WAIT>\Z)|/>(?P<TOOL_CALLS_OPEN>)|/\Z)|\Z)"
        r"|<(?:c(?:a(?:ll?)?)?)?\Z"
    ),
    final=(rf"(?:<call [{WORD}]+/>)(?P<TOOL_CALLS_OPEN>)"),
    waits={
        "TOOL_CALLS_OPEN_WAIT": wait_until(rf"[^{WORD}]"),
    },
)


class Parser(StreamParser):
    __doc__ = StreamParser.__doc__
    __slots__ = ()

    TEMPLATE = "sha256:9523879477d1c67b15a310c9f406fce1"
    JOINED = {"content": ""}

    def defaults(self) -> Message:
        return {}

    @staticmethod
    def after_anchor(prefix: str) -> str:
        return after_last_literal(prefix, "<|assistant|>")

    def start(self) -> State:
        self.between(CONTENT)
        return self.in_content

    def in_content(self) -> State | None:
        # /fields/content: the text between the other regions.
        found = self.seek(IN_CONTENT)
        if found is None:
            return None
        self.close_content()
        if found == "TOOL_CALLS_OPEN":
            self.open(TOOL_CALLS)
            self.capture(TOOL_CALLS_OPEN_GROUPS)
            self.close_tool_calls()
            self.between(CONTENT)
            return self.in_content
        return None

    def close_tool_calls(self) -> None:
        # /fields/tool_calls: text, transform, repeats.
        try:
            value = {"name": self.captures["name"], "arguments": {}}
            if self.tools:
                value = cast_texts(value, self.tools)
            self.message.setdefault("tool_calls", []).append(value)
        except FAILURES as error:
            self.malformed(error)
        else:
            self.close(value)

    def close_content(self) -> None:
        # /fields/content: text, joined with ''.
        if not self.is_open:
            return
        value = self.body()
        self.message.setdefault("content", []).append(value)
        self.close(value)


def one_pass(text: str, tools: ToolTypes) -> Message:
    """The message of a complete text; whatever fails here is left to `Parser`."""
    message: Message = {}
    value: Any
    position = 0
    while True:
        found = IN_CONTENT.final(text, position)
        start = found.start() if found else len(text)
        if start > position:
            value = text[position:start]
            message.setdefault("content", []).append(value)
        if not found:
            break
        opened = start
        position = found.end()
        if found.lastgroup == "TOOL_CALLS_OPEN":
            captures = Scope()
            captures.update(groups_of(TOOL_CALLS_OPEN_GROUPS.match(text, opened)))
            value = {"name": captures["name"], "arguments": {}}
            if tools:
                value = cast_texts(value, tools)
            message.setdefault("tool_calls", []).append(value)
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
