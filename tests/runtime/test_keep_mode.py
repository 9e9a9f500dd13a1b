"""`on_error="keep"`: a region whose value cannot be made costs nothing but itself."""

from __future__ import annotations

import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime.errors import ParseError
from tests.runtime.feeding import chunkings, cut, joined_lists, stream, whole, without_events
from tests.runtime.models import PARSERS, markers_of, parsers_of
from tests.runtime.templates import BOX_PIECES, PIECES, SMALL, TEMPLATES, compiled

QWEN3 = parsers_of("qwen3")
DEEP = "[" * 100_000
TOOLS = [{"name": "f", "parameters": {"properties": {"a": {"type": "array"}}}}]


def malformed(field: str, reason: str, message: str, raw: str, start: int) -> dict[str, Any]:
    span = [start, start + len(raw)]
    return {
        "type": "region_malformed",
        "field": field,
        "reason": reason,
        "message": message,
        "raw": raw,
        "span": span,
    }


UNFINISHED = "the text ended inside the region (finish_reason is 'length')"
NOT_AN_INT = "invalid literal for int() with base 10: "
# Text, finish reason, its failure if any, and the message without it.
FAILURES = {
    "content": (
        "é\U0001f600<n>x</n>a<n>1</n>b",
        None,
        malformed("count", "content", NOT_AN_INT + "'x'", "x", 5),
        {"role": "assistant", "content": "é\U0001f600|a|b", "count": 1},
    ),
    "content of a call": (
        '<n>1</n><c f>{"a"</c>b',
        None,
        malformed(
            "call",
            "content",
            "not JSON: Expecting ':' delimiter at line 1, column 5 (offset 4), near '{\"a\"'",
            '{"a"',
            13,
        ),
        {"role": "assistant", "content": "b", "count": 1},
    ),
    "transform": (
        "<n>1</n>a<c>{}</c>b",
        "length",
        malformed(
            "call",
            "transform",
            "placeholder {name} is not defined; defined are: none",
            "{}",
            12,
        ),
        {"role": "assistant", "content": "a|b", "count": 1},
    ),
    "unfinished, whatever its text": (
        "<n>1</n><c f>{}",
        "length",
        malformed("call", "unfinished", UNFINISHED, "{}", 13),
        {"role": "assistant", "count": 1},
    ),
    "open at the end, but whole": (
        "a<n>1</n><n>2",
        None,
        None,
        {"role": "assistant", "content": "a", "count": 2},
    ),
    "unfinished inside its closer": (
        "a<n>1</n><n>2</",
        None,
        malformed("count", "unfinished", NOT_AN_INT + "'2</'", "2</", 12),
        {"role": "assistant", "content": "a", "count": 1},
    ),
    "missing": (
        "a<c f>{}</c>",
        "stop",
        malformed("count", "missing", "required, but the text has no value for it", "", 12),
        {
            "role": "assistant",
            "content": "a",
            "call": [{"type": "function", "function": {"name": "f", "arguments": {}}}],
        },
    ),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_is_an_event_and_an_error(name: str) -> None:
    text, finish_reason, event, message = FAILURES[name]
    parser = compiled("box").Parser("", on_error="keep")
    events = parser.feed(text)
    found_message, last = parser.finalize(finish_reason)
    assert found_message == message
    found = [each for each in [*events, *last] if each["type"] == "region_malformed"]
    assert found == parser.errors == ([event] if event else [])
    parsed = compiled("box").parse_result(
        text, prefix="", on_error="keep", finish_reason=finish_reason
    )
    assert parsed == (message, found)


@pytest.mark.parametrize("name", FAILURES)
def test_raising_tells_the_same(name: str) -> None:
    text, finish_reason, event, message = FAILURES[name]
    if event is None:
        assert compiled("box").parse(text, prefix="", finish_reason=finish_reason) == message
        return
    with pytest.raises(ParseError) as caught:
        compiled("box").parse(text, prefix="", finish_reason=finish_reason)
    error = caught.value
    assert (error.field, error.reason, error.detail) == (
        event["field"],
        event["reason"],
        event["message"],
    )
    assert (list(error.span), error.raw) == (event["span"], event["raw"])


def test_arguments_that_cannot_be_cast_are_a_failure_of_their_own() -> None:
    text = f'a<c f>{{"a": "{DEEP}"}}</c><n>1</n>'
    message, (error,) = compiled("box").parse_result(text, prefix="", tools=TOOLS, on_error="keep")
    assert message == {"role": "assistant", "content": "a", "count": 1}
    assert (error["field"], error["reason"]) == ("call", "tools")
    assert error["raw"] == text[error["span"][0] : error["span"][1]] == f'{{"a": "{DEEP}"}}'
    with pytest.raises(RecursionError):
        compiled("box").parse(text, prefix="", tools=TOOLS)


def test_a_malformed_region_ends_in_place_of_its_close() -> None:
    parser = compiled("box").Parser("", on_error="keep")
    kinds = [(event["type"], event["field"]) for event in parser.feed("a<n>x</n>b<n>1</n>")]
    assert kinds == [
        ("region_open", "content"),
        ("region_chunk", "content"),
        ("region_close", "content"),
        ("region_open", "count"),
        ("region_chunk", "count"),
        ("region_malformed", "count"),
        ("region_open", "content"),
        ("region_chunk", "content"),
        ("region_close", "content"),
        ("region_open", "count"),
        ("region_chunk", "count"),
        ("region_close", "count"),
    ]


def test_the_prefix_counts_backwards() -> None:
    parser = compiled("box").Parser("x<s>é<n>ab", on_error="keep")
    parser.feed("c</n>")
    assert [error["span"] for error in parser.errors] == [[-2, 1]]
    parser = compiled("box").Parser("<n>é</n>z<s>a<n>é</n>b", on_error="keep")
    assert [error["span"] for error in parser.errors] == [[-6, -5]]
    assert [event["type"] for event in parser.initial_events].count("region_malformed") == 1


def test_a_missing_anchor_is_told_once(caplog: pytest.LogCaptureFixture) -> None:
    for text in ("a", "<tool_call>{"):
        caplog.clear()
        with caplog.at_level("WARNING", "chatc"):
            QWEN3.parse(text, prefix="no anchor ", on_error="keep")
        assert len(caplog.records) == 1


def test_text_fields_always_close() -> None:
    for finish_reason in (None, "stop", "length"):
        message, errors = compiled("box").parse_result(
            "<n>1</n>a<t>b</", prefix="", on_error="keep", finish_reason=finish_reason
        )
        assert message == {"role": "assistant", "count": 1, "content": "a", "thinking": "b</"}
        assert errors == []


# What becomes of an open call: None for its value, or the failure's reason.
OPEN_CALLS = [
    ("{}", None, None),
    ("{}", "stop", None),
    ("{}", "length", "unfinished"),
    ("{", None, "unfinished"),
    ("{", "stop", "content"),
    ("{", "length", "unfinished"),
    ("{}</c>", "length", None),
    ("{</c>", "length", "content"),
    ("{</c>", None, "content"),
    ("{}</", None, "unfinished"),
    ("{}</", "length", "unfinished"),
    ("{}</c", "stop", "content"),
    ("{}", "tool_calls", None),  # another server's word for "stop"
]


@pytest.mark.parametrize(("body", "finish_reason", "reason"), OPEN_CALLS)
@pytest.mark.parametrize("streamed", [True, False])
def test_why_generation_ended(
    body: str, finish_reason: str | None, reason: str | None, streamed: bool
) -> None:
    def parse(on_error: str) -> Any:
        text = "<n>1</n><c f>" + body
        if not streamed:
            return compiled("box").parse_result(
                text, prefix="", on_error=on_error, finish_reason=finish_reason
            )
        parser = compiled("box").Parser("", on_error=on_error)
        for character in text:
            parser.feed(character)
        return parser.finalize(finish_reason)[0], parser.errors

    message, errors = parse("keep")
    assert [error["reason"] for error in errors] == ([reason] if reason else [])
    assert ("call" in message) == (reason is None)
    if reason is None:
        assert parse("raise") == (message, [])
    else:
        with pytest.raises(ParseError) as caught:
            parse("raise")
        assert caught.value.reason == reason


@pytest.mark.parametrize("on_error", ["ignore", "", "Keep", None, []])
def test_other_modes_are_refused(on_error: Any) -> None:
    for run in (
        lambda: compiled("box").Parser("", on_error=on_error),
        lambda: compiled("box").parse("<n>1</n>", prefix="", on_error=on_error),
        lambda: QWEN3.parse_batch(["a"], prefixes="", on_error=on_error),
    ):
        with pytest.raises(ValueError, match="on_error must be 'raise' or 'keep'"):
            run()


@settings(deadline=None, max_examples=300)
@given(st.data())
def test_spans_are_where_the_text_lies(data: st.DataObject) -> None:
    text = data.draw(joined_lists([*BOX_PIECES, "<n>", "</n>", "<c>", "</c>"], 24))
    own = data.draw(st.integers(0, len(text)))
    if "<s>" in text[:own]:
        own = 0
    chunks = cut(text[own:], data.draw(chunkings()))
    finish_reason = data.draw(st.sampled_from([None, "stop", "length"]))
    parser = compiled("box").Parser(text[:own], TOOLS, "keep")
    events = list(parser.initial_events)
    for chunk in chunks:
        events += parser.feed(chunk)
    events += parser.finalize(finish_reason)[1]
    assert [event for event in events if event["type"] == "region_malformed"] == parser.errors
    for error in parser.errors:
        start, end = (place + own for place in error["span"])
        assert 0 <= start <= end <= len(text)
        assert text[start:end] == error["raw"]
    raw = ""
    for event in events:
        if event["type"] == "region_open":
            raw = ""
        elif event["type"] == "region_chunk":
            raw += event["text"]
        elif event["type"] == "region_malformed" and event["reason"] != "missing":
            assert event["raw"] == raw


def check_one_answer(
    parsers: Any, pieces: tuple[str, ...], tools: list[Any] | None, data: st.DataObject
) -> None:
    """Every way of feeding a text keeps the same failures."""
    text = data.draw(joined_lists(pieces, 16))
    finish_reason = data.draw(st.sampled_from([None, "stop", "length"]))
    once = stream(parsers, "", [text], "keep", tools, finish_reason)
    chunks = cut(text, data.draw(chunkings()))
    assert stream(parsers, "", chunks, "keep", tools, finish_reason) == once
    assert whole(parsers, "", text, "keep", tools, finish_reason) == without_events(once)


@pytest.mark.parametrize("finish_reason", [None, "stop", "length"])
@pytest.mark.parametrize("name", SMALL)
def test_one_call_answers_as_a_stream_does(name: str, finish_reason: str | None) -> None:
    text = SMALL[name]
    streamed = stream(compiled(name), "", text, "keep", TOOLS, finish_reason)
    at_once = whole(compiled(name), "", text, "keep", TOOLS, finish_reason)
    assert at_once == without_events(streamed)


@settings(deadline=None, max_examples=120)
@given(st.data())
def test_failures_do_not_depend_on_the_chunks(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(TEMPLATES)))
    check_one_answer(compiled(name), PIECES[name], TOOLS, data)
    parser = data.draw(st.sampled_from(PARSERS))
    check_one_answer(parsers_of(parser), markers_of(parser), TOOLS, data)


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_what_follows_is_parsed_as_after_a_good_region(data: st.DataObject) -> None:
    """A broken region and a good one leave the same message but for their own value."""
    around = st.lists(
        st.sampled_from(["a", "b ", "<t>x</t>", "<n>1</n>", "<n>2</n>", "<c g>{}</c>"]), max_size=6
    ).map("".join)
    before, after = data.draw(around), data.draw(around)

    def parse(body: str) -> Any:
        text = f"<n>0</n>{before}<c mine>{body}</c>{after}"
        return compiled("box").parse_result(text, prefix="", on_error="keep")

    (broken, errors), (good, none) = parse("{"), parse("{}")
    assert len(errors) == 1
    assert none == []
    others = [call for call in good.pop("call") if call["function"]["name"] != "mine"]
    assert broken.pop("call", []) == others
    assert broken == good


