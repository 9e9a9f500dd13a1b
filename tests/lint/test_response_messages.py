"""LT6xx: templates that do not do what they seem to."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lint.linting import CALL, CALLS, THINKING, caret, found, places, template

# -- LT601: delimiters that never win


def openers(first: Any, second: Any) -> dict[str, Any]:
    """A template whose fields "a" and "b", which wins less often, have these openers."""
    keys = {name: "open" if isinstance(each, list) else "open_pattern" for name, each in
            (("a", first), ("b", second))}  # fmt: skip
    return template(a={keys["a"]: first}, b={keys["b"]: second})


@pytest.mark.parametrize(
    ("first", "second", "place"),
    [
        ("<(?:x|y)>", ["<x>"], "/fields/b/open/0"),
        ("<(?:x|y)>", ["<z>", "<y>"], "/fields/b/open/1"),
        (r"<x>\s*", ["<x>"], "/fields/b/open/0"),
        (r"<[a-z]>", "<(?:x|y)>", "/fields/b/open_pattern"),
        (["<x>", "<y>"], "<(?:x|y)>", "/fields/b/open_pattern"),
        (["<x>"], "<x(?:)>", "/fields/b/open_pattern"),
    ],
)
def test_an_opener_that_never_counts(first: Any, second: Any, place: str) -> None:
    (finding,) = found(openers(first, second), "LT601")
    assert finding.pointer == place
    assert finding.message.startswith('never opens a region: the opener of "a" matches the same')


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("<(?:x|y)>", ["<z>"]),  # another text
        ("<x", ["<x>"]),  # the longer one counts
        ("(?:<x|<x>)", ["<x>"]),  # the first way through is the shorter one
        (["<x>"], r"<x>\s*"),  # with white space it is longer
        ("<x>(?=a)", ["<x>"]),  # only before an a
        (r"\b<x>", ["<x>"]),
        ("<(?:x|y)>", "<(?:x|z)>"),  # the one way of two is open
        (["<x>"], "(?i)<x>"),  # <X>
        (["<x>"], r"<x>|\w"),
        (["<x>"], ["<x>"]),  # RT906
        ("<(?:x|y)>", "<(?:x|y)>"),
        (["<x>"], "<(?P<n>x)>{0}<x>"),
    ],
)
def test_an_opener_that_may_count(first: Any, second: Any) -> None:
    assert places(openers(first, second), "LT601") == []


def test_of_equals_the_lower_name_wins() -> None:
    spec = template(a={"open": "<x>"}, b={"open_pattern": "<(?:x|y)>"})
    assert places(spec, "LT601") == []


def test_an_opener_wins_over_the_closer_of_the_implicit_field() -> None:
    spec = template(z={"open_pattern": "<(?:x|y)>"}, content={"close": ["<end>", "<x>"]})
    (finding,) = found(spec, "LT601")
    assert finding.pointer == "/fields/content/close/1"
    assert finding.message.startswith('never closes a region: the opener of "z" matches the same')


def test_closers_of_regions_are_apart() -> None:
    spec = template(thinking={"open": "<think>", "close": "<call>"}, tool_calls=CALLS)
    assert places(spec, "LT601") == []


# -- LT602 and LT603: patterns that match nothing, and nothing at all


def closer(pattern: str) -> dict[str, Any]:
    return template(thinking={"open": "<think>", "close_pattern": pattern})


@pytest.mark.parametrize(
    ("pattern", "rest"),
    [
        ("<a>^b", "^b"),
        (r"<a>|b\Ac", r"\\Ac"),
        ("<a>$<b>", "$<b>"),
        (r"<a>\Z\n", r"\\Z"),
        ("(?:<a>(?!))", "(?!)"),
        ("<a>(?:b^)?", "^"),
        ("<a>(?=b^)", "^"),
    ],
)
def test_a_way_that_no_text_takes(pattern: str, rest: str) -> None:
    (finding,) = found(closer(pattern), "LT602")
    assert caret(finding).startswith(rest)


@pytest.mark.parametrize(
    "pattern",
    [
        "^<a>",
        r"\s*^<a>",
        r"<a>$\n",
        r"<a>\Z\s*",
        "(?m)<a>$\n<b>",
        "(?m)<a>\n^b",
        "<a>(?!b)",
        "<a>$",
    ],
)
def test_a_way_that_some_text_takes(pattern: str) -> None:
    assert places(closer(pattern), "LT602") == []


def test_tag_patterns_and_anchors_are_looked_at() -> None:
    arguments = {"tag_pattern": "(?P<key>a)^(?P<value>b)"}
    field = {**CALLS, "content": "xml-inline", "content_args": arguments}
    spec = {**template(tool_calls=field), "start_anchor_pattern": "a^"}
    del spec["start_anchor"]
    assert places(spec, "LT602") == [
        ("LT602", "/fields/tool_calls/content_args/tag_pattern"),
        ("LT602", "/start_anchor_pattern"),
    ]


@pytest.mark.parametrize("pattern", [r"\s*", "(?:<a>)?", "<a>|", "(?!x)", "(?<!x)"])
def test_a_delimiter_of_nothing(pattern: str) -> None:
    (finding,) = found(closer(pattern), "LT603")
    assert finding.message.startswith("closes a region at every place")
    spec = template(thinking={"open_pattern": pattern, "close": "</think>"})
    (finding,) = found(spec, "LT603")
    assert finding.message.startswith("opens a region at every place")


@pytest.mark.parametrize("pattern", ["(?=<a>)", r"^\s*", "$", r"(?<=\n)", "<a>?"])
def test_a_delimiter_that_needs_something(pattern: str) -> None:
    assert places(closer(pattern), "LT603") == []


# -- LT610: groups that may be missing


def taking(pattern: str, name: str = "n", **keys: Any) -> dict[str, Any]:
    field = {key: value for key, value in CALLS.items() if key != "open"}
    field |= {"open_pattern": pattern, "transform": f"{{{name}}}"}
    return template(tool_calls={**field, **keys})


@pytest.mark.parametrize(
    "pattern",
    ["<(?P<n>a)?>", "<(?:(?P<n>a)|b)>", "<(?:x(?P<n>a))*>", "<(?!(?P<n>a))>", "<(?:(?P<n>a)|)>"],
)
def test_a_group_that_may_be_missing(pattern: str) -> None:
    (finding,) = found(taking(pattern), "LT610")
    assert finding.pointer == "/fields/tool_calls/transform"
    assert finding.message == 'a region fails where the group "n" takes no part in a match'
    assert places(taking(pattern, "content"), "LT610") == []
    assert places(taking(pattern, content="json", transform_each=True), "LT610") == []


@pytest.mark.parametrize(
    "pattern",
    [
        "<(?P<n>a?)>",
        "<(?:(?P<n>a)|(?P<n>b))>",
        "<(?:(?P<n>a))+>",
        "<(?=(?P<n>a))>",
        "<(x(?P<n>a))>",
        "<(?>(?P<n>a))>",
        "<(?P<m>(?P<n>a))>",
    ],
)
def test_a_group_that_takes_part(pattern: str) -> None:
    assert places(taking(pattern), "LT610") == []


def test_the_other_delimiter_may_help() -> None:
    spec = taking("<(?P<n>a)?>", close="</call>")
    assert places(spec, "LT610") != []
    del spec["fields"]["tool_calls"]["close"]
    spec["fields"]["tool_calls"]["close_pattern"] = "</(?P<n>a)>"
    assert places(spec, "LT610") == []


@pytest.mark.parametrize(
    ("pattern", "names", "names_unread"),
    [
        ("<(?:(?P<key>a)|b)>(?P<value>c)</", ["key"], ["key"]),
        ("<(?P<key>a)>(?P<value>b)?</", ["value"], []),  # null
        ("<(?P<key>a)>(?P<value>b?)</", [], []),
    ],
)
def test_tags_that_may_be_incomplete(
    pattern: str, names: list[str], names_unread: list[str]
) -> None:
    for value_parser, missing in ({"name": "text"}, names), (None, names_unread):
        arguments = {"tag_pattern": pattern, "value_parser": value_parser}
        field = {**CALLS, "content": "xml-inline", "content_args": arguments}
        rules = found(template(tool_calls=field), "LT610")
        assert {finding.pointer for finding in rules} <= {
            "/fields/tool_calls/content_args/tag_pattern"
        }
        assert [finding.message.split('"')[1] for finding in rules] == missing


# -- LT604 to LT607: text that is lost


def test_dropped_text() -> None:
    spec = {"start_anchor": "A", "fields": {"thinking": THINKING}}
    (finding,) = found(spec)
    assert (finding.rule, finding.pointer) == ("LT604", "/fields")
    assert caret(finding).startswith('"fields"')


@pytest.mark.parametrize(
    ("fields", "is_lost"),
    [
        ({"content": {}, "thinking": THINKING}, True),
        ({"content": {"close": "<end>"}}, True),
        ({"content": {}}, False),
        ({"content": {"repeats": True}, "thinking": THINKING}, False),
        ({"content": {"repeats": True, "join": ""}, "thinking": THINKING}, False),
    ],
)
def test_replaced_text(fields: dict[str, Any], is_lost: bool) -> None:
    rules = found({"start_anchor": "A", "fields": fields}, "LT605")
    assert [finding.pointer for finding in rules] == ["/fields/content"] * is_lost
    assert all(caret(finding).startswith('"content"') for finding in rules)


@pytest.mark.parametrize(
    ("keys", "is_lost"),
    [
        ({"transform": CALL}, True),
        ({"transform": CALL, "repeats": True}, False),
        ({"transform": CALL, "transform_each": True}, False),
        ({"transform": [CALL]}, False),
        ({}, False),  # the JSON may be a list
        ({"content": "kv-lines"}, True),
        ({"content": "python-call-list"}, False),
    ],
)
def test_replaced_calls(keys: dict[str, Any], is_lost: bool) -> None:
    field = {"open": "<call>", "close": "</call>", "content": "json", **keys}
    rules = found(template(tool_calls=field), "LT606")
    assert [finding.pointer for finding in rules] == ["/fields/tool_calls"] * is_lost
    assert all(caret(finding).startswith('"tool_calls"') for finding in rules)


@pytest.mark.parametrize(
    ("keys", "fails"),
    [
        ({"content": "json"}, True),
        ({"content": "int"}, True),
        ({"content": "json", "content_args": {"allow_non_json": True}}, False),
        ({"content": "text"}, False),
        ({"content": "bool"}, False),
        ({"content": "json", "open": "<call>"}, False),
    ],
)
def test_white_space_that_fails(keys: dict[str, Any], fails: bool) -> None:
    fields = {"thinking": THINKING, "tool_calls": {"repeats": True, **keys}}
    rules = places({"start_anchor": "A", "fields": fields}, "LT607")
    assert rules == ([("LT607", "/fields/tool_calls")] if fails else [])


def test_white_space_needs_another_region() -> None:
    spec = {"start_anchor": "A", "fields": {"tool_calls": {"content": "json"}}}
    assert places(spec, "LT607") == []
