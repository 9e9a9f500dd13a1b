"""The structure of the extended dialect: against the grammar run by Lark, and however it is fed."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compiler import CompiledTemplate, compile_template
from compiler.frontend.load import load
from compiler.pipeline import compile_source
from runtime.errors import ParseError
from tests.differential.dialect_strategies import dialect_templates, dialect_texts, only_text
from tests.differential.oracle import oracle_regions
from tests.differential.strategies import chunkings
from tests.runtime.feeding import Outcome, failed, feed_all, stream, whole, without_events

many = settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
any_reason = st.sampled_from([None, "stop", "length"])
any_handling = st.sampled_from(["raise", "keep"])


@many
@given(st.data())
def test_regions_are_those_of_the_grammar(data: st.DataObject) -> None:
    spec = only_text(data.draw(dialect_templates()))
    compiled, stages = compile_template(spec), compile_source(load(spec))
    for _ in range(5):
        text = data.draw(dialect_texts(spec))
        parser = compiled.Parser("")
        events = [event for chunk in data.draw(chunkings(text)) for event in parser.feed(chunk)]
        events += parser.finalize("stop")[1]
        assert _regions(events) == oracle_regions(stages.grammar, stages.grammar_text, text)


@many
@given(st.data())
def test_every_way_of_feeding_is_the_same(data: st.DataObject) -> None:
    spec = data.draw(dialect_templates())
    compiled = compile_template(spec)
    for _ in range(5):
        text = data.draw(dialect_texts(spec))
        chunks = data.draw(chunkings(text))
        on_error, reason = data.draw(any_handling), data.draw(any_reason)
        expected = stream(compiled, "", [text], on_error, finish_reason=reason)
        assert stream(compiled, "", chunks, on_error, finish_reason=reason) == expected
        assert whole(compiled, "", text, on_error, finish_reason=reason) == without_events(expected)
        assert _resumed(compiled, chunks, on_error, reason) == expected


@many
@given(st.data())
def test_the_prompt_may_have_written_any_part(data: st.DataObject) -> None:
    spec = data.draw(dialect_templates())
    compiled = compile_template(spec)
    text = data.draw(dialect_texts(spec))
    on_error, reason = data.draw(any_handling), data.draw(any_reason)
    expected = _placeless(stream(compiled, "", [text], on_error, finish_reason=reason))
    for at in range(len(text) + 1):
        prefix, rest = f"@{text[:at]}", [text[at:]]
        assert _placeless(stream(compiled, prefix, rest, on_error, None, reason)) == expected


@many
@given(st.data())
def test_events_say_what_the_message_and_the_text_say(data: st.DataObject) -> None:
    spec = data.draw(dialect_templates())
    compiled = compile_template(spec)
    for _ in range(5):
        text = data.draw(dialect_texts(spec))
        parser = compiled.Parser("", on_error="keep")
        try:
            events = [event for chunk in data.draw(chunkings(text)) for event in parser.feed(chunk)]
            message, last = parser.finalize(data.draw(any_reason))
        except ParseError:
            continue
        for field in ("content", "think"):
            chunks = [each.get("text", "") for each in [*events, *last] if each["field"] == field]
            assert message.get(field, "") == "".join(chunks)
        for event in [*events, *last]:
            if event["type"] == "region_malformed":
                start, end = event["span"]
                assert text[start:end] == event["raw"]


def _resumed(
    compiled: CompiledTemplate, chunks: list[str], on_error: str, reason: str | None
) -> Outcome:
    """Every chunk is fed to a parser restored from its saved state."""
    parser = compiled.Parser("", on_error=on_error)
    events: list[Any] = []
    try:
        for chunk in chunks:
            parser = compiled.Parser.from_state(json.loads(json.dumps(parser.state())))
            events += parser.feed(chunk)
    except ParseError as error:
        return failed(error, events, parser.errors)
    parser = compiled.Parser.from_state(json.loads(json.dumps(parser.state())))
    parser.initial_events = events
    return feed_all(parser, [], reason)


def _placeless(outcome: Outcome) -> Outcome:
    """Without spans, which count from where the prompt ends."""
    message, events, errors = (
        re.sub(r"'span': [\[(][-0-9, ]*[\])]", "", value)
        for value in (outcome.message, outcome.events, outcome.errors)
    )
    return replace(outcome, message=message, events=events, errors=errors)


def _regions(events: list[Any]) -> list[tuple[str, str]]:
    """Field and text of each region, in the order of their openers."""
    regions: list[tuple[str, str]] = []
    opened: list[int] = []
    for event in events:
        if event["type"] == "region_open":
            opened.append(len(regions))
            regions.append((event["field"], ""))
        elif event["type"] == "region_chunk":
            field, text = regions[opened[-1]]
            assert field == event["field"]
            regions[opened[-1]] = (field, text + event["text"])
        else:
            field, _ = regions[opened.pop()]
            assert field == event["field"]
    return regions
