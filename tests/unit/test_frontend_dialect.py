"""The extended dialect from JSON to frozen fields, and its mistakes where they are written."""

from __future__ import annotations

from typing import Any

import pytest

from compiler.diagnostics import TemplateError
from compiler.frontend.load import load
from compiler.frontend.syntax import Delimiter, Section, Strings, Template
from compiler.frontend.validate import validate


def template(fields: dict[str, Any], **top: Any) -> Template:
    spec = {"dialect": "extended-1", "start_anchor": "A", **top, "fields": fields}
    return validate(load(spec)).template


def mistakes(fields: dict[str, Any], **top: Any) -> list[tuple[str, str]]:
    with pytest.raises(TemplateError) as raised:
        template(fields, **top)
    return [(each.rule, each.pointer) for each in raised.value.diagnostics]


def test_a_form_takes_from_the_field_what_it_leaves_out() -> None:
    first, second = template(
        {
            "calls": {
                "repeats": True,
                "close": "</c>",
                "content": "json",
                "content_args": {"unquoted_keys": True},
                "transform": {"function": "{content}"},
                "forms": [
                    {"open": "<a>"},
                    {"open_pattern": "<b (?P<n>x)>", "close_pattern": "</b+>", "content": "text"},
                ],
            }
        }
    ).fields
    assert (first.name, second.name) == ("calls", "calls")
    assert first.pointer == "/fields/calls/forms/0"
    assert first.closer == Delimiter(("</c>",), None, "/fields/calls/forms/0/close")
    assert (first.content, first.content_args) == ("json", {"unquoted_keys": True})
    assert second.closer and second.closer.pattern == "</b+>"
    assert (second.content, second.content_args) == ("text", {})
    assert first.repeats and second.repeats
    assert first.transform == second.transform == {"function": "{content}"}


def test_glue_and_place_become_part_of_the_delimiter() -> None:
    (field,) = template(
        {
            "calls": {
                "open": ["<a", "<a.b>"],
                "close_pattern": "x|y",
                "glue": {"open": ["\\s*", "\\n?"], "close": ["", " *"]},
                "section": {"open": "[", "close": "]", "glue": {"close": ["", "\\n"]}},
            }
        }
    ).fields
    assert field.opener and field.opener.pattern == r"\s*(?:<a\.b>|<a)\n?"
    assert field.closer and field.closer.pattern == "(?:x|y) *"
    place = "/fields/calls/section"
    closer = Delimiter(None, r"(?:\])\n", f"{place}/close")
    assert field.section == Section(Delimiter(("[",), None, f"{place}/open"), closer, place)


def test_alternatives_of_glue_belong_to_their_delimiter() -> None:
    glue = {"open": [" |\\n", ""], "close": ["", "\\n\\n|\\n"]}
    start, enclosed = template(
        {
            "a": {"open": "<a>", "close": "</a>", "at": "start", "glue": glue},
            "b": {"open": "<b>", "section": {"open": "[", "close": "]", "glue": glue}},
        }
    ).fields
    assert start.opener and start.opener.pattern == r"^(?: |\n)(?:<a>)"
    assert start.closer and start.closer.pattern == r"(?:</a>)(?:\n\n|\n)"
    assert enclosed.section and enclosed.section.opener.pattern == r"(?: |\n)(?:\[)"
    assert enclosed.section.closer.pattern == r"(?:\])(?:\n\n|\n)"


def test_an_opener_at_the_start_may_have_white_space_before_it() -> None:
    spaced, exact = template(
        {
            "a": {"open": "<a>", "at": "start"},
            "b": {"open": "<b>", "at": "start", "glue": {"open": ["\\n", ""]}},
        }
    ).fields
    assert spaced.opener and spaced.opener.pattern == r"^\s*(?:<a>)"
    assert exact.opener and exact.opener.pattern == r"^\n(?:<b>)"


def test_a_region_ends_at_the_openers_of_other_fields() -> None:
    fields = template(
        {
            "think": {"open": "<t>", "close": "</t>", "closes_on": ["calls", "more"]},
            "bare": {"open": "<u>", "closes_on": ["calls"]},
            "calls": {"forms": [{"open": "<a>"}, {"open": "<b>", "glue": {"open": [" ", ""]}}]},
            "more": {"open": "<m>", "section": {"open": "<s>", "close": "</s>"}},
        }
    ).fields
    think, bare = fields[:2]
    assert think.closer and think.closer.literals == ("</t>",)
    openers = [opener.pattern or opener.literals for opener in think.closer.yields_to]
    assert openers == [("<a>",), " (?:<b>)", ("<s>",)]
    assert bare.closer and bare.closer.literals == ()
    assert len(bare.closer.yields_to) == 2