BAD = '<tool_call>{"name"</tool_call>'
OPEN = '<tool_call>{"name": "f", "arguments": {}}'


def test_a_batch_is_parsed_in_order() -> None:
    texts = ["a", f"b{BAD}c", "d</think>e"]
    kept = QWEN3.parse_batch(texts, prefixes="", on_error="keep")
    assert [message.get("content") for message in kept] == ["a", "b\n\nc", "d\n\ne"]
    with pytest.raises(ParseError):
        QWEN3.parse_batch(texts, prefixes="")


def test_a_batch_takes_one_prefix_or_one_for_each_text() -> None:
    thinking = "<|im_start|>assistant\n<think>"
    one = QWEN3.parse_batch(["a", "b"], prefixes=thinking)
    assert one == [{"role": "assistant", "reasoning_content": text} for text in "ab"]
    each = QWEN3.parse_batch(("a", "b"), prefixes=(thinking, ""))
    assert each == [one[0], {"role": "assistant", "content": "b"}]
    assert QWEN3.parse_batch([], prefixes=[]) == []
    with pytest.raises(ValueError, match="1 prefixes for 2 texts"):
        QWEN3.parse_batch(["a", "b"], prefixes=[""])
    with pytest.raises(ValueError, match="prefix is required"):
        QWEN3.parse_batch(["a"])


