"""ParseError: what it says, which classes it also is, and what a parser does after it."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from compiler import compile_template
from runtime.chat.json_schema import DocstringParsingException
from runtime.errors import (
    ParseAttributeError,
    ParseError,
    ParseKeyError,
    ParseRecursionError,
    ParseTypeError,
    StateError,
    as_json,
)
from tests.runtime.models import PARSERS, parsers_of
from tests.runtime.templates import compiled

DEEP = "[" * 100_000


def failure(parser: Any, text: str) -> ParseError:
    """The error that the text raises."""
    with pytest.raises(ParseError) as caught:
        parser.feed(text)
        parser.finalize()
    return caught.value


def parser_of(field: dict[str, Any], defaults: dict[str, Any] | None = None) -> Any:
    """A new parser of a template with one field, between `<` and `>`."""
    spec: dict[str, Any] = {
        "start_anchor": "<s>",
        "fields": {"a": {"open": "<", "close": ">", **field}},
    }
    return compile_template(spec | ({"defaults": defaults} if defaults else {})).Parser("")


def test_what_an_error_says() -> None:
    parser = compiled("box").Parser("<s>é")
    parser.feed("a<c f>")
    error = failure(parser, "{x</c>b")
    assert error.field == "call"
    assert error.span == (6, 8)
    assert error.raw == "{x"
    assert error.reason == "content"
    assert error.detail.startswith("not JSON: ")
    assert str(error) == f"field 'call' at offset 6: {error.detail} (text: '{{x')"
    assert isinstance(error, ValueError)
    assert isinstance(error.__cause__, ValueError)
    assert as_json(error) == {
        "class": "ParseError",
        "message": error.detail,
        "field": "call",
        "reason": "content",
        "span": [6, 8],
        "raw": "{x",
    }


def test_an_error_shows_the_start_of_a_long_text() -> None:
    error = failure(compiled("box").Parser(""), "<n>" + "y" * 1000 + "</n>")
    assert error.raw == "y" * 1000
    assert str(error).endswith(f"(text: '{'y' * 60}...')")


def test_an_error_carries_what_its_call_had_decided() -> None:
    parser = compiled("box").Parser("")
    parser.feed("<t>")
    error = failure(parser, "think</t>a<n>x</n>b")
    assert [(event["type"], event["field"]) for event in error.events] == [
        ("region_chunk", "thinking"),
        ("region_close", "thinking"),
        ("region_open", "content"),
        ("region_chunk", "content"),
        ("region_close", "content"),
        ("region_open", "count"),
        ("region_chunk", "count"),
    ]


def test_a_missing_field_carries_the_last_events() -> None:
    parser = compiled("box").Parser("")
    parser.feed("a<")
    error = failure(parser, "")
    assert (error.field, error.reason, error.span, error.raw) == ("count", "missing", (2, 2), "")
    assert [event["type"] for event in error.events] == ["region_chunk", "region_close"]


def test_the_prefix_may_fail() -> None:
    with pytest.raises(ParseError) as caught:
        compiled("box").Parser("<s>a<n>x</n>b")
    assert caught.value.span == (-6, -5)
    assert [event["type"] for event in caught.value.events] == [
        *("region_open", "region_chunk", "region_close", "region_open", "region_chunk")
    ]


CLASSES: list[tuple[dict[str, Any], dict[str, Any], str, type[Exception], type[Exception]]] = [
    ({"transform": "{b}"}, {}, "<>", ParseKeyError, KeyError),
    ({"transform": "{content.b}"}, {}, "<>", ParseError, ValueError),
    ({"repeats": True, "join": ""}, {"a": 1}, "<>", ParseTypeError, TypeError),
    ({"repeats": True}, {"a": {}}, "<>", ParseAttributeError, AttributeError),
    ({"content": "json"}, {}, f"<{DEEP}>", ParseRecursionError, RecursionError),
    ({"content": "json"}, {}, "<x>", ParseError, ValueError),
    ({"content": "int"}, {}, f"<{'1' * 10_000}>", ParseError, ValueError),
]


@pytest.mark.parametrize(("field", "defaults", "text", "own", "builtin"), CLASSES)
def test_an_error_is_also_of_the_class_that_the_reference_raises(
    field: dict[str, Any],
    defaults: dict[str, Any],
    text: str,
    own: type[Exception],
    builtin: type[Exception],
) -> None:
    error = failure(parser_of(field, defaults), text)
    assert type(error) is own
    assert isinstance(error, builtin)
    assert isinstance(error, ParseError)
    assert str(error).startswith("field 'a' at offset 1: ")
    copied = pickle.loads(pickle.dumps(error))
    assert type(copied) is own
    assert vars(copied) == vars(error)
    assert str(copied) == str(error)
    assert str(copy.copy(error)) == str(error)


def test_a_key_error_does_not_show_its_repr() -> None:
    error = failure(parser_of({"transform": "{b}"}), "<>")
    assert "placeholder {b} is not defined; defined are: none" in str(error)


def test_a_state_error_is_a_value_error_that_travels() -> None:
    error = StateError("damaged")
    copied = pickle.loads(pickle.dumps(error))
    assert isinstance(copied, ValueError)
    assert str(copied) == "damaged"


def test_after_an_error_the_parser_is_finished() -> None:
    parser = compiled("box").Parser("")
    parser.feed("a")
    error = failure(parser, "<n>x</n>")
    events = list(error.events)
    for again in (
        lambda: parser.feed("b"),
        lambda: parser.feed(""),
        lambda: parser.feed("<n>1</n>"),
        parser.finalize,
        lambda: parser.finalize("stop"),
    ):
        with pytest.raises(ParseError) as caught:
            again()
        assert caught.value is error
    assert error.events == events


def test_a_failed_end_fails_again_the_same_way() -> None:
    parser = compiled("box").Parser("")
    parser.feed("a")
    with pytest.raises(ParseError) as first:
        parser.finalize()
    with pytest.raises(ParseError) as second:
        parser.finalize()
    assert second.value is first.value


def test_a_copy_of_a_failed_parser_is_finished_too() -> None:
    parser = compiled("box").Parser("")
    failure(parser, "<n>x</n>")
    with pytest.raises(RuntimeError, match="an earlier call raised ParseError: invalid literal"):
        copy.copy(parser).feed("b")


@pytest.mark.parametrize("name", PARSERS)
def test_after_the_end_nothing_more_is_taken(name: str) -> None:
    parser = parsers_of(name).Parser("")
    parser.feed("a")
    parser.finalize()
    for again in (lambda: parser.feed("b"), lambda: parser.feed("<"), parser.finalize):
        with pytest.raises(RuntimeError, match="the parser is finished: finalize was called"):
            again()


@pytest.mark.parametrize("name", PARSERS)
def test_the_prefix_is_required(name: str) -> None:
    module = parsers_of(name)
    for run in (
        module.Parser,
        lambda: module.Parser(None),
        lambda: module.parse("a"),
        lambda: module.parse_result("a"),
        lambda: module.parse("a", on_error="keep"),
    ):
        with pytest.raises(ValueError, match="prefix is required") as caught:
            run()
        assert not isinstance(caught.value, ParseError)


@pytest.mark.parametrize("name", PARSERS)
@pytest.mark.parametrize("nothing", ["", []])
def test_an_empty_prefix_says_that_the_text_is_the_whole_message(name: str, nothing: Any) -> None:
    module = parsers_of(name)
    parser = module.Parser(nothing)
    assert parser.initial_events == []
    parser.feed("a")
    assert parser.finalize()[0] == module.parse("a", prefix=nothing)


def test_a_function_without_a_schema_is_no_tool() -> None:
    def tool(a: int) -> None:
        """A function that leaves its argument out of its docstring."""

    module = parsers_of("qwen3")
    runs: list[Callable[[], Any]] = [
        lambda: module.Parser("", [tool]),
        lambda: module.parse("a", prefix="", tools=[tool]),
        lambda: module.parse_batch(["a"], prefixes="", tools=[tool]),
    ]
    for run in runs:
        with pytest.raises(DocstringParsingException, match=r"for tool because .* argument 'a'"):
            run()