def test_in_a_section_regions_end_at_openers_of_their_own_field() -> None:
    section = {"open": "<s>", "close": "</s>"}
    forms = [{"open": "<a>", "closes_on": ["x"]}, {"open": "<b>"}]
    first, _ = template({"x": {"section": section, "forms": forms}}).fields
    assert first.closer
    assert [opener.literals for opener in first.closer.yields_to] == [("<a>",), ("<b>",)]


def test_regions_end_where_the_start_alone_is_no_place_for_the_opener() -> None:
    forms = [{"open": "<a>", "at": "start"}, {"open": "<b>"}]
    region, *_ = template({"x": {"open": "<x>", "closes_on": ["y"]}, "y": {"forms": forms}}).fields
    assert region.closer and [each.literals for each in region.closer.yields_to] == [("<b>",)]


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        (
            {"section": {"open": "[", "close": "]"}},
            {},
            '"y" does not open in the section of "x"',
        ),
        ({}, {"at": "start"}, '"y" opens at the start alone, never behind a region'),
        ({}, {"inside": ["x"]}, '"y" opens inside this region, and does not end it'),
        (
            {"inside": ["outer"]},
            {},
            '"y" does not open in "outer", where this region may be',
        ),
    ],
)
def test_fields_that_cannot_open_end_no_region(
    x: dict[str, Any], y: dict[str, Any], message: str
) -> None:
    fields = {
        "outer": {"open": "<o>", "close": "</o>"},
        "x": {"open": "<x>", "close": "</x>", "closes_on": ["y"], **x},
        "y": {"open": "<y>", "close": "</y>", **y},
    }
    with pytest.raises(TemplateError) as raised:
        template(fields)
    assert [(each.pointer, each.message) for each in raised.value.diagnostics] == [
        ("/fields/x/closes_on/0", message)
    ]


def test_text_is_kept_whole_and_typed_content_is_not_cast() -> None:
    fields = template(
        {
            "content": {},
            "once": {"open": "<o>", "repeats": False},
            "stripped": {
                "open": "<s>",
                "content_args": {"strip": True},
                "repeats": True,
                "join": "+",
            },
            "typed": {"open": "<j>", "content": "json", "strings": "python"},
            "either": {
                "open": "<e>",
                "content": ["json", {"name": "kv-lines", "args": {"kv_sep": "="}}],
            },
            "forced": {"open": "<f>", "content": "json", "cast": True, "strings": [["a", "b"]]},
        }
    ).fields
    content, once, stripped, typed, either, forced = fields
    assert (content.repeats, content.join, content.content_args) == (True, "", {"strip": False})
    assert (once.repeats, once.join) == (False, None)
    assert (stripped.join, stripped.content_args) == ("+", {"strip": True})
    assert (typed.casts, typed.strings) == (False, Strings("python"))
    assert either.casts and either.other_contents[0].args == {"kv_sep": "="}
    assert (forced.casts, forced.strings) == (True, Strings(None, (("a", "b"),)))


def test_ignored_delimiters_are_the_templates_own() -> None:
    assert template({"content": {}}, ignore=["</x>"]).ignored == Delimiter(
        ("</x>",), None, "/ignore"
    )
    assert template({"content": {}}).ignored is None