def test_a_batch_takes_one_finish_reason_or_one_for_each_text() -> None:
    def calls(finish_reasons: Any) -> list[bool]:
        messages = QWEN3.parse_batch(
            [OPEN, OPEN], prefixes="", on_error="keep", finish_reasons=finish_reasons
        )
        return ["tool_calls" in message for message in messages]

    assert calls(None) == calls("stop") == calls(["stop", None]) == [True, True]
    assert calls("length") == [False, False]
    assert calls(("length", "stop")) == [False, True]
    with pytest.raises(ValueError, match="3 finish_reasons for 2 texts"):
        calls(["stop"] * 3)


def test_batches_run_in_other_processes() -> None:
    generated = parsers_of("extended/qwen3")
    for module in (QWEN3, generated):
        assert pickle.loads(pickle.dumps(module.parse_batch)) is module.parse_batch
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        kept = pool.submit(QWEN3.parse_batch, ["a", BAD], prefixes="", on_error="keep")
        dropped = pool.submit(generated.parse_batch, ["a", BAD], prefixes="")
        raised = pool.submit(QWEN3.parse_batch, [BAD], prefixes="")
        assert kept.result() == [{"role": "assistant", "content": "a"}, {"role": "assistant"}]
        assert dropped.result() == kept.result()
        with pytest.raises(ParseError) as caught:
            raised.result()
    assert (caught.value.field, caught.value.reason) == ("tool_calls", "content")
