"""Templates of the dialect that are compiled, though something in them can never count."""

from __future__ import annotations

from typing import Any

import pytest

from compiler import compile_template
from compiler.frontend.load import load
from compiler.frontend.validate import validate

A = {"open": "<a>", "close": "</a>"}
OUTER = {"open": "<o>", "close": "</o>"}
SECTION = {"section": {"open": "<s>", "close": "</s>"}}


def extended(fields: dict[str, Any], **top: Any) -> dict[str, Any]:
    return {"dialect": "extended-1", "start_anchor": "<bot>", **top, "fields": fields}


def warned(fields: dict[str, Any], **top: Any) -> list[tuple[str, str]]:
    warnings = validate(load(extended(fields, **top))).warnings
    return [(each.rule, each.pointer) for each in warnings]


@pytest.mark.parametrize(
    ("fields", "pointer"),
    [
        ({"y": A, "x": A}, "/fields/y/open"),
        ({"x": A, "y": {"open": ["<b>", "<a>"], "close": "</a>"}}, "/fields/y/open/1"),
        ({"x": {"forms": [A, {**A, "close": "!"}]}}, "/fields/x/forms/1/open"),
        ({"x": {"open": "<a>", "forms": [{"close": "?"}, {"close": "!"}]}}, "/fields/x/open"),
        ({"x": {**SECTION, "forms": [A, A]}}, "/fields/x/forms/1/open"),
        ({"x": {"open": "<s>"}, "y": {**SECTION, "forms": [A, OUTER]}}, "/fields/y/section/open"),
        ({"x": {**A, "inside": ["o"]}, "y": {**A, "inside": ["o"]}, "o": OUTER}, "/fields/y/open"),
        ({"x": {**A, "at": "start"}, "y": {**A, "at": "start"}}, "/fields/y/open"),
        ({"x": A, "c": {"close": "<a>"}}, "/fields/c/close"),
        ({"x": {**A, "glue": {"open": ["\\s*", "\\n?"]}}, "y": A}, "/fields/y/open"),
    ],
)
def test_delimiters_that_equal_ones_hide(fields: dict[str, Any], pointer: str) -> None:
    assert warned(fields) == [("RT906", pointer)]


@pytest.mark.parametrize(
    "fields",
    [
        {"x": A, "y": {**A, **SECTION}},
        {"x": {**A, **SECTION}, "y": {**A, "section": {"open": "[", "close": "]"}}},
        {"x": A, "y": {**A, "inside": ["o"]}, "o": OUTER},
        {"x": A, "y": {**A, "glue": {"open": ["", "\\n"]}}},
        {"x": {**A, "glue": {"open": ["", "\\n"]}}, "y": A},
        {"x": {**A, "glue": {"open": ["\\Z?(?=b)", ""]}}, "y": A},
        {"x": {**A, "at": "start"}, "y": A},
        {"x": {**A, **SECTION}, "c": {"close": "<a>"}},
    ],
)
def test_equal_openers_in_other_places(fields: dict[str, Any]) -> None:
    assert warned(fields, ignore=["!"]) == []


def test_hidden_openers_never_open() -> None:
    parser = compile_template(extended({"y": A, "x": A}))
    assert parser.parse("<a>1</a>", prefix="") == {"x": "1"}


def test_what_opens_or_closes_is_not_ignored() -> None:
    glue = {"glue": {"open": ["\\s*", "(?:\\s+\\Z)?"]}}
    fields = {"x": {**A, **glue}, "s": {**OUTER, **SECTION}, "c": {"close": "|"}}
    assert warned(fields, ignore=["<a>", "<o>", "|", "!", "<s>"]) == [
        ("RT906", f"/ignore/{index}") for index in (0, 2, 4)
    ]


def test_special_markers_are_in_a_delimiter() -> None:
    fields = {
        "x": {"open_pattern": "</?think>|<m\\d>", "close": "<end>", **SECTION},
        "y": {"open": "<y>", "strings": [["<q>", "</q>"]], "close": "</y>"},
        "z": {
            "open": "<z>",
            "content": "xml-inline",
            "content_args": {"tag_pattern": "<arg_(?P<key>.)>(?P<value>.)"},
        },
        "j": {
            "open": "<j>",
            "content": "json",
            "content_args": {"string_delims": [["<t>", "</t>"]]},
        },
    }
    used = [
        "<think>",
        "</think>",
        "<m1>",
        "<end>",
        "<s>",
        "</s>",
        "<q>",
        "<arg_",
        "<t>",
        "<bot>",
        "!!",
    ]
    fields["stopped"] = {"open": "<o>", "close": "</o>", "stop": "<halt>"}
    used.append("<halt>")
    assert warned(fields, special=[*used, "<thnk>", "<ma>", "<end>\n"], ignore="!!") == [
        ("RT912", f"/special/{index}") for index in (12, 13, 14)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "{content.a | content.b}",
        "{ content }",
        "{content..a}",
        "{content.a-b?}",
        "{content.a | {}}",
        "{content[0]}",
        "{{ content }}",
    ],
)
def test_what_is_nearly_a_placeholder(text: str) -> None:
    field = {**A, "content": "json", "transform": {"x": text}}
    assert warned({"x": field}) == [("RT911", "/fields/x/transform/x")]
    spec = {"start_anchor": "<bot>", "fields": {"x": field}}
    assert validate(load(spec)).warnings == ()


@pytest.mark.parametrize("text", ["{}", "{", "{a b}", '{"a": 1}', "{1-2}", "x"])
def test_texts_with_braces(text: str) -> None:
    assert warned({"x": {**A, "transform": {"x": text}}}) == []
