"""Ordinary replies, read by the v1 export of their model's template: the same, or a named loss.

Ordinary are the first answer, the first reasoning with an answer and the first call of a case file.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest

from compiler import compile_template
from compiler.exporters.v1 import V1Export, export_v1
from compiler.origin import read_origin
from tests.test_cases import CASES, EXTENDED, GRAMMARS, Case, is_right, template_of

# The calls that do not come out the same, and the loss that says why.
LOST = {
    "apertus": "/fields/tool_calls/content_args/entries",
    "minicpm3": "/fields/tool_calls/section",
    "minimax_m3": "/fields/tool_calls/content",
    "mistral": "/fields/tool_calls/transform/id",
    "olmo3": "/fields/tool_calls/section",
}


class Ordinary(NamedTuple):
    """A case of a kind that every model has."""

    model: str
    kind: str
    case: Case


def ordinary() -> Iterator[Ordinary]:
    seen = set()
    for case in CASES:
        model = case.template.parent.name
        kind = kind_of(case) if case.template.name == EXTENDED else None
        if kind and (model, kind) not in seen and case.name.startswith(f"extended/{model}: "):
            seen.add((model, kind))
            yield Ordinary(model, kind, case)


def kind_of(case: Case) -> str | None:
    message = case.right[0]
    if isinstance(message, str) or case.finish_reason == "length":
        return None
    if "tool_calls" in message:
        return "call"
    kinds = {("content",): "answer", ("content", "reasoning_content"): "reasoning"}
    return kinds.get(tuple(sorted(message.keys() - {"role"})))


ORDINARY = tuple(ordinary())
every_ordinary_case = pytest.mark.parametrize(
    "each", ORDINARY, ids=lambda each: f"{each.model} {each.kind}"
)


@cache
def exported(model: str) -> V1Export:
    folder = GRAMMARS / model
    return export_v1(template_of(folder / EXTENDED), read_origin(folder).example)


def read(case: Case) -> Any:
    v1 = compile_template(exported(case.template.parent.name).spec)
    return v1.parse(
        case.text, prefix=case.prefix, tools=list(case.tools), finish_reason=case.finish_reason
    )


@every_ordinary_case
def test_ordinary_replies(each: Ordinary) -> None:
    is_same = is_right(each.case, read(each.case))
    loss = LOST.get(each.model) if each.kind == "call" else None
    assert is_same == (loss is None)
    assert loss is None or loss in [lost.pointer for lost in exported(each.model).losses]


def test_there_are_such_replies() -> None:
    models = {path.parent.name for path in GRAMMARS.glob(f"*/{EXTENDED}")}
    assert {each.model for each in ORDINARY if each.kind == "answer"} == models
    calls = {each.model for each in ORDINARY if each.kind == "call"}
    assert models - calls == {"exaone_deep", "kimi_vl", "phi4_reasoning"}  # which write none
