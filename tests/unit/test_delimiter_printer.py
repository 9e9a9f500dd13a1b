"""Printing patterns, and the Python source they become."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.delimiters.derive import derive
from compiler.delimiters.pattern import literals_node, parse_pattern
from compiler.delimiters.pattern_text import PatternText
from runtime.unicode_classes import DIGIT, SPACE, WORD


def final(pattern: str) -> PatternText:
    return derive(parse_pattern(pattern), "DONE", "WAIT").final


def evaluated(source: str) -> str:
    return str(eval(source, {"SPACE": SPACE, "DIGIT": DIGIT, "WORD": WORD}))


@pytest.mark.parametrize(
    ("pattern", "source"),
    [
        ("<think>", 'r"<think>"'),
        (r"</think>\s*", 'rf"</think>[{SPACE}]*"'),
        (r"\{(?P<n>\w+)\}{2}", r'''rf"\{{(?P<n>[{WORD}]+)\}}{{2}}"'''),
        ('<a b="(?P<n>[^"]+)">', """r'<a b="(?P<n>[^"]+)">'"""),
        ("['\"]", r'''r"['\"]"'''),
        ("a\nb\tc", r'r"a\nb\tc"'),
        (r"\x00\ud800\u200d\u00a0", r'r"\x00\ud800\u200d\xa0"'),
        ("<｜tool▁sep｜>é", 'r"<｜tool▁sep｜>é"'),
        (r"\b-\d", 'rf"(?<=[{WORD}])-[{DIGIT}]"'),
        (r"[\s\S]*?x", 'r".*?x"'),
        (r"(?:a(?:b|c)d)", 'r"a(?:b|c)d"'),
        (r"(a)\1", r'r"(?P<_DONE_group1>a)(?P=_DONE_group1)"'),
        (r"(?P<q>a)(b)\2\1", r'r"(?P<q>a)(b)(?:\2)(?P=q)"'),
        (r"(?<n>a)(b)", 'r"(?P<n>a)b"'),
        (r"\p{Lu}\s", r'r"[\p{Lu}][\s]"'),
        (r"(?i)end", 'r"(?i:end)"'),
    ],
)
def test_source(pattern: str, source: str) -> None:
    assert final(pattern).source() == source
    assert evaluated(source).replace(r"\"", '"') == final(pattern).text()


def test_classes_are_named() -> None:
    assert final(r"\s\d\s").classes() == ("SPACE", "DIGIT")
    assert final(r"[^\w]").classes() == ("WORD",)
    assert final("{SPACE}").classes() == ()


def test_ways() -> None:
    text = PatternText(r"a|b(?:c|d)|[|)(\]]|\|x|[^]|]")
    ways = [way.template for way in text.ways()]
    assert ways == ["a", "b(?:c|d)", r"[|)(\]]", r"\|x", "[^]|]"]


@settings(deadline=None, max_examples=200)
@given(st.text(min_size=1, max_size=12))
def test_any_literal_survives(literal: str) -> None:
    text = derive(literals_node((literal,)), "DONE", "WAIT").final
    assert re.fullmatch(evaluated(text.source()), literal, re.DOTALL)
    visible = [character for character in text.template if character != " "]
    assert all(not character.isspace() for character in visible)
    text.source().encode("utf-8")
