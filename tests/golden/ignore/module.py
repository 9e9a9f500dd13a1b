r"""Parser of the responses of ignore.

in_content            --  <think>                ->  in_reasoning_content
in_content            --  <answer> or </answer>  ->  in_content
in_reasoning_content  --  </think>               ->  in_content
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

CONTENT = Region("content")
REASONING_CONTENT = Region("reasoning_content")

# A streaming pattern also matches the beginning of a delimiter where the text so far ends (`\Z`):
# that is held back. The group that a match ends with tells which delimiter is complete.

# What in_content watches: <think>, <answer> or </answer>
IN_CONTENT = Watch(
    "<",
    streaming=(
        r"<think>(?P<REASONING_CONTENT_OPEN>)"
        r"|<(?:t(?:h(?:i(?:nk?)?)?)?)?\Z"
        r"|</answer>(?P<IGNORED>)"
        r"|<(?:/(?:a(?:n(?:s(?:w(?:er?)?)?)?)?)?)?\Z"
        r"|<answer>(?P<IGNORED__2>)"
        r"|<(?:a(?:n(?:s(?:w(?:er?)?)?)?)?)?\Z"
    ),
    final=(r"<think>(?P<REASONING_CONTENT_OPEN>)" r"|(?:</answer>|<answer>)(?P<IGNORED>)"),
    aliases={
        "IGNORED__2": "IGNORED",
    },
)

# What in_reasoning_content watches: </think>
IN_REASONING_CONTENT = Watch(
    "<",
    streaming=(r"</think>(?P<REASONING_CONTENT_CLOSE>)" r"|<(?:/(?:t(?:h(?:i(?:nk?)?)?)?)?)?\Z"),
    final=(r"</think>(?P<REASONING_CONTENT_CLOSE>)"),
)


class Parser(StreamParser):
    __doc__ = StreamParser.__doc__
    __slots__ = ()

    TEMPLATE = "sha256:e66811233a75bc1244f90d438b88f1e8"
    JOINED = {"reasoning_content": "", "content": ""}

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
        if found == "IGNORED":
            self.go_on()
            return self.in_content
        self.close_content()
        if found == "REASONING_CONTENT_OPEN":
            self.open(REASONING_CONTENT)
            return self.in_reasoning_content
        return None

    def in_reasoning_content(self) -> State | None:
        # /fields/reasoning_content: to its closer.
        found = self.seek(IN_REASONING_CONTENT)
        if found is None:
            return None
        self.close_reasoning_content()
        self.between(CONTENT)
        return self.in_content

    def close_reasoning_content(self) -> None:
        # /fields/reasoning_content: text, joined with ''.
        value = self.body()
        self.message.setdefault("reasoning_content", []).append(value)
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
    content_text: list[str] = []
    while True:
        found = IN_CONTENT.final(text, position)
        start = found.start() if found else len(text)
        if start > position:
            content_text.append(text[position:start])
        if found and found.lastgroup == "IGNORED":
            position = found.end()
            continue
        if content_text:
            value = "".join(content_text)
            message.setdefault("content", []).append(value)
            content_text = []
        if not found:
            break
        position = found.end()
        if found.lastgroup == "REASONING_CONTENT_OPEN":
            found = IN_REASONING_CONTENT.final(text, position)
            start, end = found.span() if found else (len(text), len(text))
            value = text[position:start]
            message.setdefault("reasoning_content", []).append(value)
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
