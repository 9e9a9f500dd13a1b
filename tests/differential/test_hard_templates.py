"""Templates that are easy to compile wrongly, on texts around their delimiters, every chunking."""

from __future__ import annotations

import random
from typing import Any

import pytest

from compiler import compile_template
from tests.differential.compare import resumed, streamed, whole
from tests.differential.reference import Stalled, load_reference, reference_outcome

NAMED = {"name": "{name}", "text": "{content}"}


def one(**field: Any) -> dict[str, Any]:
    """A template of one region and the text around it."""
    around = {"content_args": {"strip": False}, "repeats": True}
    region = {"content_args": {"strip": False}, "repeats": True, **field}
    return {"start_anchor": "@", "fields": {"region": region, "around": around}}


def two(first: dict[str, Any], second: dict[str, Any], **around: Any) -> dict[str, Any]:
    """A template of two regions and the text around them."""
    fields = {"b": {"repeats": True, **first}, "a": {"repeats": True, **second}}
    return {"start_anchor": "@", "fields": {**fields, "around": {"repeats": True, **around}}}


# name: (template, pieces that texts are made of)
HARD: dict[str, tuple[dict[str, Any], list[str]]] = {
    "look-ahead that sees the end": (
        one(open="<a>", close_pattern=r"</a>(?=<\|$)"),
        ["<a>", "</a>", "<", "<|", "x", "\n"],
    ),
    "look-ahead with a boundary": (
        one(open="<a>", close_pattern=r"\n(?=Action\b)"),
        ["<a>", "\n", "Action", "Actions", " ", ":", "x"],
    ),
    "negative look-ahead with a boundary": (
        one(open="<a>", close_pattern=r"\n(?!end\b)"),
        ["<a>", "\n", "end", "ending", " ", "x"],
    ),
    "look-ahead in a look-ahead": (
        one(open_pattern=r"<tool>(?=\{(?!\}))", close="}"),
        ["<tool>", "{", "}", "x", "<to"],
    ),
    "long look-behind": (
        one(open_pattern=r"(?<=0123456789ab)<", close=">"),
        ["0123456789ab", "56789ab", "0", "<", ">", "ab"],
    ),
    "captures in a look-ahead": (
        one(open_pattern=r"<(?=(?P<name>\w+))", close=">", transform=NAMED),
        ["<", "ab", "c", ">", " "],
    ),
    "backreference": (
        one(open_pattern=r"(?P<name>[ab]+)-(?P=name);", close=".", transform=NAMED),
        ["ab", "-", ";", "a", "b", "."],
    ),
    "tie of two patterns": (
        two({"open_pattern": r"<\w+", "close": "."}, {"open_pattern": r"<a[bc]*", "close": "."}),
        ["<a", "b", "c", "<ab", ".", "x", "é"],
    ),
    "tie of a pattern and a literal": (
        two({"open": "<ab>", "close": "."}, {"open_pattern": r"<[^>]*>", "close": "."}),
        ["<ab>", "<abc>", "<a", "b>", ".", ">"],
    ),
    "tie of an opener and the implicit closer": (
        two({"open": "<<", "close": ">"}, {"open": "#", "close": ">"}, close=["<<", "<"]),
        ["<", "<<", ">", "#", "x"],
    ),
    "names that are no identifiers": (
        {
            "start_anchor": "@",
            "fields": {
                "tool calls": {"open": "<a>", "close": "</a>"},
                "tool_calls": {"open": "<b>", "close": "</b>"},
                "Tool-Calls": {"open": "<c>", "close": "</c>"},
                "class": {"open": "<d>", "close": "</d>"},
                "": {"open": "<e>", "close": "</e>"},
                "été": {},
            },
        },
        ["<a>", "</a>", "<b>", "</b>", "<c>", "</c>", "<d>", "</d>", "<e>", "</e>", "x"],
    ),
    "start of the text or of a line": (
        one(open_pattern=r"(?:^|\n)(?P<name>..)", close=";", transform=NAMED),
        ["\n", "ab", "c", ";"],
    ),
    "any character spelt as two classes": (
        one(open_pattern=r"<[\s\S]>", close_pattern=r"[\d\D]?</a>"),
        ["<", "\n", ">", "</a>", "x", "\x1c"],
    ),
    "loops inside loops": (
        one(open_pattern=r"<(?:\w+\s*)+>", close="."),
        ["<", "ab", " ", "cd", ">", "."],
    ),
    "spaces before a literal": (
        one(open_pattern=r"\s*<a>", close_pattern=r"\s*</a>\s*"),
        [" ", "\n", "<a>", "</a>", "x", "\x1c"],
    ),
    "closer with a way that takes nothing": (
        two({"open": "<a>", "close_pattern": r"</a>|(?=<b>)"}, {"open": "<b>", "close": "</b>"}),
        ["<a>", "</a>", "<b>", "</b>", "x", "<"],
    ),
    "optional tail": (
        one(open="<c>", close_pattern=r"</c>(?:</s>)?"),
        ["<s>", "<c>", "</c>", "</s>", "</", "x"],
    ),
    "end of the text as a closer": (
        one(open="<a>", close_pattern=r"(?:<turn\|>|<eos>)\s*|$"),
        ["<a>", "<turn|>", "<eos>", "\n", "x", "<tu"],
    ),
    "literals inside and before one another": (
        two({"open": ["<a", "<ab", "bc"], "close": ["END", "ENDX"]}, {"open": "c<", "close": "X"}),
        ["<a", "b", "c", "<ab", "END", "X", "bc", "c<"],
    ),
    "lazy loop before a literal": (
        one(open_pattern=r"to=(?P<name>\S+?)<\|m\|>", close="<|e|>", transform=NAMED),
        ["to=", "f", "x y", "<|m|>", "<|e|>", "<|"],
    ),
    "header that runs to a literal": (
        one(open_pattern=r"<c>(?P<name>\w+).*?<m>", close="</c>", transform=NAMED),
        ["<c>", "f", " ", "<m>", "</c>", "<", "m>"],
    ),
    "look-ahead over everything": (
        one(open_pattern=r"(?=[\s\S]*?</t>)", close_pattern=r"</t>\s*"),
        ["</t>", "\n", "x", "</"],
    ),
    "optional wrapper before a class": (
        one(open_pattern=r"(?:<m>)?[^<]*<t>", close="</t>"),
        ["<m>", "<t>", "</t>", "x", "auth", "<"],
    ),
}


@pytest.mark.parametrize("name", HARD)
def test_every_chunking_of_many_texts(name: str) -> None:
    spec, pieces = HARD[name]
    compiled, reference = compile_template(spec), load_reference(spec)
    choose = random.Random(name)
    compared = 0
    for _ in range(150):
        text = "".join(choose.choices(pieces, k=choose.randint(0, 9)))
        try:
            expected = reference_outcome(reference, text)
        except Stalled:
            continue
        compared += 1
        one_pass = whole(compiled, "", text)
        assert (one_pass.message, one_pass.error) == (expected.message, expected.error), text
        assert streamed(compiled, "", list(text)) == expected, text
        assert resumed(compiled, "", list(text)) == expected, text
        for at in range(len(text) + 1):
            assert streamed(compiled, "", [text[:at], text[at:]]) == expected, (text, at)
    assert compared > 50
