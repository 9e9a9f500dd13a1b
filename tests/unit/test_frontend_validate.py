"""Each mistake is found at its place, all in one run, with a hint where one is likely."""

from __future__ import annotations

from typing import Any

import pytest

from compiler.diagnostics import TemplateError
from compiler.frontend.load import load
from compiler.frontend.syntax import Delimiter, Field, Template
from compiler.frontend.validate import validate

QWEN3 = {
    "defaults": {"role": "assistant"},
    "start_anchor_pattern": r"<\|im_start\|>assistant\n",
    "fields": {
        "tool/calls": {
            "open_pattern": r"<tool_call>\s*<function=(?P<name>\w+)>",
            "close": ["</tool_call>", "<|im_end|>", "</tool_call>"],
            "repeats": True,
            "content": "xml-inline",
            "content_args": {"tag_pattern": r"<p=(?P<key>\w+)>(?P<value>.*?)</p>"},
            "transform": {"function": {"name": "{name}", "arguments": "{content}"}},
            "optional": False,
        },
        "content": {},
    },
}


def test_a_valid_template_is_frozen_as_written() -> None:
    checked = validate(load(QWEN3))
    assert checked.warnings == ()
    assert checked.template == Template(
        fields=(
            Field(
                name="tool/calls",
                opener=Delimiter(
                    None,
                    r"<tool_call>\s*<function=(?P<name>\w+)>",
                    "/fields/tool~1calls/open_pattern",
                ),
                closer=Delimiter(("</tool_call>", "<|im_end|>"), None, "/fields/tool~1calls/close"),
                content="xml-inline",
                content_args={"tag_pattern": r"<p=(?P<key>\w+)>(?P<value>.*?)</p>"},
                repeats=True,
                join=None,
                optional=False,
                transform={"function": {"name": "{name}", "arguments": "{content}"}},
                transform_each=False,
                pointer="/fields/tool~1calls",
            ),
            Field(
                name="content",
                opener=None,
                closer=None,
                content="text",
                content_args={},
                repeats=False,
                join=None,
                optional=True,
                transform=None,
                transform_each=False,
                pointer="/fields/content",
            ),
        ),
        defaults={"role": "assistant"},
        anchor=Delimiter(None, r"<\|im_start\|>assistant\n", "/start_anchor_pattern"),
    )
    assert checked.template.implicit is checked.template.fields[1]


def errors(spec: Any) -> list[tuple[str, str]]:
    with pytest.raises(TemplateError) as caught:
        validate(load(spec))
    return [(d.rule, d.pointer) for d in caught.value.diagnostics if d.severity == "error"]


def test_all_mistakes_are_found_in_one_run() -> None:
    spec = {
        "version": 3,
        "defaults": [],
        "start_anchor": "",
        "start_anchor_pattern": 5,
        "fields": {
            "a": {"open": [], "open_pattern": "(", "close": 5, "content": "yaml"},
            "b": {"join": 1, "transform_each": True},
            "c": {"close_pattern": "(?P<x>)", "content_args": 1},
            "d": "text",
        },
    }
    assert errors(spec) == [
        ("RT102", "/version"),
        ("RT104", "/defaults"),
        ("RT205", "/start_anchor"),
        ("RT201", "/start_anchor_pattern"),
        ("RT207", "/start_anchor_pattern"),
        ("RT205", "/fields/a/open"),
        ("RT201", "/fields/a/open_pattern"),
        ("RT203", "/fields/a/open_pattern"),
        ("RT202", "/fields/a/close"),
        ("RT301", "/fields/a/content"),
        ("RT110", "/fields/b/join"),
        ("RT109", "/fields/b/join"),
        ("RT403", "/fields/b/transform_each"),
        ("RT108", "/fields/c"),
        ("RT404", "/fields/c/close_pattern"),
        ("RT302", "/fields/c/content_args"),
        ("RT106", "/fields/d"),
    ]


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("feilds", 'did you mean "fields"?'),
        ("start_anchors", 'did you mean "start_anchor"?'),
        ("open", "it belongs in a field"),
        ("thinking", None),
    ],
)
def test_hints_for_unknown_template_keys(key: str, hint: str | None) -> None:
    assert hint_for({**QWEN3, key: "x"}, "RT103") == hint


