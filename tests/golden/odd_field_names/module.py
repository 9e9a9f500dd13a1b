r"""Parser of the responses of odd_field_names.

in_p_n             --  <think>   ->  in_class_field
in_p_n             --  <say>     ->  in_final_answer
in_p_n             --  <SAY>     ->  in_final_answer_2
in_class_field     --  </think>  ->  in_p_n
in_final_answer    --  </say>    ->  in_p_n
in_final_answer_2  --  </SAY>    ->  in_p_n
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

P_N = Region("đáp án")
CLASS_FIELD = Region("class")
FINAL_ANSWER = Region("final answer")
FINAL_ANSWER_2 = Region("Final-Answer")

# A streaming pattern also matches the beginning of a delimiter where the text so far ends (`\Z`):
# that is held back. The group that a match ends with tells which delimiter is complete.

# What in_p_n watches: <think>, <say>, <SAY>
IN_P_N = Watch(
    "<",
    streaming=(
        r"<think>(?P<CLASS_FIELD_OPEN>)"
        r"|<(?:t(?:h(?:i(?:nk?)?)?)?)?\Z"
        r"|<say>(?P<FINAL_ANSWER_OPEN>)"
        r"|<(?:s(?:ay?)?)?\Z"
        r"|<SAY>(?P<FINAL_ANSWER_2_OPEN>)"
        r"|<(?:S(?:AY?)?)?\Z"
    ),
    final=(
        r"<think>(?P<CLASS_FIELD_OPEN>)"
        r"|<say>(?P<FINAL_ANSWER_OPEN>)"
        r"|<SAY>(?P<FINAL_ANSWER_2_OPEN>)"
    ),
)

# What in_class_field watches: </think>
IN_CLASS_FIELD = Watch(
    "<",
    streaming=(r"</think>(?P<CLASS_FIELD_CLOSE>)" r"|<(?:/(?:t(?:h(?:i(?:nk?)?)?)?)?)?\Z"),
    final=(r"</think>(?P<CLASS_FIELD_CLOSE>)"),
)

# What in_final_answer watches: </say>
IN_FINAL_ANSWER = Watch(
    "<",
    streaming=(r"</say>(?P<FINAL_ANSWER_CLOSE>)" r"|<(?:/(?:s(?:ay?)?)?)?\Z"),
    final=(r"</say>(?P<FINAL_ANSWER_CLOSE>)"),
)

# What in_final_answer_2 watches: </SAY>
IN_FINAL_ANSWER_2 = Watch(
    "<",
    streaming=(r"</SAY>(?P<FINAL_ANSWER_2_CLOSE>)" r"|<(?:/(?:S(?:AY?)?)?)?\Z"),
    final=(r"</SAY>(?P<FINAL_ANSWER_2_CLOSE>)"),
)


class Parser(StreamParser):
    __doc__ = StreamParser.__doc__
    __slots__ = ()

    TEMPLATE = "sha256:cefeb3283615272068b7a7688525ba07"

    def defaults(self) -> Message:
        return {}

    @staticmethod
    def after_anchor(prefix: str) -> str:
        return after_last_literal(prefix, "<|assistant|>")

    def start(self) -> State:
        self.between(P_N)
        return self.in_p_n

    def in_p_n(self) -> State | None:
        # /fields/đáp án: the text between the other regions.
        found = self.seek(IN_P_N)
        if found is None:
            return None
        self.close_p_n()
        if found == "CLASS_FIELD_OPEN":
            self.open(CLASS_FIELD)
            return self.in_class_field
        if found == "FINAL_ANSWER_OPEN":
            self.open(FINAL_ANSWER)
            return self.in_final_answer
        if found == "FINAL_ANSWER_2_OPEN":
            self.open(FINAL_ANSWER_2)
            return self.in_final_answer_2
        return None

    def in_class_field(self) -> State | None:
        # /fields/class: to its closer.
        found = self.seek(IN_CLASS_FIELD)
        if found is None:
            return None
        self.close_class_field()
        self.between(P_N)
        return self.in_p_n

    def in_final_answer(self) -> State | None:
        # /fields/final answer: to its closer.
        found = self.seek(IN_FINAL_ANSWER)
        if found is None:
            return None
        self.close_final_answer()
        self.between(P_N)
        return self.in_p_n

    def in_final_answer_2(self) -> State | None:
        # /fields/Final-Answer: to its closer.
        found = self.seek(IN_FINAL_ANSWER_2)
        if found is None:
            return None
        self.close_final_answer_2()
        self.between(P_N)
        return self.in_p_n

    def close_class_field(self) -> None:
        # /fields/class: text, the last one counts.
        value = self.body().strip()
        self.message["class"] = value
        self.close(value)

    def close_final_answer(self) -> None:
        # /fields/final answer: text, the last one counts.
        value = self.body().strip()
        self.message["final answer"] = value
        self.close(value)

    def close_final_answer_2(self) -> None:
        # /fields/Final-Answer: text, the last one counts.
        value = self.body().strip()
        self.message["Final-Answer"] = value
        self.close(value)

    def close_p_n(self) -> None:
        # /fields/đáp án: text, the last one counts.
        if not self.is_open:
            return
        value = self.body().strip()
        self.message["đáp án"] = value
        self.close(value)


def one_pass(text: str, tools: ToolTypes) -> Message:
    """The message of a complete text; whatever fails here is left to `Parser`."""
    message: Message = {}
    value: Any
    position = 0
    while True:
        found = IN_P_N.final(text, position)
        start = found.start() if found else len(text)
        if start > position:
            value = text[position:start].strip()
            message["đáp án"] = value
        if not found:
            break
        position = found.end()
        if found.lastgroup == "CLASS_FIELD_OPEN":
            found = IN_CLASS_FIELD.final(text, position)
            start, end = found.span() if found else (len(text), len(text))
            value = text[position:start].strip()
            message["class"] = value
            position = end
            continue
        if found.lastgroup == "FINAL_ANSWER_OPEN":
            found = IN_FINAL_ANSWER.final(text, position)
            start, end = found.span() if found else (len(text), len(text))
            value = text[position:start].strip()
            message["final answer"] = value
            position = end
            continue
        if found.lastgroup == "FINAL_ANSWER_2_OPEN":
            found = IN_FINAL_ANSWER_2.final(text, position)
            start, end = found.span() if found else (len(text), len(text))
            value = text[position:start].strip()
            message["Final-Answer"] = value
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
