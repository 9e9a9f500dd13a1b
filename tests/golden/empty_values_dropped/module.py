r"""Parser of the responses of empty_values_dropped.

between_regions  --  <t>      ->  in_text
between_regions  --  <call>   ->  in_data
between_regions  --  <f>      ->  in_flag
in_text          --  </t>     ->  between_regions
in_data          --  </call>  ->  between_regions
in_flag          --  </f>     ->  between_regions
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.anchor import after_last_literal
from runtime.api import parse_all, parse_one, require_api
from runtime.content.boolean import parse_bool
from runtime.content.json_text import parse_json
from runtime.events import Event, Message
from runtime.parser import StreamParser
from runtime.regions import Region
from runtime.stream import FAILURES, State, finished_message
from runtime.tools import ToolTypes, cast_arguments
from runtime.watch import Watch

require_api(1)

__all__ = ["Parser", "parse", "parse_batch", "parse_result"]

NO_REGION = Region(None)
TEXT = Region("text")
DATA = Region("data", dirty=True)
FLAG = Region("flag")

# A streaming pattern also matches the beginning of a delimiter where the text so far ends (`\Z`):
# that is held back. The group that a match ends with tells which delimiter is complete.

# What between_regions watches: <t>, <call>, <f>
BETWEEN_REGIONS = Watch(
    "<",
    streaming=(
        r"<t>(?P<TEXT_OPEN>)"
        r"|<t?\Z"
        r"|<call>(?P<DATA_OPEN>)"
        r"|<(?:c(?:a(?:ll?)?)?)?\Z"
        r"|<f>(?P<FLAG_OPEN>)"
        r"|<f?\Z"
    ),
    final=(r"<t>(?P<TEXT_OPEN>)" r"|<call>(?P<DATA_OPEN>)" r"|<f>(?P<FLAG_OPEN>)"),
)

# What in_text watches: </t>
IN_TEXT = Watch(
    "<",
    streaming=(r"</t>(?P<TEXT_CLOSE>)" r"|<(?:/t?)?\Z"),
    final=(r"</t>(?P<TEXT_CLOSE>)"),
)

# What in_data watches: </call>
IN_DATA = Watch(
    "<",
    streaming=(r"</call>(?P<DATA_CLOSE>)" r"|<(?:/(?:c(?:a(?:ll?)?)?)?)?\Z"),
    final=(r"</call>(?P<DATA_CLOSE>)"),
)

# What in_flag watches: </f>
IN_FLAG = Watch(
    "<",
    streaming=(r"</f>(?P<FLAG_CLOSE>)" r"|<(?:/f?)?\Z"),
    final=(r"</f>(?P<FLAG_CLOSE>)"),
)


class Parser(StreamParser):
    __doc__ = StreamParser.__doc__
    __slots__ = ()

    TEMPLATE = "sha256:599fec5cd13bccd9f2dc6bff871cf1a6"

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
        if found == "TEXT_OPEN":
            self.open(TEXT)
            return self.in_text
        if found == "DATA_OPEN":
            self.open(DATA)
            return self.in_data
        if found == "FLAG_OPEN":
            self.open(FLAG)
            return self.in_flag
        return None

    def in_text(self) -> State | None:
        # /fields/text: to its closer.
        found = self.seek(IN_TEXT)
        if found is None:
            return None
        self.close_text()
        self.between(NO_REGION)
        return self.between_regions

    def in_data(self) -> State | None:
        # /fields/data: to its closer.
        found = self.seek(IN_DATA)
        if found is None:
            return None
        self.close_data()
        self.between(NO_REGION)
        return self.between_regions

    def in_flag(self) -> State | None:
        # /fields/flag: to its closer.
        found = self.seek(IN_FLAG)
        if found is None:
            return None
        self.close_flag()
        self.between(NO_REGION)
        return self.between_regions

    def close_text(self) -> None:
        # /fields/text: text, the last one counts.
        value = self.body().strip()
        self.message["text"] = value
        self.close(value)

    def close_data(self) -> None:
        # /fields/data: json, the last one counts.
        try:
            value = parse_json(self.whole_body())
            if self.tools:
                value = cast_arguments(value, self.tools)
            self.message["data"] = value
        except FAILURES as error:
            self.malformed(error)
        else:
            self.close(value)

    def close_flag(self) -> None:
        # /fields/flag: bool, the last one counts.
        try:
            value = parse_bool(self.whole_body())
            self.message["flag"] = value
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
        position = found.end()
        if found.lastgroup == "TEXT_OPEN":
            found = IN_TEXT.final(text, position)
            start, end = found.span() if found else (len(text), len(text))
            value = text[position:start].strip()
            message["text"] = value
            position = end
            continue
        if found.lastgroup == "DATA_OPEN":
            found = IN_DATA.final(text, position)
            start, end = found.span() if found else (len(text), len(text))
            value = parse_json(text[position:start])
            if tools:
                value = cast_arguments(value, tools)
            message["data"] = value
            position = end
            continue
        if found.lastgroup == "FLAG_OPEN":
            found = IN_FLAG.final(text, position)
            start, end = found.span() if found else (len(text), len(text))
            value = parse_bool(text[position:start])
            message["flag"] = value
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
