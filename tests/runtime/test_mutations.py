"""The comparisons of the other tests can fail: each rule, once broken, changes an answer.

The corpus is small and fixed: the cases of the v1 templates, and a few texts for what they do not
need. A mutation is a rule taken out of the runtime for the length of one test.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import runtime.api
import runtime.parser
from runtime.errors import ParseError
from runtime.parser import StreamParser
from runtime.scan import Found
from runtime.stream import Stream
from runtime.watch import Watch
from tests.runtime.models import MODELS, Example, examples_of, parsers_of
from tests.runtime.templates import compiled

CORPUS = [
    *(example for model in MODELS for example in examples_of(model)),
    # The longest delimiter wins, then the opener, then the field's name.
    Example("rivals", "", "<<z!", {"b": "z"}),
    Example("rivals", "", "x<z>y#w!", {"rest": "y", "a": "z", "b": "w"}),
    Example("rivals", "", "x##y", {"rest": "y"}),
    # What lies behind a delimiter decides, though it has been sent on.
    Example("looking", "", "xbaq\n-", {"behind": "q", "content": "-"}),
    Example("looking", "", " ab x</a>y", {"word": "x", "content": "y"}),
    Example("looking", "", "zab x</a>y", {"content": "zab x</a>y"}),
    # What takes no width never matches at the very end.
    Example("starting", "", "", {}),
    Example("starting", "", "a", {"flag": False}),
]


def parsers_for(example: Example) -> Any:
    return parsers_of(example.parser) if example.parser in MODELS else compiled(example.parser)


def streamed(example: Example) -> Any:
    """The message of the text, one character at a time."""
    parser = parsers_for(example).Parser(example.prefix)
    for character in example.text:
        parser.feed(character)
    return parser.finalize()[0]


def at_once(example: Example) -> Any:
    return parsers_for(example).parse(example.text, prefix=example.prefix)


def events_before_the_end(example: Example) -> int:
    parser = parsers_for(example).Parser(example.prefix)
    return sum(len(parser.feed(character)) for character in example.text)


def differences(parse: Callable[[Example], Any] = streamed) -> list[str]:
    """The texts of the corpus that are not parsed as they should be."""
    wrong = []
    for example in CORPUS:
        try:
            found = parse(example)
        except (ParseError, AssertionError, RuntimeError) as error:
            found = error
        if found != example.expected:
            wrong.append(f"{example.parser}: {example.text!r}: {found}")
    return wrong


def watches_of(template: str) -> list[Watch]:
    values = compiled(template).Parser.start.__globals__.values()
    return [value for value in values if isinstance(value, Watch)]


def rivalries() -> list[Watch]:
    """The watches in which two delimiters may match at one place."""
    watches = [watch for watch in watches_of("rivals") if watch._rivals]
    assert watches
    return watches


def test_the_rules_as_they_are() -> None:
    assert differences() == []
    assert differences(at_once) == []


def test_without_the_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    find = Watch.find

    def hasty(watch: Watch, text: str, position: int, final: bool) -> Found | None:
        found = find(watch, text, position, final)
        is_complete = found is not None and found[0] is not None
        return found if is_complete else None

    monkeypatch.setattr(Watch, "find", hasty)
    assert len({wrong.partition(":")[0] for wrong in differences()} & set(MODELS)) == len(MODELS)
    assert differences(at_once) == []


def test_without_the_rule_for_ties(monkeypatch: pytest.MonkeyPatch) -> None:
    for watch in rivalries():
        monkeypatch.setattr(watch, "_rivals", ())
        monkeypatch.setattr(watch, "first", watch._first_first)  # it has the rivals at hand
    assert differences()
    assert differences(at_once)


def test_without_the_order_of_equals(monkeypatch: pytest.MonkeyPatch) -> None:
    for watch in rivalries():
        monkeypatch.setattr(watch, "_rivals", watch._rivals[::-1])
        monkeypatch.setattr(watch, "first", watch._first_first)
    assert differences()
    assert differences(at_once)


def test_without_the_start_anchor(monkeypatch: pytest.MonkeyPatch) -> None:
    def everything(prefix: str | None, after_anchor: Callable[[str], str]) -> str:
        return prefix or ""

    monkeypatch.setattr(runtime.parser, "rest_of", everything)
    monkeypatch.setattr(runtime.api, "rest_of", everything)
    assert len(differences()) > 100
    assert len(differences(at_once)) > 100


def test_without_the_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(prefix: str | None, after_anchor: Callable[[str], str]) -> str:
        return ""

    monkeypatch.setattr(runtime.parser, "rest_of", nothing)
    monkeypatch.setattr(runtime.api, "rest_of", nothing)
    assert differences()
    assert differences(at_once)


def test_without_an_end_to_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    def forever(parser: StreamParser, text: str) -> bool:
        if parser._wait is not None:
            parser._held.append(text)
        return parser._wait is not None

    before = sum(map(events_before_the_end, CORPUS))
    monkeypatch.setattr(StreamParser, "_still_waits", forever)
    assert differences() == []  # late, but right
    assert sum(map(events_before_the_end, CORPUS)) < before


def test_without_delimiters_of_no_width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Stream, "_fires_empty", lambda stream, label, start: False)
    assert differences()


def test_without_the_text_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled("looking").Parser, "CONTEXT", 0)
    assert differences()
    assert differences(at_once) == []


def test_without_the_rule_for_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    make = Watch._first_maker

    def to_the_end(watch: Watch) -> Callable[[str, int], Found | None]:
        first = make(watch)
        starts = [watch._matcher(final) for _, final in watch._starts]

        def wrong(text: str, position: int) -> Found | None:
            found = first(text, position)
            if found is None and (match := watch.final(text, position)):
                return watch._whole(text, position, match)
            if found is None and position == 0:
                return watch._longest_whole(starts, text, 0, 0)
            return found

        return wrong

    monkeypatch.setattr(Watch, "_first_maker", to_the_end)
    for watch in watches_of("starting"):
        monkeypatch.setattr(watch, "first", watch._first_first)
    assert differences()
    assert differences(at_once)
