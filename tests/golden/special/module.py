r"""Parser of the responses of special.

in_content  --  <call>   ->  in_calls
in_calls    --  </call>  ->  in_content
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from runtime.anchor import after_last_literal
from runtime.api import parse_all, parse_one, require_api
from runtime.events import Event, Message
from runtime.regions import Region
from runtime.stream import State, finished_message
from runtime.token_ids import TokenIds, parse_token_ids
from runtime.tools import ToolTypes
from runtime.watch import Watch

require_api(1)

__all__ = ["Parser", "parse", "parse_batch", "parse_ids", "parse_result"]

CONTENT = Region("content")
CALLS = Region("calls")

# A streaming pattern also matches the beginning of a delimiter where the text so far ends (`\Z`):
# that is held back. The group that a match ends with tells which delimiter is complete.

# What in_content watches: <call>
IN_CONTENT = Watch(
    "<",
    streaming=(r"<call>(?P<CALLS_OPEN>)" r"|<(?:c(?:a(?:ll?)?)?)?\Z"),
    final=(r"<call>(?P<CALLS_OPEN>)"),
)

# What in_calls watches: </call>
IN_CALLS = Watch(
    "<",
    streaming=(r"</call>(?P<CALLS_CLOSE>)" r"|<(?:/(?:c(?:a(?:ll?)?)?)?)?\Z"),
    final=(r"</call>(?P<CALLS_CLOSE>)"),
)


class Parser(TokenIds):
    __doc__ = TokenIds.__doc__
    __slots__ = ()

    TEMPLATE = "sha256:171034fd607b3e08437ad2997136f266"
    SPECIAL = ("<call>", "</call>")
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
        return None

    def in_calls(self) -> State | None:
        # /fields/calls: to its closer.
        found = self.seek(IN_CALLS)
        if found is None:
            return None
        self.close_calls()
        self.between(CONTENT)
        return self.in_content

    def close_calls(self) -> None:
        # /fields/calls: text, repeats.
        value = self.plain(self.body())
        self.message.setdefault("calls", []).append(value)
        self.close(value)

    def close_content(self) -> None:
        # /fields/content: text, joined with ''.
        if not self.is_open:
            return
        value = self.plain(self.body())
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
        if found.lastgroup == "CALLS_OPEN":
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


def parse_ids(
    ids: Iterable[int],
    *,
    prefix: str | None = None,
    prefix_ids: Iterable[int] | None = None,
    vocab: Any,
    special_ids: Collection[int] | None = None,
    tools: Sequence[Any] | None = None,
    on_error: str = "raise",
    finish_reason: str | None = None,
) -> Message:
    """Like `parse`, of token ids; the prompt is text or ids, too (see `Parser`)."""
    return parse_token_ids(
        Parser,
        one_pass,
        ids,
        prefix,
        prefix_ids,
        vocab,
        special_ids,
        tools,
        on_error,
        finish_reason,
    )
