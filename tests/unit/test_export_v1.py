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
        ({"open": "a", "section": {"open": "(", "close": ")"}}, ["/fields/x/section", ""]),
        ({"open": "a", "close": "b", "strings": "json"}, ["/fields/x/strings"]),
        ({"open": "a", "closes_with": "opener"}, ["/fields/x/closes_with"]),
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


def test_a_v1_template_is_its_own_export() -> None:
    spec = {"start_anchor": "A", "fields": {"content": {}}}
    assert export_v1(spec).spec is spec


@pytest.mark.parametrize("path", EXTENDED, ids=lambda path: path.parent.name)
def test_every_template_of_the_dialect_has_a_v1_export_that_compiles(path: Path) -> None:
    exported = export_v1(json.loads(path.read_text("utf-8")))
    assert "dialect" not in exported.spec
    compile_template(exported.spec)
