"""A parser saved as JSON goes on as if nothing had happened, and shares nothing with its copies."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime.errors import ParseError, StateError
from tests.runtime.feeding import chunkings, cut, feed_all, joined, joined_lists, stream
from tests.runtime.models import (
    EXTENDED,
    MODELS,
    PARSERS,
    Example,
    examples_of,
    markers_of,
    parsers_of,
)
from tests.runtime.templates import PIECES, SMALL, TEMPLATES, compiled

TOOLS = [{"name": "f", "parameters": {"properties": {"a": {"type": "integer"}}}}]
CALL = '<tool_call>{"name": "f", "arguments": {"a": "3", "b": []}}</tool_call>'


def through_json(parser: Any) -> Any:
    return type(parser).from_state(json.loads(json.dumps(parser.state())))


WAYS: dict[str, Callable[[Any], Any]] = {
    "state": through_json,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda parser: pickle.loads(pickle.dumps(parser)),
}


def check_split(compiled: Any, prefix: str, text: str, at: int, on_error: str) -> None:
    """Both the saved parser and the one that was saved end as if there had been no saving."""
    parser = compiled.Parser(prefix, TOOLS, on_error)
    expected = stream(compiled, prefix, [text], on_error, TOOLS)
    head = parser.feed(text[:at])
    twin = through_json(parser)
    assert twin.state() == parser.state()
    for each in (twin, parser):
        each.initial_events = [*each.initial_events, *head]
        assert feed_all(each, [text[at:]]) == expected


PLACED = [
    *(examples_of(model)[number] for model in MODELS for number in (2, 5, 9)),
    *(examples_of(name)[3] for name in EXTENDED),
]


@pytest.mark.parametrize("example", PLACED)
def test_every_place_of_a_case(example: Example) -> None:
    for at in range(len(example.text) + 1):
        check_split(parsers_of(example.parser), example.prefix, example.text, at, "keep")


@pytest.mark.parametrize("name", SMALL)
def test_every_place_of_a_small_text_fed_by_the_character(name: str) -> None:
    text = SMALL[name]
    expected = stream(compiled(name), "", [text], "keep", TOOLS)
    for at in range(len(text) + 1):
        parser = compiled(name).Parser("", TOOLS, "keep")
        parser.initial_events = [event for each in text[:at] for event in parser.feed(each)]
        twin = through_json(parser)
        assert feed_all(twin, text[at:]) == expected
        assert feed_all(parser, text[at:]) == expected


@settings(deadline=None, max_examples=200)
@given(st.data())
def test_any_place_of_any_text(data: st.DataObject) -> None:
    model = data.draw(st.sampled_from(PARSERS))
    name = data.draw(st.sampled_from(sorted(TEMPLATES)))
    for parsers, pieces in ((parsers_of(model), markers_of(model)), (compiled(name), PIECES[name])):
        text = data.draw(joined_lists(pieces, 14))
        at = data.draw(st.integers(0, len(text)))
        try:
            check_split(parsers, "", text, at, "keep")
            check_split(parsers, "", text, at, "raise")
        except ParseError:
            pass  # the text fails before the place


@settings(deadline=None, max_examples=200)
@given(st.data())
def test_saving_between_any_two_chunks(data: st.DataObject) -> None:
    """Saved, or merely looked at, before every chunk."""
    model = data.draw(st.sampled_from(PARSERS))
    name = data.draw(st.sampled_from(sorted(TEMPLATES)))
    for parsers, pieces in ((parsers_of(model), markers_of(model)), (compiled(name), PIECES[name])):
        text = data.draw(joined_lists(pieces, 14))
        chunks = cut(text, data.draw(chunkings()))
        expected = stream(parsers, "", chunks, "keep", TOOLS)
        for restores in (True, False):
            parser = parsers.Parser("", TOOLS, "keep")
            events: list[Any] = []
            for chunk in chunks:
                if restores:
                    parser = through_json(parser)
                else:
                    parser.state()
                events += parser.feed(chunk)
            parser.initial_events = events
            assert feed_all(parser, []) == expected


@pytest.mark.parametrize("way", WAYS.values(), ids=list(WAYS))
@pytest.mark.parametrize(
    ("name", "head", "tail"),
    [
        ("qwen3", "<think>a</thi", "nk>b" + CALL),
        ("qwen3", "  \n ", "a"),  # white space that an opener may swallow
        ("qwen3", CALL + " \n", "a"),
        ("gpt_oss", "<|channel|>analysis and a long " + "header " * 40, "<|message|>a<|end|>"),
        ("gpt_oss", "<|channel|>commentary to=functions.f ", "x<|message|>{}<|call|>"),
        ("qwen3_coder", "<tool_call>\n<function=f", ">\n</function>\n</tool_call>"),
        ("gemma4", "a<|tool_call>call:f", '{a:<|"|>b<|"|>}<tool_call|>'),
        ("extended/qwen3", "<think>a</thi", "nk>b" + CALL),
        ("extended/qwen3", "<think>a\n<tool_ca", CALL[len("<tool_ca") :]),  # two may end the region
        ("extended/qwen3", '<tool_call>["</tool_', 'call>"]</tool_call>'),  # a closer in a string
        ("extended/qwen3", CALL + " <|im", "_end|> "),  # what is ignored
        ("extended/qwen3_coder", "<tool_call>\n<function=f", ">\n</function>\n</tool_call>"),
    ],
)
def test_every_way_in_the_middle_of_a_hold(
    way: Callable[[Any], Any], name: str, head: str, tail: str
) -> None:
    parsers = parsers_of(name)
    expected = stream(parsers, "", [head + tail], "keep", TOOLS)
    parser = parsers.Parser("", TOOLS, "keep")
    events = [event for character in head for event in parser.feed(character)]
    twin = way(parser)
    for each in (twin, parser):
        each.initial_events = events
        assert feed_all(each, tail) == expected


def test_a_state_has_two_futures() -> None:
    parser = parsers_of("qwen3").Parser("")
    parser.feed("<think>a</thi")
    saved = parser.state()
    before = json.dumps(saved)
    futures = []
    for tail in ("nk>b", "s is it"):
        fork = type(parser).from_state(saved)
        fork.feed(tail)
        futures.append(fork.finalize()[0])
    assert futures == [
        {"role": "assistant", "reasoning_content": "a", "content": "b"},
        {"role": "assistant", "reasoning_content": "a</this is it"},
    ]
    assert json.dumps(saved) == before


def test_rolling_back() -> None:
    parser = parsers_of("qwen3").Parser("")
    parser.feed("a")
    saved = parser.state()
    parser.feed(CALL + "<think>wrong")
    parser = type(parser).from_state(saved)
    assert parser.feed("b")[0]["text"] == "b"
    assert parser.finalize()[0] == {"role": "assistant", "content": "ab"}


@pytest.mark.parametrize("way", WAYS.values(), ids=list(WAYS))
def test_a_finished_parser_stays_finished(way: Callable[[Any], Any]) -> None:
    parser = parsers_of("qwen3").Parser("", TOOLS)
    parser.feed("<think>a</think>" + CALL)
    message, _ = parser.finalize()
    twin = way(parser)
    assert twin.message == message
    for run in (lambda: twin.feed("x"), twin.finalize):
        with pytest.raises(RuntimeError, match="finalize was called"):
            run()


def test_a_copy_keeps_the_errors_and_the_first_events() -> None:
    parser = parsers_of("qwen3").Parser("<|im_start|>assistant\na", TOOLS, "keep")
    parser.feed("<tool_call>{</tool_call>b")
    twin = through_json(parser)
    assert twin.errors == parser.errors
    assert [error["reason"] for error in twin.errors] == ["content"]
    assert twin.initial_events == parser.initial_events
    assert joined(twin.initial_events)[-1]["text"] == "a"


@pytest.mark.parametrize("wrong", [None, [], "x", {}, {"format": 1}, {"format": None}, 1])
def test_data_of_another_format_is_refused(wrong: Any) -> None:
    with pytest.raises(StateError, match="not a saved parser state of format 2"):
        parsers_of("qwen3").Parser.from_state(wrong)


def test_a_state_of_another_template_is_refused() -> None:
    saved = parsers_of("qwen3").Parser("").state()
    with pytest.raises(StateError, match=f"saved by a parser of template {saved['template']}"):
        parsers_of("smollm3").Parser.from_state(saved)
    with pytest.raises(StateError, match="not a saved parser state of format 2"):
        parsers_of("qwen3").Parser.from_state({**saved, "format": 1})


BAD: list[Any] = [
    None,
    0,
    -1,
    10**9,
    1.5,
    True,
    "",
    "x",
    "feed",
    "in_nothing",
    [],
    ["x"],
    [1],
    [[1]],
]
BAD += [{}, {"a": 1}, {"a": {"b": "c"}}, {"a": {"b": [1]}}, {"content": "x"}, {"content": [1]}]
TEXTS = {
    "extended/qwen3": f'<think>a{CALL}b</think><tool_call>{{"name": "</tool_call>\\" <|im_end|>',
    "qwen3": f"Hi<think>a</think>b{CALL}c <too",
    "gpt_oss": '<|channel|>commentary to=functions.f<|message|>{"a":"3"}<|call|>z<|channel|>co',
}


def places(data: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value inside the data."""
    if place:
        yield place
    if isinstance(data, (dict, list)):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from places(value, (*place, key))


