r"""Parser of the responses of close_pattern_captures.

between_regions  --  <say(?P<how>[a-z ]*)>                             ->  in_answer
in_answer        --  \s*</say(?: (?P<how>[a-z]+)| #(?P<mark>[0-9]+))>  ->  between_regions
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
from runtime.scan import wait_until
from runtime.stream import FAILURES, State, finished_message, groups_of
from runtime.tools import ToolTypes, cast_arguments
from runtime.transform import Scope
from runtime.unicode_classes import SPACE
from runtime.watch import Watch

require_api(1)

__all__ = ["Parser", "parse", "parse_batch", "parse_result"]

NO_REGION = Region(None)
ANSWER = Region("answer")

# /fields/answer/open_pattern: <say(?P<how>[a-z ]*)>
ANSWER_OPEN_GROUPS = re.compile(r"<say(?P<how>[a-z ]*)>", re.DOTALL)

# /fields/answer/close_pattern: \s*</say(?: (?P<how>[a-z]+)| #(?P<mark>[0-9]+))>
ANSWER_CLOSE_GROUPS = re.compile(
    rf"[{SPACE}]*</say(?: (?P<how>[a-z]+)| #(?P<mark>[0-9]+))>", re.DOTALL
)

# A streaming pattern also matches the beginning of a delimiter where the text so far ends (`\Z`):
# that is held back. The group that a match ends with tells which delimiter is complete.

# What between_regions watches: <say(?P<how>[a-z ]*)>
BETWEEN_REGIONS = Watch(
    "<",
    streaming=(r"<say[a-z ]*(?:(?P<ANSWER_OPEN_WAIT>\Z)|>(?P<ANSWER_OPEN>))" r"|<(?:sa?)?\Z"),
    final=(r"(?:<say[a-z ]*>)(?P<ANSWER_OPEN>)"),
    waits={
        "ANSWER_OPEN_WAIT": wait_until(r"[^a-z ]"),
    },
)

# What in_answer watches: \s*</say(?: (?P<how>[a-z]+)| #(?P<mark>[0-9]+))>
IN_ANSWER = Watch(
    "<",
    spaced_streaming=(
        r"</say(?: (?:[a-z]+(?:(?P<ANSWER_CLOSE_WAIT>\Z)|)|\Z)|\Z| #(?:[0-9]+(?:(?P<ANSWER_CLOSE_WAIT__2>\Z)|)|\Z)| ?\Z)(?:\Z|>(?P<ANSWER_CLOSE>))"
        r"|<(?:/(?:sa?)?)?\Z"
    ),
    spaced_final=(r"(?:</say(?: [a-z]+| #[0-9]+)>)(?P<ANSWER_CLOSE>)"),
    waits={
        "ANSWER_CLOSE_WAIT": wait_until(r"[^a-z]"),
        "ANSWER_CLOSE_WAIT__2": wait_until(r"[^0-9]"),
    },
)


class Parser(StreamParser):
    __doc__ = StreamParser.__doc__
    __slots__ = ()

    TEMPLATE = "sha256:62dc1f1d1ae9816d91dcc45368eeddf2"

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
        if found == "ANSWER_OPEN":
            self.open(ANSWER)
            self.capture(ANSWER_OPEN_GROUPS)
            return self.in_answer
        return None

    def in_answer(self) -> State | None:
        # /fields/answer: to its closer.
        found = self.seek(IN_ANSWER)
        if found is None:
            return None
        if found == "ANSWER_CLOSE":
            self.capture(ANSWER_CLOSE_GROUPS)
        self.close_answer()
        self.between(NO_REGION)
        return self.between_regions

    def close_answer(self) -> None:
        # /fields/answer: text, transform, the last one counts.
        try:
            content = self.whole_body().strip()
            value = {"text": content, "how": self.captures["how"]}
            if self.tools:
                value = cast_arguments(value, self.tools)
            self.message["answer"] = value
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
        if found.lastgroup == "ANSWER_OPEN":
            captures = Scope()
            captures.update(groups_of(ANSWER_OPEN_GROUPS.match(text, opened)))
            found = IN_ANSWER.first(text, position)
            start, end = found[1:3] if found else (len(text), len(text))
            if found and found[0] == "ANSWER_CLOSE":
                captures.update(groups_of(ANSWER_CLOSE_GROUPS.match(text, start)))
            content = text[position:start].strip()
            value = {"text": content, "how": captures["how"]}
            if tools:
                value = cast_arguments(value, tools)
            message["answer"] = value
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
