"""LT513 and LT514 are true: transformers finds these delimiters elsewhere when they are streamed.

Each closer comes with a text that tells: streamed one character at a time it gives another message
than at once if, and only if, the linter says so.
"""

from __future__ import annotations

from typing import Any

import pytest
from transformers.utils.chat_parsing import ResponseParser

from compiler.lint.response.checks import response_problems

DEPENDS = {
    "LT513": [
        ("</t>|$", "<t>x</t>y"),
        ("(?:</t>|$)\\s*", "<t>x</t>y"),
        ("</t>|\\Z", "<t>x</t>y"),
        ("</t>|(?=<c>|\\Z)", "<t>x</t>y"),
    ],
    "LT514": [
        ("</t>(?:</s>)?", "<t>x</t></s>y"),
        ("</t>(?:</s>)?\\s*", "<t>x</t></s>y"),
        ("</t>(?:ab)*", "<t>x</t>ababy"),
        ("(?:</t>)+", "<t>x</t></t>y"),
        ("</t>(?:\\s|<a>)*", "<t>x</t> <a>y"),
        ("</t>ab|</t>", "<t>x</t>aby"),
        (["</t>", "</t>ab"], "<t>x</t>aby"),
        (["<abcd", "b"], "<t>x<abcdy"),
        (["abc", "b"], "<t>xabcy"),
        ("</t.*>", "<t>x</t>y>z"),
        ("</t(?:.*)>\\s*", "<t>x</t>y>z"),
    ],
}
ALIKE: list[tuple[str | list[str], str]] = [
    ("</t>\\s*", "<t>x</t> \n y"),
    ("</t>[ab]?", "<t>x</t>aby"),
    ("</t>(?:a|b)*", "<t>x</t>aby"),
    ("</t>|</t>ab", "<t>x</t>aby"),
    ("</t>(?:ab)?(?=y)", "<t>x</t>aby"),
    ("</t>\\s*$", "<t>x</t> y</t> "),
    ("</t>$", "<t>x</t>y</t>"),
    ("\\s*$", "<t>x y "),
    (["</t>", "</t>a"], "<t>x</t>aby"),
    (["</t>", "a</t>"], "<t>xa</t>y"),
    ("</t.*?>", "<t>x</t>y>z"),
    ("</t[^>]*>", "<t>x</t>y>z"),
    ("</t>(?:</s>)", "<t>x</t></s>y"),
    ("</t>|(?=<c>)", "<t>x</t>y<c>"),
]


def template(closer: str | list[str]) -> dict[str, Any]:
    key = "close_pattern" if isinstance(closer, str) else "close"
    return {"start_anchor": "A", "fields": {"t": {"open": "<t>", key: closer}, "content": {}}}


def messages(closer: str | list[str], text: str) -> list[dict[str, Any]]:
    """What transformers makes of the text at once, and of one character after the other."""
    found = []
    for chunks in ([text], text):
        parser = ResponseParser(template(closer), prefix="")
        for chunk in chunks:
            parser.feed(chunk)
        found.append(parser.finalize()[0])
    return found


def rules(closer: str | list[str]) -> set[str]:
    found = {problem.diagnostic.rule for problem in response_problems(template(closer))}
    return found & set(DEPENDS)


@pytest.mark.parametrize(
    ("rule", "closer", "text"),
    [(rule, closer, text) for rule, rows in DEPENDS.items() for closer, text in rows],
)
def test_what_depends_on_the_chunks(rule: str, closer: str | list[str], text: str) -> None:
    at_once, streamed = messages(closer, text)
    assert at_once != streamed
    assert rules(closer) == {rule}


@pytest.mark.parametrize(("closer", "text"), ALIKE)
def test_what_does_not(closer: str | list[str], text: str) -> None:
    at_once, streamed = messages(closer, text)
    assert at_once == streamed
    assert rules(closer) == set()