def test_a_mistake_is_reported_once_where_it_is_written() -> None:
    forms = [{"open": "<a>"}, {"open": "<b>", "close_pattern": "("}]
    assert mistakes({"x": {"content": "jsn", "close": "</a>", "forms": forms}}) == [
        ("RT301", "/fields/x/content"),
        ("RT203", "/fields/x/forms/1/close_pattern"),
    ]


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ({"open": "<a>", "forms": []}, ("RT502", "/fields/x/forms")),
        ({"open": "<a>", "section": {"close": "b"}}, ("RT503", "/fields/x/section")),
        ({"open": "<a>", "glue": {"open": ["("] * 2}}, ("RT203", "/fields/x/glue/open/0")),
        ({"open": "<a>", "glue": {"open": [r"(\n)?", ""]}}, ("RT504", "/fields/x/glue/open/0")),
        (
            {"open": "<a>", "at": "start", "section": {"open": "(", "close": ")"}},
            ("RT505", "/fields/x/at"),
        ),
        ({"open": "<a>", "at": "start", "inside": ["y"]}, ("RT505", "/fields/x/at")),
        ({"open": "<a>", "inside": ["x"]}, ("RT506", "/fields/x/inside/0")),
        ({"open": "<a>", "inside": ["t"]}, ("RT507", "/fields/x/inside")),
        ({"open": "<a>", "closes_with": "end"}, ("RT507", "/fields/x/closes_with")),
        ({"open": "<a>", "closes_on": [["x"]]}, ("RT506", "/fields/x/closes_on")),
        ({"open": "<a>", "strings": [["a", ""]]}, ("RT508", "/fields/x/strings/0")),
        ({"open": "<a>", "on_incomplete": "drop_it"}, ("RT509", "/fields/x/on_incomplete")),
        ({"strings": "json"}, ("RT511", "/fields/x/strings")),
        ({"open": "<a>", "cast": 1}, ("RT512", "/fields/x/cast")),
    ],
)
def test_mistakes(field: dict[str, Any], expected: tuple[str, str]) -> None:
    assert expected in mistakes({"x": field})


SECTION = {"open": "<s>", "close_pattern": "\\s*"}
UNCLEAR = {"open": "<x>", "close": '"</x>', "strings": "json"}


@pytest.mark.parametrize(
    ("fields", "top", "expected"),
    [
        (
            {"c": {"repeat": True}},
            {"ignore_pattern": "\\s*"},
            [("RT514", "/ignore_pattern"), ("RT107", "/fields/c/repeat")],
        ),
        (
            {"c": {"repeat": True}},
            {"ignore_pattern": "("},
            [("RT203", "/ignore_pattern"), ("RT107", "/fields/c/repeat")],
        ),
        (
            {"x": {**UNCLEAR, "section": SECTION}, "y": {"open": "("}, "z": {"open_pattern": "("}},
            {},
            [
                ("RT510", "/fields/x/strings"),
                ("RT514", "/fields/x/section/close_pattern"),
                ("RT203", "/fields/z/open_pattern"),
            ],
        ),
        (
            {"x": {"open": "<x>", "close": "</x>", "strings": "json", "stop": '"<'}, "y": {"a": 1}},
            {},
            [("RT510", "/fields/x/strings"), ("RT107", "/fields/y/a")],
        ),
        (
            {"x": {"strings": "json", "forms": [{"open": "<a>"}, {**UNCLEAR, "clsoes_on": []}]}},
            {},
            [("RT510", "/fields/x/forms/1/strings"), ("RT502", "/fields/x/forms/1/clsoes_on")],
        ),
    ],
)
def test_one_mistake_hides_no_other(
    fields: dict[str, Any], top: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    assert mistakes(fields, **top) == expected


@pytest.mark.parametrize(
    "broken",
    [
        {"close": 3},
        {"glue": {"close": ["(", ""]}},
        {"closes_on": ["z"]},
        {"closes_on": ["y"]},
        {"strings": [["a"]]},
    ],
)
def test_what_has_a_mistake_is_not_asked_about_strings(broken: dict[str, Any]) -> None:
    fields = {"x": {**UNCLEAR, **broken}, "y": {"open_pattern": "("}}
    assert "RT510" not in [rule for rule, _ in mistakes(fields)]


def test_markers_of_sections_may_say_where_they_are_without_text() -> None:
    section = {"open_pattern": "^|(?=<x>)", "close_pattern": "\\s*(?=<|\\Z)"}
    template({"x": {"open": "<x>", "section": section}})


def test_without_the_dialect_its_keys_are_unknown() -> None:
    with pytest.raises(TemplateError) as raised:
        validate(load({"start_anchor": "A", "ignore": "x", "fields": {"x": {"at": "start"}}}))
    assert [(each.rule, each.hint) for each in raised.value.diagnostics] == [
        ("RT103", 'it belongs in a template with "dialect": "extended-1"'),
        ("RT107", 'it belongs in a template with "dialect": "extended-1"'),
    ]