def damaged(saved: Any, place: tuple[Any, ...]) -> Iterator[Any]:
    """The state with one value replaced, by everything bad, or missing."""
    for bad in [*BAD, ...]:
        data = copy.deepcopy(saved)
        *way, last = place
        inner = data
        for key in way:
            inner = inner[key]
        if bad is ...:
            del inner[last]
        else:
            inner[last] = bad
        yield data


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("at", [0, 5, 33, 50, 10**3])
def test_damaged_data_is_a_state_error(name: str, at: int) -> None:
    """It is refused, or it is a state: then the parser works, on whatever it says."""
    text = TEXTS[name]
    parser = parsers_of(name).Parser("", TOOLS, "keep")
    parser.feed(text[:at])
    saved = json.loads(json.dumps(parser.state()))
    refused = 0
    for place in places(saved):
        for data in damaged(saved, place):
            try:
                twin = type(parser).from_state(data)
            except StateError:
                refused += 1
                continue
            if twin.state()["finished"]:
                continue
            twin.feed(text[at:])
            twin.finalize()
            json.dumps(twin.state())
    assert refused > 200


@pytest.mark.parametrize(
    ("name", "key"),
    [
        (name, key)
        for name in ("qwen3", "extended/qwen3")
        for key in parsers_of(name).Parser("").state()
    ],
)
def test_every_key_is_needed_and_of_its_type(name: str, key: str) -> None:
    parser = parsers_of(name).Parser("")
    parser.feed("<think>a")
    saved = parser.state()
    for bad in (None, 7, 1.5, False, "x", ["x"], {"x": 1}):
        if type(bad) is not type(saved[key]):
            with pytest.raises(StateError):
                type(parser).from_state({**saved, key: bad})
    del saved[key]
    with pytest.raises(StateError):
        type(parser).from_state(saved)


