"""Which strings cannot be told from a closer, from one another, or from brackets."""

from __future__ import annotations

import pytest

from compiler.frontend.checks.strings import brackets_clash, pairs_clash, strings_clash
from compiler.frontend.syntax import Delimiter, Strings

JSON, PYTHON = Strings("json"), Strings("python")
LONG = Strings(None, (("<|q|>", "<|q|>"),))


def literal(*texts: str) -> Delimiter:
    return Delimiter(texts, None, "/fields/calls/close")


def pattern(text: str) -> Delimiter:
    return Delimiter(None, text, "/fields/calls/close_pattern")


def before(opener: Delimiter) -> Delimiter:
    return Delimiter((), None, "/fields/calls/closes_on", (opener,))


@pytest.mark.parametrize(
    ("closer", "strings"),
    [
        (literal("</call>"), JSON),
        (literal('}"'), JSON),  # it begins before the string does
        (literal("'"), JSON),
        (pattern(r"\s*</call>"), PYTHON),
        (literal("<|end|>"), LONG),
        (literal('"'), LONG),
        (before(literal("<call>")), PYTHON),
    ],
)
def test_closers_that_can_be_told_from_strings(closer: Delimiter, strings: Strings) -> None:
    assert strings_clash(closer, strings) is None


@pytest.mark.parametrize(
    ("closer", "strings", "where"),
    [
        (literal('"</call>'), JSON, r'with "\""'),
        (literal("</call>", "'"), PYTHON, 'with "\'"'),
        (pattern(r'["}]*</call>'), JSON, r'with "\""'),
        (pattern(r".*?</call>"), JSON, r'with "\""'),
        (literal("<|"), LONG, 'with "<|q|>"'),
        (literal("<|q|>!"), LONG, 'with "<|q|>"'),
        (literal("q"), LONG, 'inside "<|q|>"'),
        (literal("|><"), LONG, 'inside "<|q|>"'),
        (before(literal('"call"')), JSON, r'with "\""'),
    ],
)
def test_closers_that_cannot(closer: Delimiter, strings: Strings, where: str) -> None:
    assert strings_clash(closer, strings) == f"the closer may begin {where}, which opens a string"


@pytest.mark.parametrize("pairs", [(("<a>", ">"), ("<b>", ">")), (("$", "%"), ("~", "$"))])
def test_pairs_that_can_be_told_apart(pairs: tuple[tuple[str, str], ...]) -> None:
    assert pairs_clash(Strings(None, pairs)) is None
    assert pairs_clash(PYTHON) is None


@pytest.mark.parametrize("openers", [("q", "q"), ("qq", "q"), ("xq", "q"), ("xq", "qy")])
def test_pairs_that_cannot(openers: tuple[str, str]) -> None:
    found = pairs_clash(Strings(None, tuple((opener, "!") for opener in openers)))
    assert found is not None and "may overlap" in found


def test_brackets_in_the_opener_of_a_string() -> None:
    assert brackets_clash(LONG) is None
    assert brackets_clash(Strings(None, (("{{", "}}"),))) is not None
    assert brackets_clash(Strings(None, (("<", "}"),))) is None
