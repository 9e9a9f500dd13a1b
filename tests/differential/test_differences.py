"""Every way in which a result differs from transformers 5.24.0: one test a difference.

`docs/differences.md` gives the reasons. Each test runs both, so it fails when either side changes.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from typing import Any

import pytest
from transformers.utils.chat_parsing import ResponseParser

from compiler import compile_template
from compiler.diagnostics import TemplateError
from runtime.tools import cast_arguments
from tests.differential.reference import Stalled, load_reference, reference_outcome

THINK = {"open": "<t>", "close": "</t>"}
JSON = {"open": "<c>", "close": "</c>", "content": "json"}
CALL = {**JSON, "transform": {"function": "{content}"}}


def template(fields: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"start_anchor": "<bot>", "fields": fields, **more}


def ours(spec: dict[str, Any], chunks: Iterable[str], tools: Any = None) -> Any:
    parser = compile_template(spec).Parser("", tools)
    for chunk in chunks:
        parser.feed(chunk)
    return parser.finalize()[0]


def theirs(spec: dict[str, Any], chunks: Iterable[str], tools: Any = None) -> Any:
    parser = ResponseParser(spec, prefix="", tools=tools)
    for chunk in chunks:
        parser.feed(chunk)
    return parser.finalize()[0]


# -- finding regions

# The closer or opener whose result depends on the chunks there, a text, the right message, and
# what transformers makes of the text one character at a time.
CHUNKS: dict[str, tuple[dict[str, Any], str, dict[str, Any], dict[str, Any]]] = {
    "an optional tail": (
        {"t": {"open": "<t>", "close_pattern": "</c>(?:</s>)?"}, "content": {}},
        "<t>x</c></s>y",
        {"t": "x", "content": "y"},
        {"t": "x", "content": "</s>y"},
    ),
    "the end of the text as a closer": (
        {"t": {"open": "<t>", "close_pattern": "</t>|$"}, "content": {}},
        "<t>x</t>y",
        {"t": "x", "content": "y"},
        {"t": "x</t>y"},
    ),
    "a literal inside another": (
        {"t": {"open": "<t>", "close": ["<abcd", "b"]}, "content": {}},
        "<t>x<abcdy",
        {"t": "x", "content": "y"},
        {"t": "x<a", "content": "cdy"},
    ),
    "a greedy loop over any text": (
        {"t": {"open_pattern": "<t.*>", "close": "</t>"}, "content": {}},
        "a<t>b</t>c",
        {"content": "a", "t": "c"},
        {"content": "c", "t": "b"},
    ),
}


@pytest.mark.parametrize("name", CHUNKS)
def test_the_reference_depends_on_the_chunks(name: str) -> None:
    fields, text, right, by_character = CHUNKS[name]
    spec = template(fields)
    assert theirs(spec, [text]) == right
    assert theirs(spec, text) == by_character
    assert ours(spec, [text]) == ours(spec, text) == right


def test_a_lazy_loop_does_not_stop_the_stream() -> None:
    opener = {"open_pattern": r"to=(?P<n>\S+?)<m>", "transform": "{n}"}
    spec = template({"call": opener, "content": {}})
    reference, parser = ResponseParser(spec, prefix=""), compile_template(spec).Parser("")
    for chunk in ["to=", "me ", "and"]:
        stalled, streamed = reference.feed(chunk), parser.feed(chunk)
    assert stalled == []  # until the end of the text
    assert streamed == [{"type": "region_chunk", "field": "content", "text": "and", "dirty": False}]


def test_an_empty_close_between_regions_loses_nothing() -> None:
    spec = template({"t": THINK, "content": {"close_pattern": "(?=;)"}})
    text = ";hello<t>x</t>z"
    assert theirs(spec, [text]) == {}
    assert ours(spec, [text]) == ours(spec, text) == {"content": "z", "t": "x"}


def test_a_delimiter_without_width_fires_once_at_one_place() -> None:
    spec = template({"t": {"open_pattern": "(?=<)", "close_pattern": "(?=<)"}, "content": {}})
    with pytest.raises(Stalled):  # it would go on for ever
        reference_outcome(load_reference(spec), "a<b")
    assert ours(spec, ["a<b"]) == ours(spec, "a<b") == {"content": "<b"}


def test_an_opener_that_is_complete_is_told_at_once() -> None:
    spec = template({"t": {"open_pattern": r"<t\d>", "close": "</t>"}})
    opened = [{"type": "region_open", "field": "t"}]
    reference, parser = ResponseParser(spec, prefix=""), compile_template(spec).Parser("")
    assert (reference.feed("<t1>"), parser.feed("<t1>")) == ([], opened)
    assert reference.feed("x")[:1] == opened


def test_consumed_text_is_dropped() -> None:
    """Why the time is linear: the reference keeps all text, and copies it for every chunk."""
    spec = template({"t": THINK, "content": {}})
    reference, parser = ResponseParser(spec, prefix=""), compile_template(spec).Parser("")
    for _ in range(1000):
        reference.feed("some <b>text</b> ")
        parser.feed("some <b>text</b> ")
    assert len(reference._buffer) == 17_000
    assert len(parser._buffer) < 17


# -- errors


def test_an_error_ends_the_parser() -> None:
    spec = template({"c": JSON, "content": {}})
    reference, parser = ResponseParser(spec, prefix=""), compile_template(spec).Parser("")
    for fed in (reference, parser):
        with pytest.raises(ValueError):
            fed.feed("<c>[1</c>")
    reference.feed(", 2]</c>")  # the closer is forgotten, the region still open
    assert reference.finalize()[0] == {"c": [1, 2]}
    for _ in range(2):
        with pytest.raises(ValueError, match="field 'c' at offset 3: not JSON"):
            parser.feed(", 2]</c>")


def test_every_error_is_a_value_error_with_its_own_text() -> None:
    opener = {"open_pattern": "<c(?P<n>!)?>", "transform": "{n}"}
    spec = template({"c": opener})
    with pytest.raises(KeyError) as reference:
        theirs(spec, ["<c>"])
    with pytest.raises(KeyError) as error:
        ours(spec, ["<c>"])
    assert not isinstance(reference.value, ValueError)
    assert isinstance(error.value, ValueError)
    assert str(error.value) != str(reference.value)


def test_a_nested_tag_without_its_value_fails_with_another_class() -> None:
    inner = {"name": "xml-inline", "args": {"tag_pattern": "(?P<key>a)(?P<value>b)"}}
    args = {"tag_pattern": "<(?P<key>a)(?:=(?P<value>b))?>", "value_parser": inner}
    spec = template({"c": {**JSON, "content": "xml-inline", "content_args": args}})
    with pytest.raises(TypeError):
        theirs(spec, ["<c><a></c>"])
    with pytest.raises(AttributeError) as error:
        ours(spec, ["<c><a></c>"])
    assert isinstance(error.value, ValueError)


def test_a_missing_anchor_is_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    spec = template({"content": {}})
    logger = logging.getLogger("chatc")
    level, logger.level = logger.level, logging.NOTSET
    try:
        compile_template(spec).Parser("no anchor")
    finally:
        logger.level = level
    assert [(record.name, record.levelname) for record in caplog.records] == [("chatc", "WARNING")]


# -- argument types


def cast(run: Any, schema: Any, text: str) -> Any:
    """The argument `x` of a call after casting."""
    tools = [{"name": "f", "parameters": {"properties": {"x": schema}}}]
    call = json.dumps({"name": "f", "arguments": {"x": text}})
    return run(template({"c": CALL}), [f"<c>{call}</c>"], tools)["c"]["function"]["arguments"]["x"]


@pytest.mark.parametrize(
    ("kind", "text", "exact", "rounded"),
    [
        ("number", "9007199254740993", 2**53 + 1, 2**53),
        ("integer", "9007199254740993.0", 2**53 + 1, 2**53),
        ("integer", "1e30", 10**30, 1000000000000000019884624838656),
        ("integer", "9007199254740993.5", "9007199254740993.5", 2**53 + 2),
    ],
)
def test_integers_stay_exact(kind: str, text: str, exact: Any, rounded: int) -> None:
    assert cast(ours, {"type": kind}, text) == exact
    assert cast(theirs, {"type": kind}, text) == rounded


@pytest.mark.parametrize("union", ["anyOf", "oneOf"])
def test_a_union_that_is_no_list_is_ignored(union: str) -> None:
    schema = {"type": "integer", union: 5}
    assert cast(ours, schema, "3") == 3
    with pytest.raises(TypeError):
        cast(theirs, schema, "3")


def test_lists_of_any_depth_are_cast() -> None:
    calls: list[Any] = [{"function": {"name": "f", "arguments": {"x": "3"}}}]
    value: list[Any] = calls
    for _ in range(5000):
        value = [value]
    reference = ResponseParser(template({"c": {}}), prefix="")
    with pytest.raises(RecursionError):
        reference._coerce_tool_calls(value)
    cast_arguments(value, {"f": {"x": ("integer",)}})
    assert calls == [{"function": {"name": "f", "arguments": {"x": 3}}}]


# -- templates


def refused(spec: Any) -> set[str]:
    """The rules that we refuse a template by."""
    with pytest.raises(TemplateError) as error:
        compile_template(spec)
    return {found.rule for found in error.value.diagnostics if found.severity == "error"}


def test_a_string_without_delimiters_is_no_string() -> None:
    args = {"string_delims": [["", ""]], "allow_non_json": True}
    spec = template({"c": {**JSON, "content_args": args}})
    assert theirs(spec, ["<c>1</c>"]) == {"c": "1"}
    with pytest.raises(ValueError, match="opener and closer are both empty"):
        ours(spec, ["<c>1</c>"])


def test_string_delimiters_are_strings() -> None:
    spec = template({"c": {**JSON, "content_args": {"string_delims": [["<q>", ["</q>"]]]}}})
    assert theirs(spec, ["<c>1</c>"]) == {"c": 1}
    assert refused(spec) == {"RT305"}


@pytest.mark.parametrize("value", [(1, 2), {1: 2}])
def test_a_template_is_json(value: Any) -> None:
    spec = template({"content": {}}, defaults={"x": value})
    assert theirs(spec, ["y"]) == {"x": value, "content": "y"}
    assert refused(spec) == {"RT005"}


def test_a_template_is_not_nested_without_end() -> None:
    value: dict[str, Any] = {}
    for _ in range(100):
        value = {"x": value}
    spec = template({"content": {}}, defaults=value)
    assert theirs(spec, ["y"])["content"] == "y"
    assert refused(spec) == {"RT006"}


def test_content_arguments_are_checked_when_the_template_is_loaded() -> None:
    spec = template({"c": {**JSON, "content": "xml-inline"}, "content": {}})
    assert theirs(spec, ["no region"]) == {"content": "no region"}
    with pytest.raises(ValueError, match="tag_pattern"):
        theirs(spec, ["<c></c>"])
    assert refused(spec) == {"RT303"}


@pytest.mark.parametrize("pattern", [r"\((?R)?\)", r"(?:<call>){e<=1}", r"(?x)< call >", r"<\X>"])
def test_patterns_that_are_not_read(pattern: str) -> None:
    spec = template({"c": {"open_pattern": pattern, "close": "</c>"}, "content": {}})
    assert theirs(spec, ["y"]) == {"content": "y"}
    assert refused(spec) == {"RT204"}
