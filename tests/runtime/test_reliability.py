"""Any text at all: only ParseError, one answer for every chunking, values however deep or long."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime.errors import ParseError
from tests.runtime.feeding import chunkings, cut, joined_lists, stream, whole, without_events
from tests.runtime.models import EXTENDED, MODELS, PARSERS, folder_of, markers_of, parsers_of
from tests.runtime.templates import PIECES, TEMPLATES, compiled

TOOLS = [
    {
        "function": {
            "name": "f",
            "parameters": {"properties": {"a": {"type": ["integer", "number", "object", "array"]}}},
        }
    }
]
# Lone surrogates, NUL, controls, the marks of the JSON dialect, digits and spaces of other scripts.
ODD = "\0\x01\x02\x1b\x1c\x7f\x85\xa0\u200b\u2028\ufeff\ufffe\ud800\udfff\U0010ffff٣３Ⅷ\u3000ſİ"
VALUES = (
    *('{"a": 1}', '{"name": "f", "arguments": {"a": "7"}}', "[f(a=1)]", "[f(", "{", "}", "[", "]"),
    *('"', "'", "\\", "\\u00", "\\ud800", ",", ":", "=", "1e999", "-", "NaN", "a:", "٣", "null"),
)


def texts_of(pieces: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Texts of markers, halves of markers, values and anything else."""
    anything = st.text(
        st.one_of(st.sampled_from(ODD), st.characters(codec=None, categories=None)), max_size=6
    )
    markers = joined_lists(pieces, 8)
    mixed = st.lists(st.one_of(markers, joined_lists(VALUES, 4), markers, anything), max_size=6)
    return mixed.map("".join)


def check_any_text(
    parsers: Any, pieces: tuple[str, ...], data: st.DataObject, may_raise: bool = True
) -> None:
    text = data.draw(texts_of(pieces))
    prefix = data.draw(st.sampled_from(["", "", text[: len(text) // 2]]))
    chunks = cut(text, data.draw(chunkings()))
    finish_reason = data.draw(st.sampled_from([None, "stop", "length"]))
    for on_error in ("raise", "keep"):
        once = stream(parsers, prefix, [text], on_error, TOOLS, finish_reason)
        assert (may_raise and on_error == "raise") or not once.message.startswith("{'class'")
        assert stream(parsers, prefix, chunks, on_error, TOOLS, finish_reason) == once
        assert stream(parsers, prefix, text, on_error, TOOLS, finish_reason) == once
        at_once = whole(parsers, prefix, text, on_error, TOOLS, finish_reason)
        assert at_once == without_events(once)


@settings(deadline=None, max_examples=100)
@given(st.data())
@pytest.mark.parametrize("model", MODELS)
def test_any_text_for_a_model(model: str, data: st.DataObject) -> None:
    check_any_text(parsers_of(model), markers_of(model), data)


@settings(deadline=None, max_examples=20)
@given(st.data())
@pytest.mark.parametrize("name", EXTENDED)
def test_any_text_for_a_generated_parser(name: str, data: st.DataObject) -> None:
    """Its template says what becomes of broken regions, so nothing is raised."""
    check_any_text(parsers_of(name), markers_of(name), data, may_raise=False)


@settings(deadline=None, max_examples=100)
@given(st.data())
@pytest.mark.parametrize("name", TEMPLATES)
def test_any_text_for_a_template(name: str, data: st.DataObject) -> None:
    check_any_text(compiled(name), PIECES[name], data)


# A call of each model, around its arguments or, where it has no place for bare JSON, its value.
CALLS = {
    "cohere_command_r7b": '<|START_ACTION|>[{"tool_name": "f", "parameters": %s}]<|END_ACTION|>',
    "deepseek_r1_distill": "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n"
    "```json\n%s\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    "ernie4_5": '<tool_call>{"name": "f", "arguments": %s}</tool_call>',
    "gemma4": "<|tool_call>call:f{a:%s}<tool_call|>",
    "gpt_oss": "<|channel|>commentary to=functions.f<|message|>%s<|call|>",
    "inkling": '<|content_invoke_tool_json|>{"name": "f", "args": %s}<|end_message|>',
    "lfm2": "<|tool_call_start|>[f(a=%s)]<|tool_call_end|>",
    "qwen3": '<tool_call>{"name": "f", "arguments": %s}</tool_call>',
    "smollm3": '<tool_call>{"name": "f", "arguments": %s}</tool_call>',
}
HUGE = {
    "deep lists": "[" * 100_000,
    "deep closed lists": "[" * 100_000 + "]" * 100_000,
    "deep dicts": '{"a":' * 50_000,
    "a long integer": "1" * 10_000,
}


@pytest.mark.parametrize("value", HUGE)
@pytest.mark.parametrize("model", CALLS)
def test_values_too_deep_or_too_long(model: str, value: str) -> None:
    text = f"a{CALLS[model] % HUGE[value]}"
    module = parsers_of(model)
    with pytest.raises(ParseError) as caught:
        module.parse(text, prefix="")
    assert caught.value.field == "tool_calls"
    message, (error,) = module.parse_result(text, prefix="", on_error="keep")
    assert "tool_calls" not in message
    assert error["reason"] == "content"
    assert len(error["message"]) < 1000
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize("value", HUGE)
@pytest.mark.parametrize("name", [name for name in EXTENDED if folder_of(name) in CALLS])
def test_calls_too_deep_or_too_long_are_kept_as_errors(name: str, value: str) -> None:
    """A template of the dialect says what becomes of them: nothing is raised, nothing is lost."""
    text = f"a{CALLS[folder_of(name)] % HUGE[value]}"
    parser = parsers_of(name).Parser("")
    events = [*parser.feed(text), *parser.finalize()[1]]
    (malformed,) = (event for event in events if event["type"] == "region_malformed")
    assert (malformed["field"], malformed["reason"]) == ("tool_calls", "content")
    assert len(malformed["message"]) < 1000
    assert "tool_calls" not in parser.message
    assert parser.errors == [malformed]
    assert parsers_of(name).parse(text, prefix="") == parser.message


@pytest.mark.parametrize("text", HUGE.values(), ids=list(HUGE))
def test_arguments_too_deep_or_too_long_to_cast(text: str) -> None:
    call = f'{{"name": "f", "arguments": {json.dumps({"a": text})}}}'
    message, errors = parsers_of("qwen3").parse_result(
        f"<tool_call>{call}</tool_call>", prefix="", tools=TOOLS, on_error="keep"
    )
    if text.isdigit():  # no int or float holds it: the text stays
        assert message["tool_calls"][0]["function"]["arguments"] == {"a": text}
    else:
        assert [error["reason"] for error in errors] == ["tools"]


@pytest.mark.parametrize("name", PARSERS)
def test_a_megabyte_of_markers(name: str) -> None:
    text = "".join(Random(1).choices(markers_of(name), k=150_000))[:1_000_000]
    assert len(text) == 1_000_000
    parsers = parsers_of(name)
    once = whole(parsers, "", text, "keep")
    chunks = [text[start : start + 1000] for start in range(0, len(text), 1000)]
    assert without_events(stream(parsers, "", chunks, "keep")) == once