@pytest.mark.parametrize(
    "damage",
    [
        {"position": 2},
        {"position": -1},
        {"state": "in_nothing"},
        {"state": "finalize"},
        {"region": []},
        {"region": ["content"]},
        {"region": [1, False]},
        {"region": ["content", None]},
        {"captures": {"name": 1}},
        {"empty": [1]},
        {"message": {"content": "a"}},
        {"tools": {"f": {"a": "integer"}}},
        {"tools": {"f": {"a": [1]}}},
        {"on_error": "ignore"},
        {"errors": ["x"]},
    ],
)
def test_the_insides_of_a_state_are_checked(damage: dict[str, Any]) -> None:
    parser = parsers_of("qwen3").Parser("")
    saved = parser.state()
    assert len(saved["text"]) < 2
    with pytest.raises(StateError, match="damaged parser state"):
        type(parser).from_state({**saved, **damage})


def spoil(data: Any) -> None:
    """Change everything in the data that can be changed."""
    if isinstance(data, dict):
        for value in list(data.values()):
            spoil(value)
        data["spoiled"] = True
    elif isinstance(data, list):
        for value in data:
            spoil(value)
        data.append("spoiled")


def test_parsers_share_nothing_that_can_change() -> None:
    for name, text in (
        ("box", '<n>1</n>a<c f>{"a": {"b": []}}</c><c f>{</c>b'),
        ("headers", '<call f<m>{"a": []}</m>'),
    ):
        prefix = "<s>" + text
        expected = stream(compiled(name), prefix, [text], "keep", TOOLS)
        parser = compiled(name).Parser(prefix, TOOLS, "keep")
        twin = copy.copy(parser)
        saved = parser.state()
        events = parser.feed(text)
        message, last = parser.finalize()
        for each in (message, events, last, parser.initial_events, parser.errors, parser.message):
            spoil(each)
        spoil(compiled(name).parse_result(text, prefix=prefix, on_error="keep"))
        spoil(twin.state())
        assert feed_all(type(parser).from_state(saved), [text]) == expected
        assert feed_all(twin, [text]) == expected
        assert stream(compiled(name), prefix, [text], "keep", TOOLS) == expected


def test_an_event_and_its_error_share_nothing_that_can_change() -> None:
    parser = compiled("box").Parser("", on_error="keep")
    (event,) = (each for each in parser.feed("<n>x</n>") if each["type"] == "region_malformed")
    before = copy.deepcopy(parser.errors)
    spoil(event)
    assert parser.errors == before
