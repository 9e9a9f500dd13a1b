r"""Parser of the responses of xml_inline_value_parser.

between_regions  --  <tool_call>\s*<function=(?P<name>[a-z_]+)>  ->  in_tool_calls
in_tool_calls    --  </tool_call>                                ->  between_regions
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from runtime.anchor import after_last_literal
from runtime.api import parse_all, parse_one, require_api
from runtime.content.json_dialect import parse_json_dialect
from runtime.content.xml_inline import parse_xml_parts, trim_space
from runtime.events import Event, Message
from runtime.parser import StreamParser
from runtime.regions import Region
from runtime.scan import wait_until
from runtime.stream import FAILURES, State, finished_message, groups_of
from runtime.tools import ToolTypes, cast_arguments
from runtime.transform import Scope
from runtime.unicode_classes import SPACE
from runtime.watch import Watch

require_api(1)

__all__ = ["Parser", "parse", "parse_batch", "parse_result"]

NO_REGION = Region(None)
TOOL_CALLS = Region("tool_calls", dirty=True)

# /fields/tool_calls/open_pattern: <tool_call>\s*<function=(?P<name>[a-z_]+)>
TOOL_CALLS_OPEN_GROUPS = re.compile(
    rf"<tool_call>[{SPACE}]*<function=(?P<name>[a-z_]+)>", re.DOTALL
)

# /fields/tool_calls/content_args/tag_pattern, its opener
TOOL_CALLS_TAG = re.compile(rf"<parameter=(?P<key>[a-z_]+)>[{SPACE}]*", re.DOTALL)

# /fields/tool_calls/content_args/tag_pattern, a closer
TOOL_CALLS_TAG_CLOSE = re.compile(r"</parameter>", re.DOTALL)

# A streaming pattern also matches the beginning of a delimiter where the text so far ends (`\Z`):
# that is held back. The group that a match ends with tells which delimiter is complete.

# What between_regions watches: <tool_call>\s*<function=(?P<name>[a-z_]+)>
BETWEEN_REGIONS = Watch(
    "<",
    streaming=(
        rf"<tool_call>[{SPACE}]*(?:(?P<TOOL_CALLS_OPEN_WAIT>\Z)|<function=(?:[a-z_]+(?:(?P<TOOL_CALLS_OPEN_WAIT__2>\Z)|>(?P<TOOL_CALLS_OPEN>))|\Z)|<(?:f(?:u(?:n(?:c(?:t(?:i(?:on?)?)?)?)?)?)?)?\Z)"
        r"|<(?:t(?:o(?:o(?:l(?:_(?:c(?:a(?:ll?)?)?)?)?)?)?)?)?\Z"
    ),
    final=(rf"(?:<tool_call>[{SPACE}]*<function=[a-z_]+>)(?P<TOOL_CALLS_OPEN>)"),
    waits={
        "TOOL_CALLS_OPEN_WAIT": wait_until(rf"[^{SPACE}]"),
        "TOOL_CALLS_OPEN_WAIT__2": wait_until(r"[^a-z_]"),
    },
)

# What in_tool_calls watches: </tool_call>
IN_TOOL_CALLS = Watch(
    "<",
    streaming=(
        r"</tool_call>(?P<TOOL_CALLS_CLOSE>)"
        r"|<(?:/(?:t(?:o(?:o(?:l(?:_(?:c(?:a(?:ll?)?)?)?)?)?)?)?)?)?\Z"
    ),
    final=(r"</tool_call>(?P<TOOL_CALLS_CLOSE>)"),
)


def parse_tool_calls_value(text: str) -> Any:
    # /fields/tool_calls/content_args/value_parser
    return parse_json_dialect(text, allow_non_json=True)


class Parser(StreamParser):
    __doc__ = StreamParser.__doc__
    __slots__ = ()

    TEMPLATE = "sha256:ca780b9aabfe27ebbbabc735e6935e8b"

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
        if found == "TOOL_CALLS_OPEN":
            self.open(TOOL_CALLS)
            self.capture(TOOL_CALLS_OPEN_GROUPS)
            return self.in_tool_calls
        return None

    def in_tool_calls(self) -> State | None:
        # /fields/tool_calls: to its closer.
        found = self.seek(IN_TOOL_CALLS)
        if found is None:
            return None
        self.close_tool_calls()
        self.between(NO_REGION)
        return self.between_regions

    def close_tool_calls(self) -> None:
        # /fields/tool_calls: xml-inline, transform, repeats.
        try:
            content = parse_xml_parts(
                self.whole_body(),
                TOOL_CALLS_TAG,
                [("value", trim_space, TOOL_CALLS_TAG_CLOSE)],
                value=parse_tool_calls_value,
            )
            value = {
                "type": "function",
                "function": {"name": self.captures["name"], "arguments": content},
            }
            if self.tools:
                value = cast_arguments(value, self.tools)
            self.message.setdefault("tool_calls", []).append(value)
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
        if found.lastgroup == "TOOL_CALLS_OPEN":
            captures = Scope()
            captures.update(groups_of(TOOL_CALLS_OPEN_GROUPS.match(text, opened)))
            found = IN_TOOL_CALLS.final(text, position)
            start, end = found.span() if found else (len(text), len(text))
            content = parse_xml_parts(
                text[position:start],
                TOOL_CALLS_TAG,
                [("value", trim_space, TOOL_CALLS_TAG_CLOSE)],
                value=parse_tool_calls_value,
            )
            value = {
                "type": "function",
                "function": {"name": captures["name"], "arguments": content},
            }
            if tools:
                value = cast_arguments(value, tools)
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
