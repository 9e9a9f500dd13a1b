"""Facts about patterns: ties, first characters, endings, context, and the engine."""

from __future__ import annotations

import random

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.delimiters.derive import content_pattern, derive
from compiler.delimiters.first import first_characters
from compiler.delimiters.lowered import lower
from compiler.delimiters.pattern import PatternError, parse_pattern
from compiler.delimiters.ties import may_tie
from compiler.delimiters.widths import WHOLE_TEXT
from tests.unit.delimiter_oracle import Sampler
from tests.unit.delimiter_samples import REAL, SHAPES, patterns


@pytest.mark.parametrize(
    ("a", "b", "tie"),
    [
        ("<a>", "<b>", False),
        ("<a", "<ab>", True),
        ("<a>", "<a>", True),
        (r"<a\w*\Z", "<ab>", False),
        (r"<a\w*\Z", "<ab", True),
        (r"<a\Z\Z", r"<a\Z", True),
        (r"<a\Z(?:\s*\Z)", r"<\w\s*\Z", True),
        (r"\s*<t>", r"\s*<u>", False),
        (r"\s*<t>", r"\s*<t>x", True),
        (r"<f=\w+>", r"<f=\d+\)", False),
        (r"<f=\w+>", r"<f=\w+", True),
        ("a|(?=b)", "bc", True),
        ("a|(?=b)", "c", False),
        ("a(?=b)c", "ad", False),
        ("a(?=b)", "ad", False),
        ("a*", "b", True),
        ("(?i)end", "END", True),
        ("(?i)k", "\u212a", True),
        ("a{2,3}b", "ab", False),
        ("a{20}b", "a{30}b", True),  # so many rounds are not told apart
        ("a{3}b", "a{4}b", False),
        (r"(?P<q>['\"])x(?P=q)", "'y", False),
        (r"(?P<q>a|b)(?P=q)x", "aax", True),
        (r"<\|c\|>analysis(?! to=)[^<]*<", r"<\|c\|>(?:final|comment)(?! to=)[^<]*<", False),
    ],
)
def test_ties(a: str, b: str, tie: bool) -> None:
    left, right = parse_pattern(a), parse_pattern(b)
    assert may_tie(left, right) is tie
    assert may_tie(right, left) is tie


@settings(deadline=None, max_examples=150)
@given(patterns(depth=2), patterns(depth=2), st.integers(0, 2**32))
def test_delimiters_that_match_at_one_place_may_tie(a: str, b: str, seed: int) -> None:
    try:
        left, right = parse_pattern(a), parse_pattern(b)
    except PatternError:
        return
    if may_tie(left, right):
        return
    chance = random.Random(seed)
    first, second = regex.compile(a, regex.DOTALL), regex.compile(b, regex.DOTALL)
    for node in (left, right):
        sampler = Sampler(node, chance)
        for _ in range(10):
            text = sampler.match() + sampler.text(1)
            assert not (first.match(text) and second.match(text)), text


@pytest.mark.parametrize(
    ("pattern", "first"),
    [
        ("<think>", "<"),
        ("ab|cd", "ac"),
        (r"a?b", "ab"),
        (r"^x|<t>", "<"),
        (r"^", ""),
        (r"</t>|(?=\[x)", "<["),
        (r"<t>|$", "<\n"),
        (r"<t>|\Z", "<"),
        (r"(?<=a)b", "b"),
        (r"\bcd", "c"),
        (r"(?!a)[ab]", "ab"),
        (r"\s*<", " <\t\n\v\f\r\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"
         + "".join(map(chr, range(0x2000, 0x200B)))),
        (r"\w+<", None),
        (r".x", None),
        (r"a*", None),
        (r"(?=[\s\S]*?</t>)", None),
        (r"(?i)k", "kK\u212a"),
    ],
)  # fmt: skip
def test_first_characters(pattern: str, first: str | None) -> None:
    found = first_characters(lower(parse_pattern(pattern), ()))
    assert found == (None if first is None else frozenset(first))


@settings(deadline=None, max_examples=150)
@given(patterns(depth=2), st.text("ab\n ", max_size=8))
def test_matches_start_with_a_first_character(pattern: str, text: str) -> None:
    try:
        first = first_characters(lower(parse_pattern(pattern), ()))
    except PatternError:
        return
    if first is None:
        return
    for match in regex.finditer(pattern, "x" + text, regex.DOTALL, pos=1):
        assert match.start() == len(text) + 1 or match.string[match.start()] in first


@pytest.mark.parametrize(
    ("pattern", "ends_with"),
    [
        (r"<p=(?P<key>\w+)>\s*(?P<value>.*?)\s*</p>", "</p>"),
        (r"<a>(?:.*?)(?:</a>|x</a>)", "</a>"),
        (r"(?P<key>a)(?P<value>b)", "ab"),
        (r"a(?=b)", None),
        (r"a$", None),
        (r"a\b", None),
        (r"a\s*", None),
        (r"(?i)ab", None),
        (r"x(?:ab){2}", "ab"),
        (r"xab(?<=b)", "xab"),
    ],
)
def test_endings(pattern: str, ends_with: str | None) -> None:
    found = content_pattern(parse_pattern(pattern))
    assert found.ends_with == ends_with


@pytest.mark.parametrize(
    ("pattern", "context"),
    [
        ("<x>", 0),
        (r"\s*x", 1),
        ("^x", 1),
        (r"\bx", 1),
        (r"x\b", 0),
        (r"-\b", 0),
        ("(?<=abc)x", 3),
        (r"(?<=a(?<!bcd)e)x", 5),
        (r"x(?=y(?<=xy))", 2),
        ("(?<=a+)x", WHOLE_TEXT),
    ],
)
def test_context(pattern: str, context: int) -> None:
    assert derive(parse_pattern(pattern), "DONE", "WAIT").context == context


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(?i)a", "letter case is ignored"),
        (r"\p{L}", "a character property"),
        ("[[:alpha:]]", "a character property"),
        (r"\h", "a character property"),
        ("(?>ab|a)c", "an atomic group or possessive quantifier"),
        (r"a++\w", "an atomic group or possessive quantifier"),
        ("a*+(?:^|b)", "an atomic group or possessive quantifier"),
        ("(?<=a|bc)d", "a look-behind of variable width"),
        (r"<(?:\w+\s*)+>", "a loop inside a loop"),
        ("(?P<n>a)|(?P<n>b)", "two groups of one name"),
        (r"(?=(a))\1", "a backreference to a group in a look-around"),
    ],
)
def test_what_needs_regex(pattern: str, reason: str) -> None:
    found = derive(parse_pattern(pattern), "DONE", "WAIT")
    assert (found.engine, found.engine_reason) == ("regex", reason)


def test_real_patterns_need_only_the_standard_library() -> None:
    for pattern in REAL:
        assert derive(parse_pattern(pattern), "DONE", "WAIT").engine == "re"


def test_captures_are_the_named_groups() -> None:
    assert derive(parse_pattern(r"(?P<b>x)(y)(?<a>z)"), "DONE", "WAIT").captures == ("b", "a")
    assert derive(parse_pattern("(?!(?P<n>x))y"), "DONE", "WAIT").captures == ()


def test_derivation_is_repeatable() -> None:
    for pattern in REAL + SHAPES:
        node = parse_pattern(pattern)
        assert derive(node, "DONE", "WAIT") == derive(parse_pattern(pattern), "DONE", "WAIT")
