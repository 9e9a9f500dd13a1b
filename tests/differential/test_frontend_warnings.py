"""Warnings are true: transformers loads the template and then does what the warning says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from transformers.utils.chat_parsing import parse_response

from compiler.frontend.load import load
from compiler.frontend.rules import RULES
from compiler.frontend.validate import validate


def warned(spec: Any) -> list[tuple[str, str]]:
    return [(w.rule, w.pointer) for w in validate(load(spec)).warnings]


def one_field(**field: Any) -> dict[str, Any]:
    return {"start_anchor": "A", "fields": {"x": {"open": "<a>", "close": "</a>", **field}}}


def example(rule: str, quality: str) -> dict[str, Any]:
    spec: dict[str, Any] = json.loads(getattr(RULES[rule], quality))
    return one_field(**spec) if RULES[rule].example == "field" else spec


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("RT904", '<a>{"name": "f"}</a>'),
        ("RT905", "<a>x</a>"),
        ("RT907", '<a>[{"name": "f"}]</a>'),
        ("RT908", "<a>1</a>"),
    ],
)
def test_the_first_region_fails(rule: str, text: str) -> None:
    with pytest.raises((KeyError, ValueError, AttributeError)):
        parse_response(text, example(rule, "bad"), prefix="")
    assert parse_response(text, example(rule, "good"), prefix="")[
        "x" if rule != "RT905" else "calls"
    ]


FAILING = [
    ("RT904", {"transform": "{content.name}"}, "text"),
    ("RT904", {"transform": "{content.name}", "content": "int"}, "1"),
    ("RT904", {"transform": "{content.f}", "content": "python-call-list"}, "[]"),
    ("RT904", {"open_pattern": "<(?P<n>a)>", "transform": "{n.x}"}, "text"),
    ("RT904", {"transform": ["{other}"]}, "text"),
    ("RT907", {"transform": "{n}", "transform_each": True}, "text"),
    ("RT908", {"repeats": True, "join": "", "content": "bool"}, "true"),
    ("RT908", {"repeats": True, "join": "", "content": "kv-lines"}, "a: b"),
    ("RT908", {"repeats": True, "join": "", "transform": {}}, "text"),
    ("RT908", {"repeats": True, "join": "", "transform": 5}, "text"),
    ("RT908", {"repeats": True, "join": "", "transform": "{content}", "content": "int"}, "1"),
    (
        "RT908",
        {"repeats": True, "join": "", "transform": "a", "transform_each": True, "content": "json"},
        "[]",
    ),
]


@pytest.mark.parametrize(("rule", "field", "body"), FAILING)
def test_what_must_fail_is_a_warning(rule: str, field: dict[str, Any], body: str) -> None:
    spec = one_field(**field)
    if "open_pattern" in field:
        del spec["fields"]["x"]["open"]
    assert [rule for rule, _ in warned(spec)] == [rule]
    with pytest.raises((KeyError, ValueError)):
        parse_response(f"<a>{body}</a>", spec, prefix="")


@pytest.mark.parametrize(
    "field",
    [
        {"transform": "{content.name}", "content": "kv-lines"},
        {"transform": "{content.a.b}", "content": "json"},
        {"transform": {"n": "{n}"}, "open_pattern": "<(?P<n>a)>"},
        {"transform": {"n": "{n}"}, "close_pattern": "</(?P<n>a)>"},
        {"transform": "{any.thing}", "content": "json", "transform_each": True},
        {"transform": "{ content }"},
        {"transform": "{content}", "repeats": True, "join": ""},
        {"content": "json", "repeats": True, "join": ""},
        {"transform": "text", "content": "int", "repeats": True, "join": ""},
    ],
)
def test_what_may_work_is_no_warning(field: dict[str, Any]) -> None:
    spec = one_field(**field)
    for key in ("open", "close"):
        if f"{key}_pattern" in field:
            del spec["fields"]["x"][key]
    assert warned(spec) == []


@pytest.mark.parametrize(
    ("default", "field"),
    [
        (None, {"repeats": True}),
        ("x", {"repeats": True}),
        ({}, {"repeats": 1}),
        ([], {"repeats": True, "join": ""}),
        (0, {"repeats": True, "join": ""}),
    ],
)
def test_a_default_that_nothing_can_be_added_to(default: Any, field: dict[str, Any]) -> None:
    spec = {**one_field(**field), "defaults": {"x": default}}
    assert ("RT905", "/defaults/x") in warned(spec)
    with pytest.raises((TypeError, AttributeError)):
        parse_response("<a>x</a>", spec, prefix="")


@pytest.mark.parametrize(
    ("default", "field"),
    [
        ([], {"repeats": True}),
        (None, {"repeats": True, "join": ""}),
        ("x", {"repeats": True, "join": ""}),
        (5, {}),
    ],
)
def test_a_default_that_fits(default: Any, field: dict[str, Any]) -> None:
    spec = {**one_field(**field), "defaults": {"x": default, "role": 5}}
    assert warned(spec) == []
    assert parse_response("<a>x</a>", spec, prefix="")["x"]


def test_equal_openers_hide_the_field_whose_name_comes_later() -> None:
    fields = {
        "b": {"open": ["<t>", "<b>"], "close": "</b>"},
        "a": {"open": "<t>", "close": "</a>"},
        "c": {"open_pattern": "<t>"},
        "d": {"open_pattern": "<t>"},
        "content": {"close": ["<t>", "<e>"]},
    }
    spec = {"start_anchor": "A", "fields": fields}
    assert warned(spec) == [
        ("RT906", "/fields/b/open/0"),
        ("RT906", "/fields/d/open_pattern"),
        ("RT906", "/fields/content/close/0"),
    ]
    assert parse_response("x<t>y</a><b>z</b>", spec, prefix="") == {
        "a": "y",
        "b": "z",
        "content": "x",
    }


@pytest.mark.parametrize(
    ("field", "pointer", "meaning"),
    [
        ({"optional": "false"}, "/fields/x/optional", "a string here counts as true"),
        ({"optional": None}, "/fields/x/optional", "null here counts as false"),
        ({"repeats": 0}, "/fields/x/repeats", "a number here counts as false"),
        ({"content_args": {"strip": []}}, "/fields/x/content_args/strip", "counts as false"),
        (
            {"content": "python-call-list", "content_args": None},
            "/fields/x/content_args",
            '"python-call-list" ignores it',
        ),
        (
            {"content": "kv-lines", "content_args": {"line_sep": None}},
            "/fields/x/content_args/line_sep",
            "null splits at every run of white space",
        ),
        (
            {"content": "json", "content_args": {"string_delims": ["<>"]}},
            "/fields/x/content_args/string_delims",
            "should be a list of [open, close]",
        ),
    ],
)
def test_values_of_another_type_are_explained(
    field: dict[str, Any], pointer: str, meaning: str
) -> None:
    (warning,) = validate(load(one_field(**field))).warnings
    assert (warning.rule, warning.pointer) == ("RT902", pointer)
    assert meaning in warning.message


@pytest.mark.parametrize("version", [True, 1.0])
def test_versions_that_equal_one(version: Any) -> None:
    assert warned({**one_field(), "version": version}) == [("RT902", "/version")]


def test_unknown_arguments_are_found_at_every_depth() -> None:
    inner = {"name": "json", "args": {"allow_nonjson": True}, "extra": 1}
    args = {"tag_pattern": "(?P<key>a)(?P<value>b)", "value_parser": inner, "strip": True}
    found = validate(load(one_field(content="xml-inline", content_args=args))).warnings
    assert [(w.rule, w.pointer.rpartition("/")[2], w.hint) for w in found] == [
        ("RT903", "allow_nonjson", 'did you mean "allow_non_json"?'),
        ("RT903", "extra", None),
        ("RT903", "strip", None),
    ]
