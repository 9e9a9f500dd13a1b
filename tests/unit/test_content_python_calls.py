"""The `python-call-list` parser of the dialect."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from runtime.content.python_calls import parse_python_calls


@pytest.mark.parametrize(
    ("body", "options", "names"),
    [
        ("[f(), g()]", {}, ["f", "g"]),
        ("f(), g()", {"brackets": False}, ["f", "g"]),
        ("", {"brackets": False}, []),
        (" \n", {"brackets": False, "separator": "\n"}, []),
        ("\nf()\n\n  g()\n", {"brackets": False, "separator": "\n"}, ["f", "g"]),
        ("[f()\ng()]", {"separator": "\n"}, ["f", "g"]),
        ("brave_search.call()", {"brackets": False, "methods": True}, ["brave_search"]),
        ("[a.b.call(), c()]", {"methods": True}, ["a.b", "c"]),
        ("[a.b()]", {}, ["a.b"]),
    ],
)
def test_calls(body: str, options: dict[str, Any], names: list[str]) -> None:
    assert parse_python_calls(body, **options) == [{"name": n, "arguments": {}} for n in names]


def test_a_call_may_go_over_several_lines() -> None:
    body = "f(\n  a=1,\n  b=[2,\n3])\ng(c='d\\n')"
    assert parse_python_calls(body, brackets=False, separator="\n") == [
        {"name": "f", "arguments": {"a": 1, "b": [2, 3]}},
        {"name": "g", "arguments": {"c": "d\n"}},
    ]


def argument(text: str) -> Any:
    """The value that the text has as an argument of a call."""
    (call,) = parse_python_calls(f"[f(x={text})]")
    return call["arguments"]["x"]


def test_strings_may_have_line_breaks() -> None:
    body = """[f(a='\n x\r\n', b=["\n"], c={'\n': 1}, d="\t\x00")]"""
    arguments = {"a": "\n x\r\n", "b": ["\n"], "c": {"\n": 1}, "d": "\t\x00"}
    assert parse_python_calls(body) == [{"name": "f", "arguments": arguments}]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12345678901234567", 12345678901234567),
        ("-9007199254740993", -9007199254740993),
        (r"'\x41\u00e9\101'", "Aé" + "A"),
        (r"'\d+\/'", r"\d+/"),
        (r"'\ud83d\ude00'", "\U0001f600"),
        ("-2e3", -2000.0),
        ("[true, None, 'it\\'s']", [True, None, "it's"]),
        ("{'a': {\"b\": []}}", {"a": {"b": []}}),
    ],
)
def test_values_are_those_of_python(text: str, value: Any) -> None:
    result = argument(text)
    assert result == value
    assert type(result) is type(value)


@pytest.mark.parametrize(
    "text",
    ["NaN", "nan", "1e999", "1" * 5000, "(1, 2)", "[1,]", "{'a': 1, 'a': 2}", "'a", "x", "1_000"],
)
def test_what_is_no_value(text: str) -> None:
    with pytest.raises(ValueError):
        argument(text)


def test_nesting_has_a_limit_of_100() -> None:
    assert argument("[" * 100 + "]" * 100) is not None
    with pytest.raises(ValueError, match="at most 100"):
        argument("[" * 101 + "]" * 101)


@pytest.mark.parametrize(
    "piece", ["f(", "f(a=", "f(a='", "[", "f(),", "f()\n", "a.", "f(a=[", "'\\"]
)
def test_reading_takes_linear_time(piece: str) -> None:
    """Of quadratic time this much text would take minutes."""
    for start in ("", "[", "[f(a='"):
        with suppress(ValueError):
            parse_python_calls(start + piece * (200_000 // len(piece)), brackets=bool(start))


@pytest.mark.parametrize(
    ("body", "options", "message"),
    [
        ("f() g()", {"brackets": False, "separator": "\n"}, "a line break or the end"),
        ("f()\ng() h()", {"brackets": False, "separator": "\n"}, "a line break or the end"),
        ("f()g()", {"brackets": False, "separator": "\n"}, "a line break or the end"),
        ("f(),\ng()", {"brackets": False, "separator": "\n"}, "a line break"),
        ("f()\ng()", {"brackets": False}, "','"),
        ("f(),", {"brackets": False}, "a name"),
        ("[f()]", {"brackets": False}, "a name"),
        ("f()", {}, r"'\['"),
        ("f(1)", {"brackets": False}, "no positional arguments"),
        ("f() x", {"brackets": False}, "','"),
        ("[f()] x", {"separator": "\n"}, "nothing after"),
        ("[f(a=1, a=2)]", {}, "another key than 'a'"),
        ("[f(a=1 b=2)]", {}, r"',' or '\)'"),
        ("[f(a)]", {}, "'='"),
        ("[f]", {}, r"'\('"),
        ("[f()", {"separator": "\n"}, r"a line break or '\]'"),
    ],
)
def test_what_is_no_call(body: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_python_calls(body, **options)
