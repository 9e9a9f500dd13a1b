r"""Parser of the responses of xml_outside.

between_regions  --  <call (?P<name>\w+)>  ->  in_tool_call
in_tool_call     --  </call>               ->  between_regions
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from runtime.anchor import after_last_literal
from runtime.api import parse_all, parse_one, require_api
from runtime.content.xml_inline import find_tags
from runtime.content.xml_tags import parse_tags
from runtime.dialect_tools import cast_texts
from runtime.events import Event, Message
from runtime.parser import StreamParser
from runtime.regions import Region
from runtime.scan import wait_until
from runtime.stream import FAILURES, State, Unfinished, finished_message, groups_of
from runtime.tools import ToolTypes
from runtime.transform import Scope, require_call
from runtime.unicode_classes import SPACE, WORD
from runtime.watch import Watch

require_api(1)

__all__ = ["Parser", "parse", "parse_batch", "parse_result"]

NO_REGION = Region(None)
TOOL_CALL = Region("tool_call", dirty=True)

# /fields/tool_call/open_pattern: <call (?P<name>\w+)>
TOOL_CALL_OPEN_GROUPS = re.compile(rf"<call (?P<name>[{WORD}]+)>", re.DOTALL)

# /fields/tool_call/content: tag_pattern
TOOL_CALL_TAG = re.compile(rf"<(?P<key>[{WORD}]+)>(?P<value>[^<]*)</[{WORD}]+>", re.DOTALL)

# /fields/tool_call/content: outside_pattern
TOOL_CALL_OUTSIDE = re.compile(rf"[{SPACE}]*(?:<end/>[{SPACE}]*)?", re.DOTALL)

# A streaming pattern also matches the beginning of a delimiter where the text so far ends (`\Z`):
# that is held back. The group that a match ends with tells which delimiter is complete.

# What between_regions watches: <call (?P<name>\w+)>
BETWEEN_REGIONS = Watch(
    "<",
    streaming=(
        rf"<call (?:[{WORD}]+(?:(?P<TOOL_CALL_OPEN_WAIT>\Z)|>(?P<TOOL_CALL_OPEN>))|\Z)"
        r"|<(?:c(?:a(?:ll?)?)?)?\Z"
    ),
    final=(rf"(?:<call [{WORD}]+>)(?P<TOOL_CALL_OPEN>)"),
    waits={
        "TOOL_CALL_OPEN_WAIT": wait_until(rf"[^{WORD}]"),
    },
)

# What in_tool_call watches: </call>
IN_TOOL_CALL = Watch(
    "<",
    streaming=(r"</call>(?P<TOOL_CALL_CLOSE>)" r"|<(?:/(?:c(?:a(?:ll?)?)?)?)?\Z"),
    final=(r"</call>(?P<TOOL_CALL_CLOSE>)"),
)


class Parser(StreamParser):
    __doc__ = StreamParser.__doc__
    __slots__ = ()

    TEMPLATE = "sha256:06d4e193a99df8d51a41607261c373d7"

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
        if found == "TOOL_CALL_OPEN":
            self.open(TOOL_CALL)
            self.capture(TOOL_CALL_OPEN_GROUPS)
            return self.in_tool_call
        return None

    def in_tool_call(self) -> State | None:
        # /fields/tool_call: to its closer.
        found = self.seek(IN_TOOL_CALL)
        if found is None:
            return None
        self.close_tool_call()
        self.between(NO_REGION)
        return self.between_regions

    def close_tool_call(self) -> None:
        # /fields/tool_call: xml-inline, transform, the last one counts.
        try:
            content = parse_tags(
                find_tags(
                    self.closed_body(), TOOL_CALL_TAG, ">", outside=TOOL_CALL_OUTSIDE.fullmatch
                )
            )
            value = {
                "type": "function",
                "function": {"name": self.captures["name"], "arguments": content},
            }
            require_call(value)
            if self.tools:
                value = cast_texts(value, self.tools)
            self.message["tool_call"] = value
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
        if found.lastgroup == "TOOL_CALL_OPEN":
            captures = Scope()
            captures.update(groups_of(TOOL_CALL_OPEN_GROUPS.match(text, opened)))
            found = IN_TOOL_CALL.final(text, position)
            start, end = found.span() if found else (len(text), len(text))
            if not found:
                raise Unfinished("tool_call")
            content = parse_tags(
                find_tags(
                    text[position:start], TOOL_CALL_TAG, ">", outside=TOOL_CALL_OUTSIDE.fullmatch
                )
            )
            value = {
                "type": "function",
                "function": {"name": captures["name"], "arguments": content},
            }
            require_call(value)
            if tools:
                value = cast_texts(value, tools)
            message["tool_call"] = value
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
