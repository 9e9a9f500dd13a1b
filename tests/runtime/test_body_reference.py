"""Regions with strings and values end where a reader that goes character by character ends them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from compiler import CompiledTemplate, compile_template
from compiler.bench.strings import call_template
from runtime.strings import JSON_STRINGS, PYTHON_STRINGS, StringKind, Strings, string_pairs

CLOSER = "</call>"
ONE_PAIR = [("<q>", "</q>")]
PAIRS = [*ONE_PAIR, ("«", "»"), ("aa", "a")]
GRAMMARS: dict[str, tuple[Any, Strings]] = {
    "json": ("json", JSON_STRINGS),
    "python": ("python", PYTHON_STRINGS),
    "pair": ([*map(list, ONE_PAIR)], string_pairs(*ONE_PAIR)),
    "pairs": ([*map(list, PAIRS)], string_pairs(*PAIRS)),
}
UNITS = (
    *("\"'\\{}[]()«» \na,<q", CLOSER, "<q>", "</q>", "</", "aa", "f("),
    *('"a"', "'b'", '"\\""', '"]"', "{'a': ['}']}", '[{"a": 1}, {"b": [2]}]'),
)


def is_escaped(text: str, start: int, place: int) -> bool:
    escaped = False
    for character in text[start:place]:
        escaped = character == "\\" and not escaped
    return escaped


def end_of_string(kind: StringKind, text: str, start: int) -> int:
    """Behind the closer of a string; -1 if there is none."""
    for place in range(start, len(text)):
        is_hidden = kind.escapes and is_escaped(text, start, place)
        if text.startswith(kind.closer, place) and not is_hidden:
            return place + len(kind.closer)
    return -1


def end_of_region(text: str, strings: Strings, has_value: bool) -> tuple[int, int]:
    """Where the region's text ends, and where the text behind its closer begins."""
    kinds = list(strings.kinds)
    depth = place = 0
    while place < len(text):
        if text.startswith(CLOSER, place):
            return place, place + len(CLOSER)
        kind = next((kind for kind in kinds if text.startswith(kind.opener, place)), None)
        if kind:
            inside = place + len(kind.opener)
            place = end_of_string(kind, text, inside)
            if place < 0:
                kinds.remove(kind)
                place = inside
                has_value = False
            elif not depth and not strings.named:
                has_value = False
            continue
        character = text[place]
        place += 1
        if character in strings.opening:
            depth += 1
        elif character in strings.closing:
            depth -= 1
            if has_value and not depth:
                return place, place + len(CLOSER) * text.startswith(CLOSER, place)
            has_value = has_value and depth > 0
        elif not depth and not strings.named and not character.isspace():
            has_value = False
    return len(text), len(text)


def texts(seed: str, count: int) -> Iterator[str]:
    choose = random.Random(seed)
    for _ in range(count):
        yield "".join(choose.choices(UNITS, k=choose.randrange(1, 30)))


def streamed(compiled: CompiledTemplate, text: str, size: int, saved: bool) -> tuple[str, str]:
    """The text of the region and the text behind it; the parser may be saved after each piece."""
    parser = compiled.Parser("", on_error="keep")
    events = []
    for start in range(0, len(text), size):
        events += parser.feed(text[start : start + size])
        if saved:
            parser.state()
    events += parser.finalize()[1]
    chunks = [event for event in events if event["type"] == "region_chunk"]
    call, content = (
        "".join(event["text"] for event in chunks if event["field"] == field)
        for field in ("calls", "content")
    )
    return call, content


@pytest.mark.parametrize("closes_with", [None, "value"])
@pytest.mark.parametrize("grammar", GRAMMARS)
def test_regions_end_as_in_the_reference(grammar: str, closes_with: str | None) -> None:
    written, strings = GRAMMARS[grammar]
    keys = {"closes_with": closes_with} if closes_with else {}
    content = {"name": "text", "args": {"strip": False}}
    compiled = compile_template(call_template(strings=written, content=content, **keys))
    for number, text in enumerate(texts(grammar, 600)):
        end, behind = end_of_region(text, strings, bool(closes_with))
        expected = text[:end], text[behind:]
        for size in (1, 1 + number % 7):
            found = streamed(compiled, f"<call>{text}", size, saved=number % 3 == 0)
            assert found == expected, f"{text!r} in pieces of {size}"
        message = compiled.parse(f"<call>{text}", prefix="")
        assert message.get("calls", [""])[0] == expected[0], repr(text)


@pytest.mark.parametrize("grammar", GRAMMARS)
def test_strings_that_are_seen_to_be_closed_are(grammar: str) -> None:
    strings = GRAMMARS[grammar][1]
    seen = 0
    for text in texts(grammar, 2000):
        if strings.are_closed(text, 0, len(text)):
            seen += 1
            assert not is_open_at_the_end(text, strings.kinds), repr(text)
    assert seen > 100


def is_open_at_the_end(text: str, kinds: Sequence[StringKind]) -> bool:
    place = 0
    while place < len(text):
        kind = next((kind for kind in kinds if text.startswith(kind.opener, place)), None)
        place = end_of_string(kind, text, place + len(kind.opener)) if kind else place + 1
        if place < 0:
            return True
    return False
