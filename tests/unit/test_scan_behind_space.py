r"""The search for delimiters that may start with space finds what one at every character finds."""

from __future__ import annotations

import random
import re
import sys
from typing import Any

import pytest

from compiler.delimiters.lowered import lower
from compiler.delimiters.pattern import parse_pattern
from compiler.delimiters.printer import Printer
from compiler.delimiters.starting import without_space
from runtime.scan import Search, search_behind_space
from runtime.unicode_classes import SPACE

PATTERNS = [
    r"[{SPACE}]*<a>",
    r"<a>[{SPACE}]*",
    r"[{SPACE}]+<a>|[{SPACE}]*<b>|<c>",
    r"(?=[{SPACE}]*<a>)|[{SPACE}]*<b>",
    r"[{SPACE}]*(?:<a>|<(?:a?)\Z|\Z)",
    r"[{SPACE}]+\Z|<a>",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_finds_what_a_search_finds(pattern: str) -> None:
    compiled = re.compile(pattern.replace("{SPACE}", SPACE), re.DOTALL)
    search = search_behind_space("<", compiled.match)
    chance = random.Random(pattern)
    for _ in range(3000):
        pieces = (chance.choice([" ", "\n", "\x1c", "x", "<", "<a>", "<b>"]) for _ in range(8))
        text = "".join(pieces)
        position = chance.randrange(len(text))
        plain = _first_with_width(compiled.search, text, position)
        assert _span(_first_with_width(search, text, position)) == _span(plain), (text, position)


def test_space_is_what_regex_takes_for_space() -> None:
    is_space = re.compile(f"[{SPACE}]").match
    search = search_behind_space("<", re.compile(f"[{SPACE}]*<").match)
    for code in range(sys.maxunicode + 1):
        found = search(f"{chr(code)}<", 0)
        assert (found.start() == 0) == (bool(is_space(chr(code))) or chr(code) == "<"), hex(code)


@pytest.mark.parametrize(
    ("pattern", "rest"),
    [
        (r"\s*<a>", "<a>"),
        (r"\s+<a>\s*|</b>|(?=\s*<c>)", r"<a>\s*|</b>|(?=<c>)"),
        (r"(?:\s*<a>)?<b>", r"(?:\s*<a>)?<b>"),
        (r"\s?<a>|[\s-]*<b>|\S*<c>", r"\s?<a>|[\s-]*<b>|\S*<c>"),
    ],
)
def test_without_space(pattern: str, rest: str) -> None:
    def printed(text: str) -> str:
        return Printer("re", {}).text(without_space(lower(parse_pattern(text), ())))

    assert printed(pattern) == Printer("re", {}).text(lower(parse_pattern(rest), ()))


def _first_with_width(search: Search, text: str, position: int) -> Any:
    """The first match; one without width at the end of the text says nothing."""
    match = search(text, position)
    return None if match and match.start() == len(text) else match


def _span(match: Any) -> tuple[int, int] | None:
    return match.span() if match else None
