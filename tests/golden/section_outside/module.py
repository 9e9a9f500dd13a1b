r"""Parser of the responses of section_outside.

in_content        --  <calls>   ->  in_calls_section
in_calls_section  --  </calls>  ->  in_content
in_calls_section  --  <call>    ->  in_calls
in_calls          --  </call>   ->  in_calls_section
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from runtime.anchor import after_last_literal
from runtime.api import parse_all, parse_one, require_api
from runtime.events import Event, Message
from runtime.parser import StreamParser
from runtime.regions import Region
from runtime.stream import State, finished_message
from runtime.tools import ToolTypes
from runtime.unicode_classes import SPACE
from runtime.watch import Watch

require_api(1)

__all__ = ["Parser", "parse", "parse_batch", "parse_result"]

CONTENT = Region("content")
SECTION_TEXT = Region(None, dirty=True)
CALLS = Region("calls")

# /fields/calls/section/outside_pattern
CALLS_SECTION_OUTSIDE = re.compile(rf"[{SPACE},]*", re.DOTALL)

# A streaming pattern also matches the beginning of a delimiter where the text so far ends (`\Z`):
# that is held back. The group that a match ends with tells which delimiter is complete.

# What in_content watches: <calls>
IN_CONTENT = Watch(
    "<",
    streaming=(r"<calls>(?P<CALLS_SECTION_OPEN>)" r"|<(?:c(?:a(?:l(?:ls?)?)?)?)?\Z"),
    final=(r"<calls>(?P<CALLS_SECTION_OPEN>)"),
)

# What in_calls_section watches: </calls>, <call>
IN_CALLS_SECTION = Watch(
    "<",
    streaming=(
        r"</calls>(?P<CALLS_SECTION_CLOSE>)"
        r"|<(?:/(?:c(?:a(?:l(?:ls?)?)?)?)?)?\Z"
        r"|<call>(?P<CALLS_OPEN>)"
        r"|<(?:c(?:a(?:ll?)?)?)?\Z"
    ),
    final=(r"</calls>(?P<CALLS_SECTION_CLOSE>)" r"|<call>(?P<CALLS_OPEN>)"),
)

# What in_calls watches: </call>
IN_CALLS = Watch(
    "<",
    streaming=(r"</call>(?P<CALLS_CLOSE>)" r"|<(?:/(?:c(?:a(?:ll?)?)?)?)?\Z"),
    final=(r"</call>(?P<CALLS_CLOSE>)"),
)


class Parser(StreamParser):
    __doc__ = StreamParser.__doc__
    __slots__ = ()

    TEMPLATE = "sha256:a0fcf14fc0954b8d53cc390046bb741f"
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
        if found == "CALLS_SECTION_OPEN":
            self.between(SECTION_TEXT)
            return self.in_calls_section
        return None

    def in_calls_section(self) -> State | None:
        # /fields/calls/section: the text between its regions.
        found = self.seek(IN_CALLS_SECTION)
        if found is None:
            return None
        self.check_outside(CALLS_SECTION_OUTSIDE, "calls")
        if found == "CALLS_OPEN":
            self.open(CALLS)
            return self.in_calls
        self.between(CONTENT)
        return self.in_content

    def in_calls(self) -> State | None:
        # /fields/calls: to its closer.
        found = self.seek(IN_CALLS)
        if found is None:
            return None
        self.close_calls()
        self.between(SECTION_TEXT)
        return self.in_calls_section

    def close_calls(self) -> None:
        # /fields/calls: text, repeats.
        value = self.body()
        self.message.setdefault("calls", []).append(value)
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
        position = found.end()
        if found.lastgroup == "CALLS_SECTION_OPEN":
            while True:
                found = IN_CALLS_SECTION.final(text, position)
                start = found.start() if found else len(text)
                if start > position and not CALLS_SECTION_OUTSIDE.fullmatch(text, position, start):
                    raise ValueError("text in a section, outside of its regions")
                if not found:
                    position = len(text)
                    break
                position = found.end()
                if found.lastgroup == "CALLS_OPEN":
                    found = IN_CALLS.final(text, position)
                    start, end = found.span() if found else (len(text), len(text))
                    value = text[position:start]
                    message.setdefault("calls", []).append(value)
                    position = end
                    continue
                break
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
