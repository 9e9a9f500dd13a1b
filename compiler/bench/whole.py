"""Whole replies: one call each, as batch users make it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from compiler.bench.measure import Reference, Row, Run, reference_of, seconds_each
from compiler.memory import compile_template

_CALLS = 300  # a run; one call is too short to time

# Each about 500 characters: reasoning, an answer, one tool call.
_REASONING = (
    "The user wants the weather in Paris for the next three days. There is a tool for that: it "
    "takes a city and a number of days. Both are given, so I can call it at once."
)
_ANSWER = (
    "Let me look up the weather in Paris for the next three days; I will tell you whether you need "
    "an umbrella as soon as the answer is there."
)
_REPLIES = {
    "smollm3": (
        "<think>\n{reasoning}\n</think>\n\n{answer}\n<tool_call>\n"
        '{{"name": "get_weather", "arguments": {{"city": "Paris", "days": 3}}}}\n'
        "</tool_call><|im_end|>\n"
    ),
    "qwen3_coder": (
        "{reasoning}\n</think>\n\n{answer}\n<tool_call>\n<function=get_weather>\n"
        "<parameter=city>\nParis\n</parameter>\n<parameter=days>\n3\n</parameter>\n"
        "</function>\n</tool_call><|im_end|>\n"
    ),
    "gpt_oss": (
        "<|channel|>analysis<|message|>{reasoning}<|end|><|start|>assistant<|channel|>commentary"
        "<|message|>{answer}<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather"
        ' <|constrain|>json<|message|>{{"city": "Paris", "days": 3}}<|call|>'
    ),
    "gemma4": (
        "<|channel>thought\n{reasoning}\n<channel|>{answer}<|tool_call>call:get_weather"
        '{{city:<|"|>Paris<|"|>,days:3}}<tool_call|><|tool_response>'
    ),
}
_REPLIES["qwen3"] = _REPLIES["smollm3"]


def reply(name: str) -> str | None:
    """A reply of the model, or None where none is written for it."""
    pattern = _REPLIES.get(name.removesuffix(" v1"))
    return pattern.format(reasoning=_REASONING, answer=_ANSWER) if pattern else None


def whole_rows(name: str, spec: dict[str, Any], v1: Mapping[str, Any]) -> Iterator[Row]:
    """Rows for one model: against the reference's parser, and against its one-call function.

    `v1` is the template that the reference reads.
    """
    text = reply(name)
    if text is None:
        return
    parse, reference = compile_template(spec).parse, reference_of(v1)

    def ours() -> None:
        for _ in range(_CALLS):
            parse(text, prefix="")

    runs = [ours, *(_reference_runs(reference, text, v1) if reference else ())]
    took, *theirs = seconds_each([partial(_ready, run) for run in runs], 5)
    for index, (what, goal) in enumerate((("its parser", 6.0), ("its parse_response", 10.0))):
        yield Row(
            f"{name}, whole reply of {len(text)} characters, against {what}",
            took / _CALLS * 1e6,
            "us/reply",
            theirs[index] / took if theirs else None,
            goal,
        )


def _reference_runs(
    reference: Reference, text: str, spec: Mapping[str, Any]
) -> tuple[Callable[[], object], Callable[[], object]]:
    def parser() -> None:
        for _ in range(_CALLS):
            stream = reference.parser()
            stream.feed(text)
            stream.finalize()

    def one_call() -> None:
        for _ in range(_CALLS):
            reference.parse_response(text, spec, prefix="")

    return parser, one_call


def _ready(run: Run) -> Run:
    return run
