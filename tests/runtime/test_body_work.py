"""Reading strings and values is linear: what is counted is the characters that are read.

Also that no more is held back than must be: strings are sent on while they are open.
"""

from __future__ import annotations

from typing import Any

import pytest

from compiler import compile_template
from compiler.bench.strings import STRINGS_ADVERSARIES, call_template
from compiler.bench.texts import Adversary
from runtime.body import BodyReader, Outlook
from runtime.parser import StreamParser
from runtime.scan import Found
from runtime.strings import Strings
from runtime.watch import Watch

SHORT, LONG = 4_000, 40_000
ADVERSARIES = (
    *STRINGS_ADVERSARIES,
    Adversary("backslashes behind a closer", (), "\\", '<call>"</call>'),
    Adversary("escaped quotes in a string that never ends", (), '\\"', '<call>["'),
    Adversary("backslash before a closer", (), '"\\</call>"', "<call>["),
    Adversary("calls with a string that never ends", (), '<call>"</call>'),
    Adversary("brackets that never close", (), "{", "<call>"),
    Adversary("values with closers inside", (), "<call>{</call>"),
    Adversary("a closer, then text", (), "a\n", '<call>"</call>'),
    Adversary("beginnings of closers", (), "</", '<call>"'),
)


class Work:
    """Counts, while it is in place, the characters that are read and searched."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.characters = 0
        find, still_waits = Watch.find, StreamParser._still_waits
        read, closed = BodyReader._read, Strings.closed

        def counted_find(watch: Watch, text: str, position: int, final: bool) -> Found | None:
            found = find(watch, text, position, final)
            self.characters += (found[1] if found else len(text)) - position
            return found

        def counted_wait(parser: StreamParser, text: str) -> bool:
            self.characters += len(text)
            return still_waits(parser, text)

        def counted_read(reader: BodyReader, text: str, place: int, limit: int, final: bool) -> int:
            stop = read(reader, text, place, limit, final)
            self.characters += stop - place
            return stop

        def counted_closed(
            strings: Strings, index: int, text: str, place: int, end: int
        ) -> tuple[bool, int]:
            found = closed(strings, index, text, place, end)
            self.characters += found[1] - place
            return found

        monkeypatch.setattr(Watch, "find", counted_find)
        monkeypatch.setattr(StreamParser, "_still_waits", counted_wait)
        monkeypatch.setattr(BodyReader, "_read", counted_read)
        monkeypatch.setattr(Strings, "closed", counted_closed)

    def of(self, text: str, size: int, **keys: Any) -> int:
        """The characters read by streaming the text in pieces of a size."""
        self.characters = 0
        parser = module(**keys).Parser("", on_error="keep")
        for start in range(0, len(text), size):
            parser.feed(text[start : start + size])
        parser.finalize()
        return self.characters


def module(**keys: Any) -> Any:
    return compile_template(call_template(**keys))


@pytest.mark.parametrize("size", [1, 4, LONG])
@pytest.mark.parametrize("keys", [{}, {"closes_with": "value"}], ids=["closer", "value"])
@pytest.mark.parametrize("adversary", ADVERSARIES, ids=lambda each: each.name)
def test_work_grows_with_the_text(
    adversary: Adversary, keys: dict[str, Any], size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = Work(monkeypatch)
    short = work.of(adversary.text(SHORT), size, strings="json", **keys)
    long = work.of(adversary.text(LONG), size, strings="json", **keys)
    assert long <= 12 * short, f"{short} characters read, then {long}"
    assert long <= 12 * LONG, f"{long / LONG:.1f} characters read for each"


def test_the_count_sees_a_closer_that_is_sought_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Outlook, "find", lambda outlook, watch, *arguments: watch.find(*arguments))
    work = Work(monkeypatch)
    keys = {"strings": "json", "closes_with": "value"}
    assert work.of("<call>{}" * 4000, LONG, **keys) > 50 * work.of("<call>{}" * 400, LONG, **keys)


def test_nothing_is_read_before_as_many_brackets_close_as_were_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    work = Work(monkeypatch)
    parser = module(strings="json", closes_with="value").Parser("")
    for chunk in ("<call>", '[[[["a', '", 1]'):
        parser.feed(chunk)
    work.characters = 0
    for chunk in (', "a', 'b"]', '], "< "'):
        assert parser.feed(chunk) == [
            {"type": "region_chunk", "field": "calls", "text": chunk, "dirty": True}
        ]
    assert work.characters == 0
    parser.feed("]")
    assert work.characters
    assert parser.feed("</call>")[-1]["value"] == [[[["a", 1], "ab"]], "< "]


def test_a_parser_that_was_saved_reads_on() -> None:
    """Though its text has been put together meanwhile."""
    for keys in ({}, {"closes_with": "value"}):
        parser = module(strings="json", **keys).Parser("")
        for chunk in ("<call>", '{"a": [1]', ', "b": "', "</call>", '"', ", ", '"c": [', '"]"'):
            parser.feed(chunk)
            parser.state()
        assert parser.feed("]}</call>")[-1]["value"] == {"a": [1], "b": "</call>", "c": ["]"]}


def sent(text: str, **keys: Any) -> str:
    """What of a call's text has been sent on when the last character has come."""
    parser = module(**keys).Parser("")
    events = [event for character in text for event in parser.feed(character)]
    return "".join(event.get("text", "") for event in events)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('["a', '["a'),
        ('["a <', '["a '),
        ('["a <b', '["a <b'),
        ('["a </call>', '["a '),
        ('["a </call> b', '["a '),
        ('["a </call> \\"', '["a '),
        ('["a </call> b"', '["a </call> b"'),
        ('["a </call>" </call', '["a </call>" '),
    ],
)
def test_only_a_closer_in_an_open_string_is_held_back(text: str, expected: str) -> None:
    assert sent(f"<call>{text}", strings="json") == expected


def test_a_value_ends_its_region_at_once() -> None:
    spec = call_template(strings="json", closes_with="value")
    del spec["fields"]["calls"]["close"]
    events = compile_template(spec).Parser("").feed('<call>["}", {}]')
    assert events[-1] == {"type": "region_close", "field": "calls", "value": ["}", {}]}


def test_where_a_closer_may_follow_the_value_one_more_character_tells() -> None:
    parser = module(strings="json", closes_with="value").Parser("")
    assert parser.feed("<call>[1]")[-1]["type"] == "region_chunk"
    assert parser.feed("</cal") == []
    assert [event["type"] for event in parser.feed("m")] == [
        "region_close",
        "region_open",
        "region_chunk",
    ]
