"""What the dialect says about values: content parsers, their arguments, placeholders."""

from __future__ import annotations

from typing import Any

import pytest

from compiler.diagnostics import TemplateError
from compiler.frontend.load import load
from compiler.frontend.validate import validate

TAG = '<p k="(?P<key>.*?)" t="(?P<type>.*?)">(?P<value>.*?)</p>'
DIALECT_ONLY = {
    "json": {"python_literals": True, "bare_keys": True, "many": True, "entries": True},
    "xml-inline": {"tag_pattern": TAG, "types": {"*": "json"}, "unescape": "xml"},
    "python-call-list": {"brackets": False, "separator": "newline", "methods": True},
}


def findings(field: dict[str, Any], dialect: bool = True) -> list[tuple[str, str]]:
    """Rule and pointer, relative to the field, of each mistake and warning."""
    top = {"dialect": "extended-1"} if dialect else {}
    field = {"open_pattern": "<a (?P<name>x)>", "close": "</a>", "transform": {}, **field}
    spec = {**top, "start_anchor": "A", "fields": {"x": field}}
    try:
        diagnostics = validate(load(spec)).warnings
    except TemplateError as error:
        diagnostics = error.diagnostics
    return [(each.rule, each.pointer.removeprefix("/fields/x")) for each in diagnostics]


@pytest.mark.parametrize("name", DIALECT_ONLY)
def test_arguments_of_the_dialect_are_ignored_in_v1(name: str) -> None:
    field = {"content": name, "content_args": DIALECT_ONLY[name]}
    assert findings(field) == []
    only = DIALECT_ONLY[name].keys() - {"tag_pattern"}
    assert sorted(findings(field, dialect=False)) == sorted(
        ("RT903", f"/content_args/{key}") for key in only
    )


def test_a_v1_template_is_told_of_the_dialect() -> None:
    field = {"open": "<a>", "close": "</a>", "content": "json", "content_args": {"many": True}}
    (warning,) = validate(load({"start_anchor": "A", "fields": {"x": field}})).warnings
    assert warning.hint == 'it belongs in a template with "dialect": "extended-1"'


def test_parsers_of_the_dialect_are_unknown_in_v1() -> None:
    field = {"content": "xml-tree", "content_args": {"tag_prefix": "", "item_tag": "item"}}
    assert findings(field) == []
    assert findings(field, dialect=False) == [("RT301", "/content")]


@pytest.mark.parametrize(
    "content",
    [
        "json",
        {"name": "json"},
        {"name": "json", "args": {"many": True}},
        ["python-call-list", "json"],
        ["json", {"name": "xml-inline", "args": {"tag_pattern": TAG}}],
    ],
)
def test_content(content: Any) -> None:
    assert findings({"content": content}) == []
    if content != "json":
        assert findings({"content": content}, dialect=False) == [("RT301", "/content")]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ([], [("RT301", "/content")]),
        ({}, [("RT301", "/content")]),
        ({"name": "jsn"}, [("RT301", "/content/name")]),
        (["json", "jsn"], [("RT301", "/content/1")]),
        (["json", 3], [("RT301", "/content/1")]),
        (["json", ["json"]], [("RT301", "/content/1")]),
        (["json", {"name": "xml-inline"}], [("RT303", "/content/1/args")]),
        ({"name": "json", "args": 3}, [("RT302", "/content/args")]),
        ({"name": "json", "arg": {}}, [("RT903", "/content/arg")]),
        ({"name": "json", "args": {"mny": True}}, [("RT903", "/content/args/mny")]),
    ],
)
def test_mistakes_in_content(content: Any, found: list[tuple[str, str]]) -> None:
    assert findings({"content": content}) == found


@pytest.mark.parametrize(
    ("name", "arguments", "found"),
    [
        ("json", {"many": 1}, [("RT902", "/many")]),
        ("json", {"string_delims": [["<q>", ""]]}, [("RT305", "/string_delims")]),
        ("json", {"string_delims": "<>"}, [("RT305", "/string_delims")]),
        ("xml-inline", {"tag_pattern": TAG, "types": {}}, [("RT305", "/types")]),
        ("xml-inline", {"tag_pattern": TAG, "types": "json"}, [("RT305", "/types")]),
        ("xml-inline", {"tag_pattern": TAG, "types": {"*": "jsn"}}, [("RT301", "/types/*")]),
        (
            "xml-inline",
            {"tag_pattern": TAG, "types": {"*": {"name": "json", "args": {"many": 1}}}},
            [("RT902", "/types/*/args/many")],
        ),
        (
            "xml-inline",
            {"tag_pattern": "<(?P<key>.)>(?P<value>.)", "types": {"*": "json"}},
            [("RT304", "/types")],
        ),
        ("xml-inline", {"tag_pattern": TAG, "unescape": "html"}, [("RT305", "/unescape")]),
        ("xml-inline", {"tag_pattern": TAG, "unescape": True}, [("RT305", "/unescape")]),
        ("xml-tree", {"tag_prefix": 3}, [("RT305", "/tag_prefix")]),
        ("xml-tree", {"item_tag": ""}, [("RT305", "/item_tag")]),
        ("python-call-list", {"separator": "\n"}, [("RT305", "/separator")]),
        ("python-call-list", {"brackets": 0}, [("RT902", "/brackets")]),
    ],
)
def test_mistakes_in_arguments(
    name: str, arguments: dict[str, Any], found: list[tuple[str, str]]
) -> None:
    expected = [(rule, f"/content_args{pointer}") for rule, pointer in found]
    assert findings({"content": name, "content_args": arguments}) == expected


@pytest.mark.parametrize(
    "transform",
    [
        {"arguments": "{content.arguments|content.parameters|{}}", "id": "{name?}"},
        ["{content.a?}", {"b": "{content.b|name?}"}],
        "{content.a|content.b|null}",
        {"a": "{", "b": "{a b}", "c": "x|y", "d": "why?"},
    ],
)
def test_placeholders(transform: Any) -> None:
    assert findings({"content": "json", "transform": transform}) == []


@pytest.mark.parametrize(
    ("transform", "found"),
    [
        ({"a": "x-{name?}"}, [("RT401", "/transform/a")]),
        ({"a": "{name|content} y"}, [("RT401", "/transform/a")]),
        ({"a": "{name|}"}, [("RT401", "/transform/a")]),
        ({"a": "{name|{}?}"}, [("RT401", "/transform/a")]),
        ("{name?}", [("RT401", "/transform")]),
        ({"a": "{nam|name}"}, [("RT904", "/transform/a")]),
        ({"a": "{name|nam}"}, [("RT904", "/transform/a")]),
        ({"a": "{nam?}"}, [("RT904", "/transform/a")]),
        ({"a": "{name.x|content}"}, [("RT904", "/transform/a")]),
    ],
)
def test_mistakes_in_placeholders(transform: Any, found: list[tuple[str, str]]) -> None:
    assert findings({"content": "json", "transform": transform}) == found


def test_what_a_list_of_parsers_gives() -> None:
    each = {"transform": {"x": "{a}"}, "transform_each": True}
    assert findings({"content": ["json", "xml-tree"], **each}) == []
    assert findings({"content": ["xml-tree", "kv-lines"], **each}) == [("RT907", "/transform_each")]
