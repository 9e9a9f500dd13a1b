r"""The streaming pattern: its text, its groups, and what waiting saves."""

from __future__ import annotations

import re

import pytest

from compiler.delimiters.derive import DerivedDelimiter, PatternText, derive
from compiler.delimiters.pattern import literals_node, parse_pattern
from tests.unit.delimiter_oracle import Subject, still_waits


def derived(pattern: str) -> DerivedDelimiter:
    return derive(parse_pattern(pattern), "DONE", "WAIT")


@pytest.mark.parametrize(
    ("pattern", "streaming"),
    [
        ("<", "<(?P<DONE>)"),
        ("</t>", r"</t>(?P<DONE>)|<(?:/t?)?\Z"),
        (r"</t>\s*", r"</t>[{SPACE}]*(?:(?P<WAIT>\Z)|(?P<DONE>))|<(?:/t?)?\Z"),
        (r"\n?<x>", r"\n?(?:\Z|<x>(?P<DONE>)|<x?\Z)"),
        ("a|bc", r"a(?P<DONE>)|bc(?P<DONE__2>)|b\Z"),
        ("a(?:bc)?", r"a(?:bc(?P<DONE>)|b?\Z|(?P<DONE__2>))"),
        ("a(?:b|c)d", r"a(?:b|\Z|c|\Z)(?:\Z|d(?P<DONE>))"),
        ("(?:ab)+c", r"(?:ab|a\Z)+(?:\Z|c(?P<DONE>))"),
        ("a{2,3}b", r"a{2,3}(?:\Z|b(?P<DONE>))|a\Z"),
        ("a.*?bc", r"a.*?(?:bc(?P<DONE>)|(?P<WAIT>b?\Z))"),
        ("a[^b]*bc", r"a[^b]*(?:(?P<WAIT>\Z)|bc(?P<DONE>)|b\Z)"),
        ("(?=<t>)", r"(?=<t>)(?P<DONE>)|<t?\Z"),
        ("(?=.*?<t>)", "(?=.*?<t>)(?P<DONE>)|(?P<WAIT>)"),
        (r"\n(?!ab)", r"\n(?:(?!ab|a?\Z)(?P<DONE>)|a?\Z)"),
        ("a(?!b)", r"a(?:\Z|(?!b)(?P<DONE>))"),
        ("a(?=b)c", r"a(?:\Z|(?=b)c(?P<DONE>))"),
        ("(?:(?!<t>).)*x", r"(?:(?!<t>|(?:<t?)?\Z).)*(?:(?P<WAIT>(?:<t?)?\Z)|x(?P<DONE>))"),
        ("^a|b$", r"^a(?P<DONE>)|b\n?\Z"),
        (r"a\Z", r"a\Z"),
        (r"(?<=x)a\b", r"(?<=x)a(?:\Z|(?![{WORD}])(?P<DONE>))"),
        (r"</a>(?=<\|$)", r"</a>(?=<\|\n?\Z|<?\Z)|<(?:/a?)?\Z"),
        (r"(.)x\1", r"(?P<_DONE_group1>.)(?:\Z|x(?:(?P=_DONE_group1)(?P<DONE>)|(?:.|\Z)\Z))"),
    ],
)
def test_text(pattern: str, streaming: str) -> None:
    assert derived(pattern).streaming.template == streaming


def test_a_long_literal_is_held_in_blocks() -> None:
    literal = "<" + "0123456789" * 60 + ">"
    subject = Subject(re.escape(literal), literals_node((literal,)))
    for length in (1, 5, 31, 32, 33, 64, 500, len(literal) - 1):
        verdict = subject.verdict("ab" + literal[:length])
        assert verdict is not None
        assert (verdict.start, verdict.end) == (2, None)
        assert subject.verdict("ab" + literal[:length] + "x") is None
    assert subject.verdict("ab" + literal + "x") is not None


def test_the_first_literal_is_where_a_search_can_leap_to() -> None:
    for pattern in ("<think>", r"</think>\s*", "</think>|(?=<tool_call>)", r"<a>\s*<b=(?P<n>\w+)>"):
        branches = derived(pattern).streaming.template.split("|")
        assert branches[0].startswith("<")


def test_groups_of_several_delimiters_do_not_clash() -> None:
    patterns = (r"<a>\s*", r"(?P<q>'|\")(?P=q)", r"a(?=[\s\S]*?</a>)", r"<b(?P<n>\w+)>")
    parts = [
        derive(parse_pattern(pattern), f"D{number}", f"W{number}")
        for number, pattern in enumerate(patterns)
    ]
    merged = re.compile("|".join(part.streaming.text() for part in parts), re.DOTALL)
    for part in parts:
        groups = {*part.done_groups, *(wait.group for wait in part.waits)}
        assert groups <= set(merged.groupindex)
    match = merged.search("x <bcd> ")
    assert match is not None
    assert match.lastgroup == "D3"


@pytest.mark.parametrize(
    ("pattern", "held", "goes_on", "ends"),
    [
        (r"</t>\s*", "x</t> ", " \n \t", "x"),
        (r"\s*<t>", "x ", "  \n", "<"),
        (r"<f=[^>\n]+>", "<f=ab", "cd<=", ">"),
        (r"<c>.*?<m>", "<c>x", "y<my", "<m>"),
        (r"<c>.*?<m>", "<c>x<m", "y<", "m>"),
        (r"<c>.*<m>", "<c>x<m>", "y<m>y", None),
        (r"(?=[\s\S]*?</t>)", "ab</", "cd </", "t>"),
        (r"</t>|(?=\s*<t>)", "x ", " \n ", "<"),
        (r"<c>(?:(?!</c>).)*</c>", "<c>a</", "b</", "c>"),
        (r"to=(\S+?)<m>", "to=ab", "cd", "<"),
        (r"a(?!.*bc)", "a b", "xyb", "c"),
    ],
)
def test_waiting(pattern: str, held: str, goes_on: str, ends: str | None) -> None:
    """No search is needed while `goes_on` arrives, one character at a time; `ends` asks for one."""
    subject = Subject(pattern)
    verdict = subject.verdict(held)
    assert verdict is not None
    assert verdict.wait is not None
    assert still_waits(subject, verdict.wait, held, goes_on)
    later = subject.verdict(held + goes_on)
    assert later is not None
    assert (later.start, later.end) == (verdict.start, None)
    if ends is not None:
        assert not still_waits(subject, verdict.wait, held + goes_on, ends)


@pytest.mark.parametrize(
    ("pattern", "buffer"),
    [
        (r"(?:a*b)*c", "abb"),  # a round of the loop starts at the end: its first loop read nothing
        (r"a(?:bc)?x*d", "ab"),  # the end was met before the loop
        (r"<(?:\w+\s*)+>", "<ab "),
        (r"(?=\s*\n)", "x "),  # a line break is decided, though it goes on with the run
    ],
)
def test_no_waiting_where_text_could_end_the_hold(pattern: str, buffer: str) -> None:
    verdict = Subject(pattern).verdict(buffer)
    assert verdict is not None
    assert verdict.wait is None


def test_a_wait_names_what_ends_it() -> None:
    (wait,) = derived(r"<f=[^>\n]+>").waits
    assert wait.group == "WAIT"
    assert wait.stay == PatternText(r"[^>\n]")
    assert wait.leave == PatternText(r"[>\n]")
    (wait,) = derived(r"<c>.*?<m>").waits
    assert wait.literal == "<m>"
