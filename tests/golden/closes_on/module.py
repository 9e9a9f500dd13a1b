r"""Parser of the responses of closes_on.

in_content             --  <think>                     ->  in_reasoning_content
in_content             --  <calls>                     ->  in_tool_calls_section
in_reasoning_content   --  </think> or before <calls>  ->  in_content
in_tool_calls_section  --  </calls>                    ->  in_content
in_tool_calls_section  --  <(?P<name>\w+)>             ->  in_tool_calls
in_tool_calls          --  </>                         ->  in_tool_calls_section
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from runtime.anchor import after_last_literal
from runtime.api import parse_all, parse_one, require_api
from runtime.content.json_text import parse_strict_json
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
REASONING_CONTENT = Region("reasoning_content")
NO_REGION = Region(None)
TOOL_CALLS = Region("tool_calls", dirty=True)

# /fields/tool_calls/open_pattern: <(?P<name>\w+)>
TOOL_CALLS_OPEN_GROUPS = re.compile(rf"<(?P<name>[{WORD}]+)>", re.DOTALL)

# A streaming pattern also matches the beginning of a delimiter where the text so far ends (`\Z`):
# that is held back. The group that a match ends with tells which delimiter is complete.

# What in_content watches: <think>, <calls>
IN_CONTENT = Watch(
    "<",
    streaming=(
        r"<think>(?P<REASONING_CONTENT_OPEN>)"
        r"|<(?:t(?:h(?:i(?:nk?)?)?)?)?\Z"
        r"|<calls>(?P<TOOL_CALLS_SECTION_OPEN>)"
        r"|<(?:c(?:a(?:l(?:ls?)?)?)?)?\Z"
    ),
    final=(r"<think>(?P<REASONING_CONTENT_OPEN>)" r"|<calls>(?P<TOOL_CALLS_SECTION_OPEN>)"),
)

# What in_reasoning_content watches: </think> or before <calls>
IN_REASONING_CONTENT = Watch(
    "<",
    streaming=(
        r"</think>(?P<REASONING_CONTENT_CLOSE>)"
        r"|<(?:/(?:t(?:h(?:i(?:nk?)?)?)?)?)?\Z"
        r"|(?=<calls>)(?P<REASONING_CONTENT_CLOSE__2>)"
        r"|<(?:c(?:a(?:l(?:ls?)?)?)?)?\Z"
    ),
    final=(r"(?:</think>|(?=<calls>))(?P<REASONING_CONTENT_CLOSE>)"),
    leap=True,
    aliases={
        "REASONING_CONTENT_CLOSE__2": "REASONING_CONTENT_CLOSE",
    },
)

# What in_tool_calls_section watches: </calls>, <(?P<name>\w+)>
IN_TOOL_CALLS_SECTION = Watch(
    "<",
    streaming=(
        r"</calls>(?P<TOOL_CALLS_SECTION_CLOSE>)"
        r"|<(?:/(?:c(?:a(?:l(?:ls?)?)?)?)?)?\Z"
        rf"|<(?:[{WORD}]+(?:(?P<TOOL_CALLS_OPEN_WAIT>\Z)|>(?P<TOOL_CALLS_OPEN>))|\Z)"
    ),
    final=(r"</calls>(?P<TOOL_CALLS_SECTION_CLOSE>)" rf"|(?:<[{WORD}]+>)(?P<TOOL_CALLS_OPEN>)"),
    waits={
        "TOOL_CALLS_OPEN_WAIT": wait_until(rf"[^{WORD}]"),
    },
)

# What in_tool_calls watches: </>
IN_TOOL_CALLS = Watch(
    "<",
    streaming=(r"</>(?P<TOOL_CALLS_CLOSE>)" r"|</?\Z"),
    final=(r"</>(?P<TOOL_CALLS_CLOSE>)"),
)


class Parser(StreamParser):
    __doc__ = StreamParser.__doc__
    __slots__ = ()

    TEMPLATE = "sha256:cef42ab570094c3976734946d5282fe1"
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
        self.close_content()
        if found == "REASONING_CONTENT_OPEN":
            self.open(REASONING_CONTENT)
            return self.in_reasoning_content
        if found == "TOOL_CALLS_SECTION_OPEN":
            self.between(NO_REGION)
            return self.in_tool_calls_section
        return None

    def in_reasoning_content(self) -> State | None:
        # /fields/reasoning_content: to its closer.
        found = self.seek(IN_REASONING_CONTENT)
        if found is None:
            return None
        self.close_reasoning_content()
        self.between(CONTENT)
        return self.in_content

    def in_tool_calls_section(self) -> State | None:
        # /fields/tool_calls/section: the text between its regions.
        found = self.seek(IN_TOOL_CALLS_SECTION)
        if found is None:
            return None
        if found == "TOOL_CALLS_OPEN":
            self.open(TOOL_CALLS)
            self.capture(TOOL_CALLS_OPEN_GROUPS)
            return self.in_tool_calls
        self.between(CONTENT)
        return self.in_content

    def in_tool_calls(self) -> State | None:
        # /fields/tool_calls: to its closer.
        found = self.seek(IN_TOOL_CALLS)
        if found is None:
            return None
        self.close_tool_calls()
        self.between(NO_REGION)
        return self.in_tool_calls_section

    def close_reasoning_content(self) -> None:
        # /fields/reasoning_content: text, joined with ''.
        value = self.body()
        self.message.setdefault("reasoning_content", []).append(value)
        self.close(value)

    def close_tool_calls(self) -> None:
        # /fields/tool_calls: json, transform, repeats.
        try:
            content = parse_strict_json(self.whole_body())
            value = {"name": self.captures["name"], "arguments": content}
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
        position = found.end()
        if found.lastgroup == "REASONING_CONTENT_OPEN":
            found = IN_REASONING_CONTENT.final(text, position)
            start, end = found.span() if found else (len(text), len(text))
            value = text[position:start]
            message.setdefault("reasoning_content", []).append(value)
            position = end
            continue
        if found.lastgroup == "TOOL_CALLS_SECTION_OPEN":
            while True:
                found = IN_TOOL_CALLS_SECTION.final(text, position)
                if not found:
                    position = len(text)
                    break
                opened = found.start()
                position = found.end()
                if found.lastgroup == "TOOL_CALLS_OPEN":
                    captures = Scope()
                    captures.update(groups_of(TOOL_CALLS_OPEN_GROUPS.match(text, opened)))
                    found = IN_TOOL_CALLS.final(text, position)
                    start, end = found.span() if found else (len(text), len(text))
                    content = parse_strict_json(text[position:start])
                    value = {"name": captures["name"], "arguments": content}
                    message.setdefault("tool_calls", []).append(value)
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
