r"""Parser of the responses of glue.

in_content   --  (?:<think>)\n?               ->  in_thinking
in_content   --  \s*(?:<call>)                ->  in_calls
in_thinking  --  \n?(?:</think>)(?:\n\n|\n?)  ->  in_content
in_calls     --  (?:</call>)\s*               ->  in_content
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.anchor import after_last_literal
from runtime.api import parse_all, parse_one, require_api
from runtime.events import Event, Message
from runtime.parser import StreamParser
from runtime.regions import Region
from runtime.scan import Space, wait_until
from runtime.stream import State, finished_message
from runtime.tools import ToolTypes
from runtime.unicode_classes import SPACE
from runtime.watch import Watch

require_api(1)

__all__ = ["Parser", "parse", "parse_batch", "parse_result"]

CONTENT = Region("content")
THINKING = Region("thinking")
CALLS = Region("calls")

# A streaming pattern also matches the beginning of a delimiter where the text so far ends (`\Z`):
# that is held back. The group that a match ends with tells which delimiter is complete.

# What in_content watches: (?:<think>)\n?, \s*(?:<call>)
IN_CONTENT = Watch(
    "<",
    streaming=(r"<think>\n?(?:\Z|(?P<THINKING_OPEN>))" r"|<(?:t(?:h(?:i(?:nk?)?)?)?)?\Z"),
    final=(r"(?:<think>\n?)(?P<THINKING_OPEN>)"),
    spaced_streaming=(r"<call>(?P<CALLS_OPEN>)" r"|<(?:c(?:a(?:ll?)?)?)?\Z"),
    spaced_final=(r"<call>(?P<CALLS_OPEN>)"),
)

# What in_thinking watches: \n?(?:</think>)(?:\n\n|\n?)
IN_THINKING = Watch(
    "<",
    spaced_streaming=(
        r"</think>(?:\n\n(?P<THINKING_CLOSE>)|\n?\Z|\n?(?:\Z|(?P<THINKING_CLOSE__2>)))"
        r"|<(?:/(?:t(?:h(?:i(?:nk?)?)?)?)?)?\Z"
    ),
    spaced_final=(r"(?:</think>(?:\n\n|\n?))(?P<THINKING_CLOSE>)"),
    space=Space("\n", most=1),
    aliases={
        "THINKING_CLOSE__2": "THINKING_CLOSE",
    },
)

# What in_calls watches: (?:</call>)\s*
IN_CALLS = Watch(
    "<",
    streaming=(
        rf"</call>[{SPACE}]*(?:(?P<CALLS_CLOSE_WAIT>\Z)|(?P<CALLS_CLOSE>))"
        r"|<(?:/(?:c(?:a(?:ll?)?)?)?)?\Z"
    ),
    final=(rf"(?:</call>[{SPACE}]*)(?P<CALLS_CLOSE>)"),
    waits={
        "CALLS_CLOSE_WAIT": wait_until(rf"[^{SPACE}]"),
    },
)


class Parser(StreamParser):
    __doc__ = StreamParser.__doc__
    __slots__ = ()

    TEMPLATE = "sha256:3554190123071331d33f667f62d8d598"
    JOINED = {"thinking": "", "content": ""}

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
        if found == "THINKING_OPEN":
            self.open(THINKING)
            return self.in_thinking
        if found == "CALLS_OPEN":
            self.open(CALLS)
            return self.in_calls
        return None

    def in_thinking(self) -> State | None:
        # /fields/thinking: to its closer.
        found = self.seek(IN_THINKING)
        if found is None:
            return None
        self.close_thinking()
        self.between(CONTENT)
        return self.in_content

    def in_calls(self) -> State | None:
        # /fields/calls: to its closer.
        found = self.seek(IN_CALLS)
        if found is None:
            return None
        self.close_calls()
        self.between(CONTENT)
        return self.in_content

    def close_thinking(self) -> None:
        # /fields/thinking: text, joined with ''.
        value = self.body()
        self.message.setdefault("thinking", []).append(value)
        self.close(value)

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
        found = IN_CONTENT.first(text, position)
        start = found[1] if found else len(text)
        if start > position:
            value = text[position:start]
            message.setdefault("content", []).append(value)
        if not found:
            break
        position = found[2]
        if found[0] == "THINKING_OPEN":
            found = IN_THINKING.first(text, position)
            start, end = found[1:3] if found else (len(text), len(text))
            value = text[position:start]
            message.setdefault("thinking", []).append(value)
            position = end
            continue
        if found[0] == "CALLS_OPEN":
            found = IN_CALLS.final(text, position)
            start, end = found.span() if found else (len(text), len(text))
            value = text[position:start]
            message.setdefault("calls", []).append(value)
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
