"""Derived patterns against `regex`: what they say of a buffer holds whatever text comes."""

from __future__ import annotations

import random
from itertools import product

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.delimiters.pattern import PatternError, literals_node
from tests.unit.delimiter_oracle import (
    Sampler,
    Subject,
    check_final,
    check_streaming,
)
from tests.unit.delimiter_samples import REAL, SHAPES, patterns

ALPHABET = "ab\n"
SHORT = ["".join(letters) for n in range(4) for letters in product(ALPHABET, repeat=n)]
BUFFERS = [*SHORT, *("".join(letters) for letters in product(ALPHABET, repeat=4))]
LONGER = ["aaaa", "abab", "baba", "aabaab", "bbbb", "ab ab"]


@pytest.mark.parametrize("pattern", REAL + SHAPES)
def test_sample_patterns(pattern: str) -> None:
    chance = random.Random(pattern)
    subject = Subject(pattern)
    sampler = Sampler(subject.node, chance)
    for _ in range(25):
        text = sampler.text()
        cut = chance.randint(0, len(text))
        position = chance.choice([0, 0, cut // 2])
        match = sampler.match()
        extensions = ["", text[cut:], match, sampler.text(2), "\n", " ", "x"]
        extensions += [match[start:] for start in range(min(8, len(match)))]
        check_final(subject, text, position)
        check_streaming(subject, text[:cut], extensions, position)


@settings(deadline=None, max_examples=150)
@given(patterns(), st.lists(st.sampled_from(BUFFERS), min_size=3, max_size=6), st.integers(0, 2))
def test_made_up_patterns_on_every_short_text(
    pattern: str, buffers: list[str], position: int
) -> None:
    if has_a_regex_fault(pattern):
        return
    try:
        subject = Subject(pattern)
    except PatternError:
        return
    for buffer in buffers:
        at = min(position, len(buffer))
        check_final(subject, buffer, at)
        check_streaming(subject, buffer, SHORT + LONGER, at)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.text("ab<", min_size=1, max_size=4), min_size=1, max_size=4),
    st.text("ab<", max_size=6),
)
def test_lists_of_literals(literals: list[str], buffer: str) -> None:
    longest_first = sorted(set(literals), key=len, reverse=True)
    pattern = "|".join(map(regex.escape, longest_first))
    subject = Subject(pattern, literals_node(tuple(literals)))
    extensions = ["", *literals, *(literal[1:] for literal in literals), "a", "b", "<"]
    check_final(subject, buffer)
    check_streaming(subject, buffer, extensions)


@pytest.mark.parametrize(
    ("pattern", "buffer"),
    [
        (r"</think>", "x</thi"),
        (r"</think>\s*", "x</think> "),
        (r"\s*<x>", "x  "),
        (r"a(?:bc)?", "ab"),
        (r"a(?!bc)d", "ab"),
        (r"(?=[\s\S]*?</think>)", "abc"),
        (r"a.*?bc", "a b b"),
        (r"a{2,3}b", "aa"),
        (r"END(?!XY)", "ENDX"),
    ],
)
def test_what_some_text_completes_is_held(pattern: str, buffer: str) -> None:
    subject = Subject(pattern)
    verdict = subject.verdict(buffer)
    assert verdict is not None
    assert verdict.end is None


@pytest.mark.parametrize(
    ("pattern", "buffer"),
    [
        (r"</think>", "x</thx"),
        (r"</think>\s*", "x</think> x"),
        (r"<tool_call>", "a<tool_call>"),
        (r"(?=<tool_call>)", "a<tool_call>"),
        (r"</a>(?=<t>|<u>)", "</a><t>"),
        (r"a(?!bc)", "abd"),
        (r"ENDX|END", "ENDY"),
        (r"a[^<]*?<b>", "a x<b>"),
        (r"\n(?=Action\b)", "\nAction:"),
        (r"x(?:(?!</x>).)*</x>", "x ab</x>"),
        (r"a(?=b[cd])bx", "abcy"),
    ],
)
def test_what_no_text_can_change_is_not_held(pattern: str, buffer: str) -> None:
    verdict = Subject(pattern).verdict(buffer)
    assert verdict is None or verdict.end is not None


def has_a_regex_fault(pattern: str) -> bool:
    """`regex` 2026.11.19 reads `[^a]|[^b]` as `[^ab]`."""
    return pattern.count("[^") > 1
