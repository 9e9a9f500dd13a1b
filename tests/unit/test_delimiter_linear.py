r"""Searching in linear time: guards, literals that must occur, and what is named as slow."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.delimiters.derive import derive
from compiler.delimiters.pattern import PatternError, parse_pattern
from tests.unit.delimiter_oracle import Sampler, Subject, check_final, check_streaming
from tests.unit.delimiter_samples import REAL, patterns


@pytest.mark.parametrize(
    ("pattern", "guarded"),
    [
        (r"\s*<x>", r"(?<![{SPACE}])[{SPACE}]*<x>"),
        (r"\s+<x>|<y>", r"(?<![{SPACE}])[{SPACE}]+<x>|<y>"),
        (r"(?:<m>)?[^<]*<x>", r"(?:<m>|(?<![^<]))[^<]*<x>"),
        (r"(?:<m>)??[^<]*<x>", r"(?:(?<![^<])|<m>)[^<]*<x>"),
        (r"</t>|(?=[\s\S]*?<x>)", r"</t>|(?<!.)(?=.*?<x>)"),
        (r"(?=\s*<x>)", r"(?<![{SPACE}])(?=[{SPACE}]*<x>)"),
        (r"a{3,}b", r"(?<!a)a{3,}b"),
    ],
)
def test_a_leading_loop_is_tried_at_the_start_of_a_run(pattern: str, guarded: str) -> None:
    found = derive(parse_pattern(pattern), "DONE", "WAIT")
    assert found.guarded
    assert found.context == 1
    assert found.final_search.template == guarded
    assert found.final_match.template != guarded
    assert found.streaming_search != found.streaming


@pytest.mark.parametrize(
    "pattern",
    [
        "<x>",
        r"<x>\s*",
        r"a{0,3}b",  # a match may start where the run still is short enough
        r"(a*)b\1",  # the group takes less from inside of the run
        r"(?=\s*<x>).",  # what follows the look starts elsewhere
        r"^\s*<x>",
        r"(?!x)\s*<x>",
        r"(?:ab)*c",
    ],
)
def test_no_guard_where_it_could_hide_a_match(pattern: str) -> None:
    found = derive(parse_pattern(pattern), "DONE", "WAIT")
    assert not found.guarded


@pytest.mark.parametrize("pattern", [p for p in REAL if derive(parse_pattern(p), "D", "W").guarded])
def test_guarded_searches_find_the_same(pattern: str) -> None:
    chance = random.Random(pattern)
    subject = Subject(pattern)
    sampler = Sampler(subject.node, chance)
    for _ in range(20):
        text = sampler.text(3)
        for position in range(len(text) + 1):
            check_final(subject, text, position)
            check_streaming(subject, text, [""], position)


@settings(deadline=None, max_examples=60)
@given(patterns(depth=2), st.text("ab\n", max_size=6))
def test_guarded_searches_of_made_up_patterns(pattern: str, text: str) -> None:
    try:
        subject = Subject(rf"[ab]*{pattern}" if "|" not in pattern else rf"\s*b|a+(?:{pattern})")
    except PatternError:
        return
    if subject.pattern.count("[^") > 1:
        return  # `regex` 2026.11.19 reads `[^a]|[^b]` as `[^ab]`
    for position in range(len(text) + 1):
        check_final(subject, text, position)
        check_streaming(subject, text, [""], position)


@pytest.mark.parametrize(
    ("pattern", "needs"),
    [
        (r"\s*<tool_call>", "<tool_call>"),
        (r"<c>.*?<m>", "<m>"),
        (r"(?=[\s\S]*?</think>)", "</think>"),
        (r"(?:<m>)?[^<]*<x>", "<x>"),
        (r"a\s*(?:<x>|<y>)", None),
        (r"\s*<x>|a*<x>", "<x>"),
        (r"\s*<x>|<y>", None),
        (r"</t>\s*", None),
        ("<x>", None),
        (r"(?i)\s*end", None),
        (r"\s*(?:<x>)?", None),
        (r"\s*(?:<x>)+", "<x>"),
    ],
)
def test_needs(pattern: str, needs: str | None) -> None:
    assert derive(parse_pattern(pattern), "DONE", "WAIT").needs == needs


@pytest.mark.parametrize(
    "pattern",
    [
        "<think>",
        r"</think>\s*",
        r"\s*<tool_call>\s*<function=(?P<name>[^>\n]+)>",
        r"<\|channel\|>commentary to=functions\.(?P<name>\w+).*?<\|message\|>",
        r"(?:<\|message_model\|>)?[^<]*<\|content_text\|>",
        r"(?=[\s\S]*?</think>)",
        r"(?:<\|tool_call_start\|>\[|,\s*)(?P<name>\w+)\(",
        r"(?:<turn\|>|<eos>)\s*|$",
        r"<x>(?:(?!</x>).)*</x>",
        r"\bword+",
        r"^\s*(?=\{\s*x)",
        r"a\w*(?:b|c?)",
    ],
)
def test_linear_patterns(pattern: str) -> None:
    assert derive(parse_pattern(pattern), "DONE", "WAIT").nonlinear == ()


@pytest.mark.parametrize(
    ("pattern", "reason", "part"),
    [
        (r"<(?:\w+\s*)+>", "a loop inside a loop", r"(?:\w+\s*)+"),
        (r"<a>\s*\n?\s*x", "a loop that shares characters with the one before", r"\s*"),
        (r"a[^b]*c", "a loop that a match may start inside of", "[^b]*"),
        (r"a(?=.*b)", "a look-ahead over a loop, at many places", "(?=.*b)"),
        (r"<(\w+)>\1", "a backreference", r"\1"),
        (r"(?<=a.*)b", "a look-behind without limit", "(?<=a.*)"),
        (r"(?:ab)*c", "a loop that a match may start inside of", "(?:ab)*"),
        (r"a\w*(?:b|\Z)", "a loop that a match may start inside of", r"\w*"),
    ],
)
def test_slow_parts_are_named(pattern: str, reason: str, part: str) -> None:
    slow, *_ = derive(parse_pattern(pattern), "DONE", "WAIT").nonlinear
    start, end = slow.span
    assert slow.reason == reason
    assert pattern[start:end].endswith(part.removeprefix("(?:"))
