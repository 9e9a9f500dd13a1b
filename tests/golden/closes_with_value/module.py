r"""Parser of the responses of closes_with_value.

in_content  --  <call>                ->  in_calls
in_content  --  <|python|>            ->  in_code
in_calls    --  \s*(?:</call>)        ->  in_content
in_calls    --  the end of the value  ->  in_content
in_code     --  the end of the value  ->  in_content
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.anchor import after_last_literal
from runtime.api import parse_all, parse_one, require_api
from runtime.body import Outlook, first_or_value
from runtime.body_parser import BodyParser
from runtime.content.json_text import parse_strict_json
from runtime.events import Event, Message
from runtime.regions import Region
from runtime.stream import FAILURES, State, finished_message
from runtime.strings import JSON_STRINGS, PYTHON_STRINGS
from runtime.tools import ToolTypes
from runtime.watch import Watch

require_api(1)

__all__ = ["Parser", "parse", "parse_batch", "parse_result"]

CONTENT = Region("content")
CALLS = Region("calls", dirty=True)
CODE = Region("code")

# A streaming pattern also matches the beginning of a delimiter where the text so far ends (`\Z`):
# that is held back. The group that a match ends with tells which delimiter is complete.

# What in_content watches: <call>, <|python|>
IN_CONTENT = Watch(
    "<",
    streaming=(
        r"<call>(?P<CALLS_OPEN>)"
        r"|<(?:c(?:a(?:ll?)?)?)?\Z"
        r"|<\|python\|>(?P<CODE_OPEN>)"
        r"|<(?:\|(?:p(?:y(?:t(?:h(?:o(?:n\|?)?)?)?)?)?)?)?\Z"
    ),
    final=(r"<call>(?P<CALLS_OPEN>)" r"|<\|python\|>(?P<CODE_OPEN>)"),
)

# What in_calls watches: \s*(?:</call>)
IN_CALLS = Watch(
    "<",
    spaced_streaming=(r"</call>(?P<CALLS_CLOSE>)" r"|<(?:/(?:c(?:a(?:ll?)?)?)?)?\Z"),
    spaced_final=(r"</call>(?P<CALLS_CLOSE>)"),
)


class Parser(BodyParser):
    __doc__ = BodyParser.__doc__
    __slots__ = ()

    TEMPLATE = "sha256:412bad84a02308d81aaf1b7ed80e8f8f"
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
        if found == "CALLS_OPEN":
            self.open(CALLS)
            return self.in_calls
        if found == "CODE_OPEN":
            self.open(CODE)
            return self.in_code
        return None

    def in_calls(self) -> State | None:
        # /fields/calls: to its closer or the end of its value.
        found = self.seek_outside(IN_CALLS, JSON_STRINGS, "CALLS_VALUE_END")
        if found is None:
            return None
        self.close_calls()
        self.between(CONTENT)
        return self.in_content

    def in_code(self) -> State | None:
        # /fields/code: to the end of its value.
        found = self.seek_outside(None, PYTHON_STRINGS, "CODE_VALUE_END")
        if found is None:
            return None
        self.close_code()
        self.between(CONTENT)
        return self.in_content

    def close_calls(self) -> None:
        # /fields/calls: json, repeats.
        try:
            value = parse_strict_json(self.whole_body())
            self.message.setdefault("calls", []).append(value)
        except FAILURES as error:
            self.malformed(error)
        else:
            self.close(value)

    def close_code(self) -> None:
        # /fields/code: text, repeats.
        value = self.body()
        self.message.setdefault("code", []).append(value)
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
    outlook = Outlook()
    while True:
        found = IN_CONTENT.final(text, position)
        start = found.start() if found else len(text)
        if start > position:
            value = text[position:start]
            message.setdefault("content", []).append(value)
        if not found:
            break
        position = found.end()
        if found.lastgroup == "CALLS_OPEN":
            found = first_or_value(
                IN_CALLS, JSON_STRINGS, "CALLS_VALUE_END", text, position, outlook, is_told=True
            )
            start, end = found[1:3] if found else (len(text), len(text))
            value = parse_strict_json(text[position:start])
            message.setdefault("calls", []).append(value)
            position = end
            continue
        if found.lastgroup == "CODE_OPEN":
            found = first_or_value(None, PYTHON_STRINGS, "CODE_VALUE_END", text, position, outlook)
            start, end = found[1:3] if found else (len(text), len(text))
            value = text[position:start]
            message.setdefault("code", []).append(value)
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
