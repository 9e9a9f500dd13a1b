"""The generated parser against its own region grammar, run by Lark, and the grammar's weight."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from compiler import compile_template
from compiler.frontend.load import load
from compiler.pipeline import compile_source
from tests.differential.compare import streamed
from tests.differential.oracle import oracle_regions
from tests.differential.reference import load_reference
from tests.differential.strategies import chunkings, templates, texts


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_regions_are_those_of_the_grammar(data: st.DataObject) -> None:
    spec = _only_text(data.draw(templates()))
    try:
        load_reference(spec)
    except ValueError:
        assume(False)
    compiled, stages = compile_template(spec), compile_source(load(spec))
    for _ in range(5):
        text = data.draw(texts(spec))
        outcome = streamed(compiled, "", data.draw(chunkings(text)))
        if outcome.error is None:
            expected = oracle_regions(stages.grammar, stages.grammar_text, text)
            assert _regions(outcome.events) == expected


def test_the_grammar_text_decides_what_the_parser_does() -> None:
    spec = {
        "start_anchor": "@",
        "fields": {
            "think": {"open": "<t>", "close": "</t>"},
            "content": {"close": "<end>"},
        },
    }
    stages = compile_source(load(spec))
    start = "start: (think | content | _stray)* [unclosed]"
    unclosed = "?unclosed: THINK_OPEN [THINK_TEXT] -> think"
    assert start in stages.grammar_text
    assert unclosed in stages.grammar_text
    assert "in_think" in stages.module
    edited = stages.grammar_text.replace(start, "start: (content | _stray)*")
    edited = edited.replace(unclosed, "")
    without = compile_source(load(spec), grammar_text=edited).module
    assert "in_think" not in without
    module: dict[str, Any] = {}
    exec(without, module)
    assert module["parse"]("a<t>b</t>c<end>", prefix="") == {"content": "a<t>b</t>c"}


def _only_text(spec: dict[str, Any]) -> dict[str, Any]:
    """The template with all contents text, so that hardly any value fails."""
    for field in spec["fields"].values():
        field.pop("content", None)
        field.pop("content_args", None)
        field.pop("transform_each", None)
        field.pop("optional", None)
    return spec


def _regions(events: tuple[Any, ...]) -> list[tuple[str, str]]:
    regions: list[tuple[str, str]] = []
    for event in events:
        if event["type"] == "region_open":
            regions.append((event["field"], ""))
        elif event["type"] == "region_chunk":
            field, text = regions[-1]
            regions[-1] = (field, text + event["text"])
    return regions
