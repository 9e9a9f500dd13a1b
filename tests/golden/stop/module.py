r"""Parser of the responses of stop.

in_content       --  <call (?P<name>\w+)>      ->  in_tool_calls
in_content       --  <json>                    ->  in_tool_calls_2
in_content       --  \s*<\|end\|>\s*           ->  in_content
in_tool_calls    --  </call>                   ->  in_content
in_tool_calls    --  (?=<\|user\|>|<\|end\|>)  ->  in_content
in_tool_calls_2  --  </json>                   ->  in_content
in_tool_calls_2  --  (?=<\|user\|>|<\|end\|>)  ->  in_content
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from runtime.anchor import after_last_literal
from runtime.api import parse_all, parse_one, require_api
from runtime.body_parser import BodyParser
from runtime.content.json_text import parse_strict_json
from runtime.content.xml_inline import find_tags
from runtime.content.xml_tags import parse_tags
from runtime.dialect_tools import cast_texts
from runtime.events import Event, Message
from runtime.regions import Region
from runtime.scan import wait_until
from runtime.stream import FAILURES, State, Unfinished, finished_message, groups_of
from runtime.strings import JSON_STRINGS
from runtime.tools import ToolTypes
from runtime.transform import Scope
from runtime.unicode_classes import SPACE, WORD
from runtime.watch import Watch

require_api(1)

__all__ = ["Parser", "parse", "parse_batch", "parse_result"]

CONTENT = Region("content")
TOOL_CALLS = Region("tool_calls", dirty=True)

# /fields/tool_calls/forms/0/open_pattern: <call (?P<name>\w+)>
TOOL_CALLS_OPEN_GROUPS = re.compile(rf"<call (?P<name>[{WORD}]+)>", re.DOTALL)

# /fields/tool_calls/forms/0/content: tag_pattern
TOOL_CALLS_TAG = re.compile(rf"<(?P<key>[{WORD}]+)>(?P<value>.*?)(?:</>|\Z)", re.DOTALL)

# A streaming pattern also matches the beginning of a delimiter where the text so far ends (`\Z`):
# that is held back. The group that a match ends with tells which delimiter is complete.

# What in_content watches: <call (?P<name>\w+)>, <json>, \s*<\|end\|>\s*
IN_CONTENT = Watch(
    "<",
    streaming=(
        rf"<call (?:[{WORD}]+(?:(?P<TOOL_CALLS_OPEN_WAIT>\Z)|>(?P<TOOL_CALLS_OPEN>))|\Z)"
        r"|<(?:c(?:a(?:ll?)?)?)?\Z"
        r"|<json>(?P<TOOL_CALLS_2_OPEN>)"
        r"|<(?:j(?:s(?:on?)?)?)?\Z"
    ),
    final=(rf"(?:<call [{WORD}]+>)(?P<TOOL_CALLS_OPEN>)" r"|<json>(?P<TOOL_CALLS_2_OPEN>)"),
    spaced_streaming=(
        rf"<\|end\|>[{SPACE}]*(?:(?P<IGNORED_WAIT>\Z)|(?P<IGNORED>))"
        r"|<(?:\|(?:e(?:n(?:d\|?)?)?)?)?\Z"
    ),
    spaced_final=(rf"(?:<\|end\|>[{SPACE}]*)(?P<IGNORED>)"),
    waits={
        "IGNORED_WAIT": wait_until(rf"[^{SPACE}]"),
        "TOOL_CALLS_OPEN_WAIT": wait_until(rf"[^{WORD}]"),
    },
)

# What in_tool_calls watches: </call>, (?=<\|user\|>|<\|end\|>)
IN_TOOL_CALLS = Watch(
    "<",
    streaming=(
        r"</call>(?P<TOOL_CALLS_CLOSE>)"
        r"|<(?:/(?:c(?:a(?:ll?)?)?)?)?\Z"
        r"|(?=<\|user\|>|<\|end\|>)(?P<TOOL_CALLS_STOP>)"
        r"|(?=<\|user\|>|(?:<(?:\|(?:u(?:s(?:e(?:r\|?)?)?)?)?)?)?\Z|<\|end\|>|(?:<(?:\|(?:e(?:n(?:d\|?)?)?)?)?)?\Z)"
    ),
    final=(r"</call>(?P<TOOL_CALLS_CLOSE>)" r"|(?:(?=<\|user\|>|<\|end\|>))(?P<TOOL_CALLS_STOP>)"),
    leap=True,
)

# What in_tool_calls_2 watches: </json>, (?=<\|user\|>|<\|end\|>)
IN_TOOL_CALLS_2 = Watch(
    "<",
    streaming=(
        r"</json>(?P<TOOL_CALLS_2_CLOSE>)"
        r"|<(?:/(?:j(?:s(?:on?)?)?)?)?\Z"
        r"|(?=<\|user\|>|<\|end\|>)(?P<TOOL_CALLS_2_STOP>)"
        r"|(?=<\|user\|>|(?:<(?:\|(?:u(?:s(?:e(?:r\|?)?)?)?)?)?)?\Z|<\|end\|>|(?:<(?:\|(?:e(?:n(?:d\|?)?)?)?)?)?\Z)"
    ),
    final=(
        r"</json>(?P<TOOL_CALLS_2_CLOSE>)" r"|(?:(?=<\|user\|>|<\|end\|>))(?P<TOOL_CALLS_2_STOP>)"
    ),
    leap=True,
)


class Parser(BodyParser):
    __doc__ = BodyParser.__doc__
    __slots__ = ()

    TEMPLATE = "sha256:643db7e5d012416fa34731a347385832"
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
        if found == "IGNORED":
            self.go_on()
            return self.in_content
        self.close_content()
        if found == "TOOL_CALLS_OPEN":
            self.open(TOOL_CALLS)
            self.capture(TOOL_CALLS_OPEN_GROUPS)
            return self.in_tool_calls
        if found == "TOOL_CALLS_2_OPEN":
            self.open(TOOL_CALLS)
            return self.in_tool_calls_2
        return None

    def in_tool_calls(self) -> State | None:
        # /fields/tool_calls/forms/0: to its closer.
        found = self.seek(IN_TOOL_CALLS)
        if found is None:
            return None
        if found == "TOOL_CALLS_STOP":
            self.stop()
        self.close_tool_calls()
        self.between(CONTENT)
        return self.in_content

    def in_tool_calls_2(self) -> State | None:
        # /fields/tool_calls/forms/1: to its closer.
        found = self.seek_outside(IN_TOOL_CALLS_2, JSON_STRINGS)
        if found is None:
            return None
        if found == "TOOL_CALLS_2_STOP":
            self.stop()
        self.close_tool_calls_2()
        self.between(CONTENT)
        return self.in_content

    def close_tool_calls(self) -> None:
        # /fields/tool_calls/forms/0: xml-inline, transform, repeats.
        try:
            content = parse_tags(
                find_tags(self.closed_body(), TOOL_CALLS_TAG, None, outside=str.isspace)
            )
            value = {"name": self.captures["name"], "arguments": content}
            if self.tools:
                value = cast_texts(value, self.tools)
            self.message.setdefault("tool_calls", []).append(value)
        except FAILURES as error:
            self.malformed(error, on_incomplete="keep")
        else:
            self.close(value)

    def close_tool_calls_2(self) -> None:
        # /fields/tool_calls/forms/1: json, repeats.
        try:
            value = parse_strict_json(self.whole_body())
            self.message.setdefault("tool_calls", []).append(value)
        except FAILURES as error:
            self.malformed(error, on_incomplete="keep")
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
    content_text: list[str] = []
    while True:
        found = IN_CONTENT.first(text, position)
        start = found[1] if found else len(text)
        if start > position:
            content_text.append(text[position:start])
        if found and found[0] == "IGNORED":
            position = found[2]
            continue
        if content_text:
            value = "".join(content_text)
            message.setdefault("content", []).append(value)
            content_text = []
        if not found:
            break
        opened = start
        position = found[2]
        if found[0] == "TOOL_CALLS_OPEN":
            captures = Scope()
            captures.update(groups_of(TOOL_CALLS_OPEN_GROUPS.match(text, opened)))
            found = IN_TOOL_CALLS.final(text, position)
            start, end = found.span() if found else (len(text), len(text))
            if not found or found.lastgroup == "TOOL_CALLS_STOP":
                raise Unfinished("tool_calls")
            content = parse_tags(
                find_tags(text[position:start], TOOL_CALLS_TAG, None, outside=str.isspace)
            )
            value = {"name": captures["name"], "arguments": content}
            if tools:
                value = cast_texts(value, tools)
            message.setdefault("tool_calls", []).append(value)
            position = end
            continue
        if found[0] == "TOOL_CALLS_2_OPEN":
            found = IN_TOOL_CALLS_2.final(text, position)
            start, end = found.span() if found else (len(text), len(text))
            value = parse_strict_json(text[position:start])
            message.setdefault("tool_calls", []).append(value)
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