@pytest.mark.parametrize(
    ("key", "hint"),
    [
        ("contents_args", 'did you mean "content_args"?'),
        ("repeat", 'did you mean "repeats"?'),
        ("tag_pattern", 'it belongs in "content_args"'),
        ("start_anchor", "it belongs at the top level"),
        ("thinking", None),
    ],
)
def test_hints_for_unknown_field_keys(key: str, hint: str | None) -> None:
    assert hint_for({"start_anchor": "A", "fields": {"x": {key: "x"}}}, "RT107") == hint


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("xml_inline", 'did you mean "xml-inline"?'),
        ("JSON", None),
        ("kv_lines", 'did you mean "kv-lines"?'),
        (None, None),
        ([], None),
    ],
)
def test_hints_for_content_parsers(name: Any, hint: str | None) -> None:
    field = {"open": "<a>", "content": name}
    assert hint_for({"start_anchor": "A", "fields": {"x": field}}, "RT301") == hint
    args = {"value_parser": {"name": name}}
    field = {"open": "<a>", "content": "kv-lines", "content_args": args}
    assert hint_for({"start_anchor": "A", "fields": {"x": field}}, "RT301") == hint


def hint_for(spec: Any, rule: str) -> str | None:
    with pytest.raises(TemplateError) as caught:
        validate(load(spec))
    (found,) = [d for d in caught.value.diagnostics if d.rule == rule]
    return found.hint


@pytest.mark.parametrize(
    "pattern",
    [
        "<a (b",
        "\\p{Nope}",
        "a{2,1}",
        "a{99999999999}",
        "(?V0)(?V1)",
        "(" * 5_000,
        "(" * 5_000 + ")" * 5_000,
    ],
)
@pytest.mark.parametrize("key", ["open_pattern", "close_pattern"])
def test_bad_patterns_never_crash(key: str, pattern: str) -> None:
    field = {"open": "<x>", key: pattern} if key == "close_pattern" else {key: pattern}
    assert errors({"start_anchor": "A", "fields": {"x": field}}) == [("RT203", f"/fields/x/{key}")]


def test_a_bad_pattern_brings_no_guesses_about_its_groups() -> None:
    field = {"open_pattern": "<(?P<name>", "transform": "{name}"}
    with pytest.raises(TemplateError) as caught:
        validate(load({"start_anchor": "A", "fields": {"x": field}}))
    assert [d.rule for d in caught.value.diagnostics] == ["RT203"]


@pytest.mark.parametrize("args", [{}, {"tag_pattern": None}])
def test_a_tag_pattern_of_null_is_missing(args: dict[str, Any]) -> None:
    field = {"open": "<a>", "content": "xml-inline", "content_args": args}
    assert errors({"start_anchor": "A", "fields": {"x": field}}) == [
        ("RT303", "/fields/x/content_args")
    ]


def test_arguments_of_a_parser_without_arguments_are_dropped() -> None:
    field = {"open": "<a>", "content": "python-call-list", "content_args": None}
    checked = validate(load({"start_anchor": "A", "fields": {"x": field}}))
    assert checked.template.fields[0].content_args == {}


def test_unused_groups_are_listed() -> None:
    field = {"open_pattern": "<(?P<b>.)(?P<a>.)>", "close_pattern": "(?<c>.)"}
    with pytest.raises(TemplateError) as caught:
        validate(load({"start_anchor": "A", "fields": {"x": field}}))
    assert [d.message.partition(": ")[2] for d in caught.value.diagnostics] == ['"a", "b"', '"c"']
