"""`chatc export v1`: the template that is left, and everything that is lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from compiler import compile_template
from compiler.exporters.v1 import export_v1

GRAMMARS = Path(__file__).parents[2] / "grammars"
EXTENDED = sorted(GRAMMARS.glob("*/response_template.extended.json"))


def template(fields: dict[str, Any], **top: Any) -> dict[str, Any]:
    return {"dialect": "extended-1", "start_anchor": "A", **top, "fields": fields}


def lost(fields: dict[str, Any], **top: Any) -> list[str]:
    return [loss.pointer for loss in export_v1(template(fields, **top)).losses]


def test_what_v1_can_say_is_kept_exactly() -> None:
    think = {"open": "<t>", "close": "</t>", "closes_on": ["calls"], "glue": {"open": ["", "\\n"]}}
    calls = {"open": "[", "close": "]", "repeats": True, "transform": {"name": "{content}"}}
    exported = export_v1(
        template({"think": think, "calls": calls, "content": {}}, ignore=["<end>"])
    )
    assert exported.losses == ()
    plain = {"content": "text", "content_args": {"strip": False}, "repeats": True, "join": ""}
    assert exported.spec == {
        "version": 1,
        "defaults": {},
        "start_anchor": "A",
        "fields": {
            "think": {"open_pattern": "(?:<t>)\\n", "close_pattern": "</t>|(?=\\[)", **plain},
            "calls": {
                "open": "[",
                "close": "]",
                "content": "text",
                "repeats": True,
                "transform": {"name": "{content}"},
            },
            "content": {"close_pattern": "<end>", **plain},
        },
    }


def test_both_read_the_same_where_nothing_is_lost() -> None:
    think = {
        "open": "<t>",
        "close": "</t>",
        "glue": {"open": ["\\s*", "\\n"], "close": ["", "\\s*"]},
    }
    spec = template({"think": think, "content": {}}, ignore_pattern="\\s*<end>\\s*")
    text = "a \n<t>\nb\n</t>\n c <end> d"
    v1 = compile_template(export_v1(spec).spec)
    assert v1.parse(text, prefix="") == compile_template(spec).parse(text, prefix="")
    assert v1.parse(text, prefix="") == {"think": "b\n", "content": "acd"}


@pytest.mark.parametrize(
    ("field", "expected"),
    [
        ({"forms": [{"open": "a"}, {"open": "b"}]}, ["/fields/x/forms/1"]),
        ({"open": "a", "section": {"open": "(", "close": ")"}}, ["/fields/x/section"]),
        ({"open": "a", "close": "b", "strings": "json"}, ["/fields/x/strings"]),
        ({"open": "a", "closes_with": "opener"}, ["/fields/x/closes_with"]),
        ({"open": "a", "stop": "b"}, ["/fields/x/stop"]),
        ({"open": "a", "offered": True}, ["/fields/x/offered"]),
        ({"open": "a", "content": "json"}, ["/fields/x/content"] * 2),
        ({"open": "a", "content": "json", "cast": True}, ["/fields/x/content"]),
        (
            {"open": "a", "content": "python-call-list", "cast": True, "transform": {"a": "b"}},
            ["/fields/x/content"],
        ),
        (
            {"open": "a", "transform": {"function": {"name": "f", "arguments": {}}}},
            ["/fields/x/transform"],
        ),
        ({"open": "a", "content": "xml-tree"}, ["/fields/x/content"]),
        (
            {"open": "a", "content": "xml-tree", "transform_each": True, "transform": "{n}"},
            ["/fields/x/content"],
        ),
        (
            {"open": "a", "content": "json", "transform_each": True, "transform": "{n}"}
            | {"repeats": True, "cast": True},
            ["/fields/x/content", "/fields/x/repeats"],
        ),
        (
            {"open": "a", "content": "python-call-list", "content_args": {"brackets": False}},
            ["/fields/x/content", "/fields/x/content", "/fields/x/content_args/brackets"],
        ),
        ({"open": "a", "on_invalid": "drop"}, ["/fields/x/on_invalid"]),
        ({"open": "a", "on_invalid": "raise"}, []),
        ({"open": "a", "transform": ["{content?}"]}, ["/fields/x/transform/0"]),
        (
            {"open": "a", "content": "json", "cast": True, "content_args": {"many": True}},
            ["/fields/x/content", "/fields/x/content_args/many"],
        ),
    ],
)
def test_what_v1_cannot_say_is_named(field: dict[str, Any], expected: list[str]) -> None:
    assert lost({"x": field}) == expected


CALLS: dict[str, Any] = {
    "section": {"open": "<c>", "close": "</c>", "glue": {"open": ["\\s*", ""]}},
    "open_pattern": "(?=\\{)",
    "closes_with": "value",
    "strings": "json",
    "content": "json",
    "transform": {"name": "{content.name}"},
    "repeats": True,
}
LIST = 'Two.<c>[{"name": "f", "x": [{"name": 1}, {}]}, {"name": "g"}]</c>'
ITEMS = '<c>{"name": "f", "x": [{"name": 1}, {}]}\n{"name": "g"}</c>'


@pytest.mark.parametrize("close", [{"close": "</c>"}, {"close_pattern": "\\]|(?=[^\\s\\[\\],{])"}])
def test_values_in_a_section_are_one_list(close: dict[str, str]) -> None:
    section = {"open": ["<c>", "<d>"], **close}
    end = {"close_pattern": "(?=</c>)"}
    spec = template({"calls": {**CALLS, **end, "section": section}, "content": {}}, ignore="</c>")
    v1 = compile_template(export_v1(spec).spec)
    assert v1.parse(LIST, prefix="") == compile_template(spec).parse(LIST, prefix="")
    assert v1.parse('A {"name": "f"} ] in text', prefix="") == {
        "content": 'A {"name": "f"} ] in text'
    }
    assert v1.parse(ITEMS, prefix="").keys() == {"content"}


def test_an_example_shows_values_that_are_no_list() -> None:
    spec = template({"calls": CALLS, "content": {}})
    v1 = compile_template(export_v1(spec, ITEMS).spec)
    assert v1.parse(ITEMS, prefix="") == {"calls": [{"name": "f"}, {"name": "g"}]}
    assert export_v1(spec, "<c>no call</c>") == export_v1(spec, LIST) == export_v1(spec)


def test_an_opener_of_a_section_may_take_the_bracket() -> None:
    section = {"open_pattern": "\\[CALLS\\]\\s*\\[", "close": ["]", "<end>"]}
    calls = {**CALLS, "close_pattern": "(?=<end>)", "section": section}
    v1 = compile_template(export_v1(template({"calls": calls, "content": {}})).spec)
    text = '[CALLS] [{"name": "f", "x": []}]'
    assert v1.parse(text, prefix="") == {"calls": [{"name": "f"}]}
    assert v1.parse("a ] b", prefix="") == {"content": "a ] b"}


def test_text_around_the_regions_of_a_section_is_dropped() -> None:
    section = {"open": "<calls>", "close": "</calls>"}
    call = {"section": section, "open": "<call>", "close": "</call>", "repeats": True}
    spec = template({"call": {**call, "transform": "{content}"}, "content": {}})
    v1 = compile_template(export_v1(spec).spec)
    text = "Yes.<calls>\n<call>1</call> and\n<call>2</call>\n</calls>."
    assert v1.parse(text, prefix="") == compile_template(spec).parse(text, prefix="")
    assert v1.parse(text, prefix="") == {"content": "Yes..", "call": ["1", "2"]}


def test_a_region_ends_behind_the_last_bracket_before_its_closer() -> None:
    call = {"open": "<c>", "close": "</c>", "closes_with": "value", "strings": "json"}
    spec = template({"call": {**call, "content": "json"}})
    v1 = compile_template(export_v1(spec).spec)
    assert v1.parse('<c>{"a": {"b": []}}```</c>', prefix="") == {"call": {"a": {"b": []}}}


def test_the_example_is_in_the_form_that_is_kept() -> None:
    forms = [{"open_pattern": "<c>(?=\\{)", "content": "json"}, {"open": "<c>"}]
    call = {"forms": forms, "close": "</c>", "transform": {"x": "{content}"}}
    spec = template({"call": call, "content": {}})
    assert export_v1(spec).spec["fields"]["call"]["content"] == "json"
    assert export_v1(spec, "<c>x</c>").spec["fields"]["call"]["content"] == "text"
    optional = {"open_pattern": "<(?P<id>\\w)?>", "close": "</>", "transform": {"id": "{id?}"}}
    spec = template({"call": optional})
    assert export_v1(spec).spec["fields"]["call"]["transform"] == {}
    assert export_v1(spec, "<a></>").spec["fields"]["call"]["transform"] == {"id": "{id}"}


def test_groups_that_are_referred_to_keep_their_meaning() -> None:
    think = {"open": "<t>", "close_pattern": "(/|-)\\1", "closes_on": ["call"]}
    call = {"open_pattern": "<(?P<n>a|b)(?P=n)>", "close": "</>", "transform": {"n": "{n}"}}
    spec = template({"think": think, "call": call, "content": {}})
    exported = export_v1(spec)
    assert exported.losses == ()
    v1 = compile_template(exported.spec)
    for text in ("<t>x<ab>--y", "<t>x<bb></>"):
        assert v1.parse(text, prefix="") == compile_template(spec).parse(text, prefix="")


def test_a_marker_that_cuts_a_value_is_a_loss() -> None:
    number = {"content": "int"}
    assert lost({"x": number}, ignore=["<end>"]) == ["/fields/x"]
    assert lost({"x": {}}, ignore=["<end>"]) == []
    assert lost({"x": {"open": "a"}}, ignore=["<end>"]) == ["/ignore"]


def test_a_v1_template_is_its_own_export() -> None:
    spec = {"start_anchor": "A", "fields": {"content": {}}}
    assert export_v1(spec).spec is spec


@pytest.mark.parametrize("path", EXTENDED, ids=lambda path: path.parent.name)
def test_every_template_of_the_dialect_has_a_v1_export_that_compiles(path: Path) -> None:
    exported = export_v1(json.loads(path.read_text("utf-8")))
    assert "dialect" not in exported.spec
    compile_template(exported.spec)
