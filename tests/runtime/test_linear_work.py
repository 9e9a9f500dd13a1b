"""Streaming is linear: what is counted is characters given to searches and held in buffers.

Time is not measured, so these tests mean the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from compiler.bench.texts import ADVERSARIES, chunks, prose
from runtime.parser import StreamParser
from runtime.scan import Found
from runtime.watch import Watch
from tests.runtime.models import EXTENDED, MODELS, PARSERS, parsers_of
from tests.runtime.templates import compiled

SHORT, LONG = 10_000, 100_000
SIZES = dict.fromkeys(MODELS, (SHORT, LONG)) | dict.fromkeys(EXTENDED, (2_000, 20_000))
TEXTS: dict[str, Callable[[int], str]] = {each.name: each.text for each in ADVERSARIES}
TEXTS["prose"] = prose
# The markers of texts are of no more than 40 characters; where no header or white space is held,
# neither the buffer nor what is held back may be much longer.
BOUNDED = [
    *("thousands of <", "< between words", "closers with nothing open", "openers and closers"),
    *("cut-off closers", "stop tokens", "headers that never end", "prose"),
]
MOST_BUFFERED = 100


class Work:
    """Counts, while it is in place, the characters that searches are given."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.characters = 0
        find, still_waits = Watch.find, StreamParser._still_waits

        def counted_find(watch: Watch, text: str, position: int, final: bool) -> Found | None:
            self.characters += len(text) - position
            return find(watch, text, position, final)

        def counted_wait(parser: StreamParser, text: str) -> bool:
            assert parser._wait is not None
            _, overlap = parser._wait
            self.characters += len(text) + overlap
            return still_waits(parser, text)

        monkeypatch.setattr(Watch, "find", counted_find)
        monkeypatch.setattr(StreamParser, "_still_waits", counted_wait)

    def of(self, name: str, text: str) -> int:
        """The characters given to searches by streaming the text in pieces of four."""
        self.characters = 0
        parser = parsers_of(name).Parser("", on_error="keep")
        for chunk in chunks(text):
            parser.feed(chunk)
        parser.finalize()
        return self.characters


def test_the_count_sees_a_search_that_starts_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StreamParser, "_still_waits", lambda parser, text: False)
    work = Work(monkeypatch)
    text = TEXTS["half-open header"]
    assert work.of("gpt_oss", text(8 * 1000)) > 50 * work.of("gpt_oss", text(1000))


@pytest.mark.parametrize("name", PARSERS)
def test_work_grows_with_the_text(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    work = Work(monkeypatch)
    short, long = SIZES[name]
    for kind, text in TEXTS.items():
        little, much = work.of(name, text(short)), work.of(name, text(long))
        assert much <= 12 * little, f"{kind}: {little} characters searched, then {much}"
        assert much <= 20 * long, f"{kind}: {much / long:.1f} characters searched for each"


def held(parser: Any) -> int:
    """Characters kept for another look; the text of the open region is not among them."""
    return len(parser._buffer) + sum(map(len, parser._held))


@pytest.mark.parametrize("name", PARSERS)
def test_only_an_undecided_delimiter_is_kept(name: str) -> None:
    short, _ = SIZES[name]
    for kind in BOUNDED:
        parser = parsers_of(name).Parser("", on_error="keep")
        most = 0
        for chunk in chunks(TEXTS[kind](short)):
            parser.feed(chunk)
            most = max(most, held(parser))
        assert most <= MOST_BUFFERED, kind


def test_a_large_chunk_is_not_kept() -> None:
    for name in PARSERS:
        parser = parsers_of(name).Parser("", on_error="keep")
        parser.feed(prose(LONG))
        assert held(parser) <= MOST_BUFFERED


def test_a_long_header_is_kept_and_let_go() -> None:
    parser = parsers_of("gpt_oss").Parser("")
    parser.feed("<|channel|>analysis")
    for chunk in chunks(" word" * 1000):
        assert parser.feed(chunk) == []
    assert held(parser) == 19 + 5000
    parser.feed("<|message|>a")
    assert held(parser) <= 1


def test_what_is_decided_is_not_waited_for() -> None:
    """The wait for the end of a long opener is over once that has come."""
    parser = compiled("headers").Parser("")
    assert parser.feed("<note a") == parser.feed("b<") == []
    assert [event["type"] for event in parser.feed("/note>c")] == ["region_open", "region_chunk"]
    assert [event["type"] for event in parser.feed("d<")] == ["region_chunk", "region_close"]
