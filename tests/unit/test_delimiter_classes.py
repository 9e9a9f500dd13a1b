r"""`\s`, `\d` and `\w` as the `regex` package means them, in every place they can stand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import regex

from compiler.delimiters.classes import CLASSES, class_text, module_text, spans
from compiler.delimiters.derive import derive
from compiler.delimiters.pattern import parse_pattern
from runtime import unicode_classes

EVERY_CHARACTER = "".join(map(chr, range(0x110000)))
EDGES = "".join(
    chr(code)
    for pattern in CLASSES.values()
    for first, last in spans(pattern)
    for code in (first - 1, first, last, last + 1)
)
TELLING = "".join(sorted({*map(chr, range(0x3000)), *EDGES, "\ud7ff", "\ud800", "\U0010ffff"}))
MODULE = Path(unicode_classes.__file__)


@pytest.mark.parametrize("name", CLASSES)
def test_constants_match_what_regex_matches(name: str) -> None:
    inside = getattr(unicode_classes, name)
    for start, pattern in (("[", CLASSES[name]), ("[^", CLASSES[name].upper())):
        expected = regex.findall(pattern, EVERY_CHARACTER)
        assert re.findall(f"{start}{inside}]", EVERY_CHARACTER) == expected


def test_module_is_the_printed_one() -> None:
    assert MODULE.read_text(encoding="utf-8") == module_text()
    assert class_text("DIGIT") == unicode_classes.DIGIT


@pytest.mark.parametrize(
    "pattern",
    [
        r"\s",
        r"\S",
        r"\d",
        r"\D",
        r"\w",
        r"\W",
        r"[^\s<]",
        r"[\S\n]",
        r"[^\S\n]",
        r"[\W_]",
        r"[^\W_]",
        r"[^\W\d_]",
        r"[\W\D]",
        r"[^\W\D]",
        r"[\D,\s]",
        r"[^a-f\d]",
        r"[\s\S]",
        r"[^\s\S]",
        r"[\w.-]",
        r"[]a]",
        r"[^]a]",
        r"[a\-z]",
        r"[\x00-\x1f\x7f]",
        r"[\ud800-\udfff]",
        r"[{}\[\]]",
        r"[\^a]",
        r"[a^]",
        r"[\b]",
        r"[^\S]",
        ".",
        "(?-s:.)",
        r"(?:.|\n)",
    ],
)
def test_sets_match_what_regex_matches(pattern: str) -> None:
    text = derive(parse_pattern(pattern), "DONE", "WAIT").final.text()
    expected = regex.findall(pattern, TELLING, regex.DOTALL)
    assert re.findall(text, TELLING, re.DOTALL) == expected


@pytest.mark.parametrize("pattern", [r"\b", r"\B", r"\m", r"\M", r"\bx", r"x\b", r"-\B", r"\B-"])
def test_boundaries_are_those_of_regex(pattern: str) -> None:
    text = derive(parse_pattern(pattern), "DONE", "WAIT").final.text()
    sample = "x \u0301x-\u200dx x\u00b2 \u0665 _-"
    found = [match.span() for match in re.finditer(text, sample)]
    assert found == [match.span() for match in regex.finditer(pattern, sample)]
