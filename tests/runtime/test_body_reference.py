"""Regions with strings and values end where a reader that goes character by character ends them."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from compiler import CompiledTemplate, compile_template
from compiler.bench.strings import call_template
from compiler.bench.texts import chunks
from runtime.strings import JSON_STRINGS, PYTHON_STRINGS, StringKind, Strings, string_pairs

CLOSER = "</call>"
GLUE = ("", r"\s*", r"\n?")  # white space before the closer that is part of it
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
    *("{} ", "[] ", '"a"', "'b'", '"\\""', '"]"', "{'a': ['}']}", '[{"a": 1}, {"b": [2]}]'),
)
BEGINNINGS = ("", "{", "[[", '{"a": {}, ', "f({")  # of values, so that more texts have one


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


def end_of_region(
    text: str, strings: Strings, has_value: bool, closer: re.Pattern[str]
) -> tuple[int, int]:
    """Where the region's text ends, and where the text behind its closer begins."""
    kinds = list(strings.kinds)
    depth = place = 0
    opening = ""
    while place < len(text):
        if match := closer.match(text, place):
            return place, match.end()
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
        if not depth:
            opening = character
            depth += character in strings.closing
            is_name = strings.named and character not in strings.closing.values()
            has_value = has_value and (depth > 0 or is_name or character.isspace())
        elif character == opening:
            depth += 1
        elif character == strings.closing[opening]:
            depth -= 1
            if has_value and not depth:
                match = closer.match(text, place)
                return place, match.end() if match else place
    return len(text), len(text)


def texts(seed: str, count: int) -> Iterator[list[str]]:
    """Random texts, each in pieces as tokens would bring them."""
    choose = random.Random(seed)
    for _ in range(count):
        units = choose.choices(UNITS, k=choose.randrange(1, 30))
        yield [choose.choice(BEGINNINGS), *units]


def streamed(compiled: CompiledTemplate, pieces: Sequence[str], saved: bool) -> tuple[str, str]:
    """The text of the region and the text behind it; the parser may be saved after each piece."""
    parser = compiled.Parser("", on_error="keep")
    events = []
    for piece in pieces:
        events += parser.feed(piece)
        if saved:
            parser.state()
    events += parser.finalize("stop")[1]
    sent = [event for event in events if event["type"] == "region_chunk"]
    call, content = (
        "".join(event["text"] for event in sent if event["field"] == field)
        for field in ("calls", "content")
    )
    return call, content


@pytest.mark.parametrize("glue", GLUE)
@pytest.mark.parametrize("closes_with", [None, "value"])
@pytest.mark.parametrize("grammar", GRAMMARS)
def test_regions_end_as_in_the_reference(grammar: str, closes_with: str | None, glue: str) -> None:
    written, strings = GRAMMARS[grammar]
    closer = re.compile(glue + CLOSER)
    keys: dict[str, Any] = {"closes_with": closes_with} if closes_with else {}
    if glue:
        keys["glue"] = {"close": [glue, ""]}
    content = {"name": "text", "args": {"strip": False}}
    compiled = compile_template(call_template(strings=written, content=content, **keys))
    for number, units in enumerate(texts(grammar + glue, 400)):
        text = "".join(units)
        end, behind = end_of_region(text, strings, bool(closes_with), closer)
        expected = text[:end], text[behind:]
        for pieces in (
            ["<call>", *units],
            f"<call>{text}",
            chunks(f"<call>{text}", 2 + number % 6),
        ):
            found = streamed(compiled, pieces, saved=number % 3 == 0)
            assert found == expected, f"{text!r} in {pieces!r}"
        message = compiled.parse(f"<call>{text}", prefix="", finish_reason="stop")
        assert message.get("calls", [""])[0] == expected[0], repr(text)


@pytest.mark.parametrize("grammar", GRAMMARS)
def test_strings_that_are_seen_to_be_closed_are(grammar: str) -> None:
    strings = GRAMMARS[grammar][1]
    seen = 0
    for text in map("".join, texts(grammar, 2000)):
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
