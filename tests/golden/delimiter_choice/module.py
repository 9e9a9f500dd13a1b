r"""Parser of the responses of delimiter_choice.

in_rest  --  < or <<  ->  in_b
in_rest  --  <<       ->  in_a
in_rest  --  < or #   ->  in_rest
in_b     --  >        ->  in_rest
in_a     --  !        ->  in_rest
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

REST = Region("rest")
B = Region("b")
A = Region("a")

# A streaming pattern also matches the beginning of a delimiter where the text so far ends (`\Z`):
# that is held back. The group that a match ends with tells which delimiter is complete.

# What in_rest watches: < or <<, <<, < or #
IN_REST = Watch(
    "#<",
    streaming=(
        r"<<(?P<B_OPEN>)"
        r"|<\Z"
        r"|<(?P<B_OPEN__2>)"
        r"|<<(?P<A_OPEN>)"
        r"|<\Z"
        r"|#(?P<REST_CLOSE>)"
        r"|<(?P<REST_CLOSE__2>)"
    ),
    final=(r"(?:<<|<)(?P<B_OPEN>)" r"|<<(?P<A_OPEN>)" r"|(?:#|<)(?P<REST_CLOSE>)"),
    leap=True,
    aliases={
        "B_OPEN__2": "B_OPEN",
        "REST_CLOSE__2": "REST_CLOSE",
    },
    rivals=(
        (
            r"<<(?P<A_OPEN>)|<\Z",
            r"<<(?P<A_OPEN>)",
        ),
        (
            r"<<(?P<B_OPEN>)|<\Z|<(?P<B_OPEN__2>)",
            r"(?:<<|<)(?P<B_OPEN>)",
        ),
        (
            r"#(?P<REST_CLOSE>)|<(?P<REST_CLOSE__2>)",
            r"(?:#|<)(?P<REST_CLOSE>)",
        ),
    ),
)

# What in_b watches: >
IN_B = Watch(
    ">",
    streaming=(r">(?P<B_CLOSE>)"),
    final=(r">(?P<B_CLOSE>)"),
)

# What in_a watches: !
IN_A = Watch(
    "!",
    streaming=(r"!(?P<A_CLOSE>)"),
    final=(r"!(?P<A_CLOSE>)"),
)


class Parser(StreamParser):
    __doc__ = StreamParser.__doc__
    __slots__ = ()

    TEMPLATE = "sha256:f520b96eee8cc402eb01941e8638e48f"

    def defaults(self) -> Message:
        return {}

    @staticmethod
    def after_anchor(prefix: str) -> str:
        return after_last_literal(prefix, "<|assistant|>")

    def start(self) -> State:
        self.between(REST)
        return self.in_rest

    def in_rest(self) -> State | None:
        # /fields/rest: the text between the other regions.
        found = self.seek(IN_REST)
        if found is None:
            return None
        self.close_rest()
        if found == "B_OPEN":
            self.open(B)
            return self.in_b
        if found == "A_OPEN":
            self.open(A)
            return self.in_a
        if found == "REST_CLOSE":
            self.between(REST)
            return self.in_rest
        return None

    def in_b(self) -> State | None:
        # /fields/b: to its closer.
        found = self.seek(IN_B)
        if found is None:
            return None
        self.close_b()
        self.between(REST)
        return self.in_rest

    def in_a(self) -> State | None:
        # /fields/a: to its closer.
        found = self.seek(IN_A)
        if found is None:
            return None
        self.close_a()
        self.between(REST)
        return self.in_rest

    def close_b(self) -> None:
        # /fields/b: text, the last one counts.
        value = self.body().strip()
        self.message["b"] = value
        self.close(value)

    def close_a(self) -> None:
        # /fields/a: text, the last one counts.
        value = self.body().strip()
        self.message["a"] = value
        self.close(value)

    def close_rest(self) -> None:
        # /fields/rest: text, the last one counts.
        if not self.is_open:
            return
        value = self.body().strip()
        self.message["rest"] = value
        self.close(value)


def one_pass(text: str, tools: ToolTypes) -> Message:
    """The message of a complete text; whatever fails here is left to `Parser`."""
    message: Message = {}
    value: Any
    position = 0
    while True:
        found = IN_REST.first(text, position)
        start = found[1] if found else len(text)
        if start > position:
            value = text[position:start].strip()
            message["rest"] = value
        if not found:
            break
        position = found[2]
        if found[0] == "B_OPEN":
            found = IN_B.final(text, position)
            start, end = found.span() if found else (len(text), len(text))
            value = text[position:start].strip()
            message["b"] = value
            position = end
            continue
        if found[0] == "A_OPEN":
            found = IN_A.final(text, position)
            start, end = found.span() if found else (len(text), len(text))
            value = text[position:start].strip()
            message["a"] = value
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
