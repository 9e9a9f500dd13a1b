from __future__ import annotations

from typing import Any

import pytest

from runtime.content.python_call_list import parse_python_call_list


def argument(text: str) -> Any:
    """The value that the text has as an argument of a call."""
    (call,) = parse_python_call_list(f"[f(x={text})]")
    assert call["name"] == "f"
    return call["arguments"]["x"]


@pytest.mark.parametrize(
    ("body", "calls"),
    [
        ("[]", []),
        (" [ \t\r\n] ", []),
        ("[f()]", [{"name": "f", "arguments": {}}]),
        (
            '[get.x-1(a=1, b="x"), _g ( ) ]',
            [
                {"name": "get.x-1", "arguments": {"a": 1, "b": "x"}},
                {"name": "_g", "arguments": {}},
            ],
        ),
        ("[f(a-b.c=1)]", [{"name": "f", "arguments": {"a-b.c": 1}}]),
        ("[True(None=null)]", [{"name": "True", "arguments": {"None": None}}]),
    ],
)
def test_calls(body: str, calls: list[dict[str, Any]]) -> None:
    assert parse_python_call_list(body) == calls


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("-0", 0),
        ("9007199254740991", 2**53 - 1),
        ("-9007199254740991", 1 - 2**53),
        ("1.50", 1.5),
        ("-2e3", -2000.0),
        ("1E+2", 100.0),
        ("1e-400", 0.0),
        ("True", True),
        ("true", True),
        ("False", False),
        ("false", False),
        ("None", None),
        ("null", None),
        ("[]", []),
        ("[1, [2], {}]", [1, [2], {}]),
        ("""{"a": 1, 'b' : [null]}""", {"a": 1, "b": [None]}),
        ("'it is \"x\"'", 'it is "x"'),
        ('"it\'s"', "it's"),
        (r"'it\'s'", "it's"),
        (r'"\\ \" \' \/ \b\f\n\r\t"', "\\ \" ' / \b\f\n\r\t"),
        (r'"\u00e9\u20AC"', "\u00e9\u20ac"),
        (r'"\ud83d\uDE00"', "\U0001f600"),
        (r'"\\ud83d"', "\\ud83d"),
        ('"\U0001f600 \x00\t\u2028"', "\U0001f600 \x00\t\u2028"),
        ('""', ""),
    ],
)
def test_values(text: str, value: Any) -> None:
    result = argument(text)
    assert result == value
    assert type(result) is type(value)


@pytest.mark.parametrize(
    ("body", "offset", "expected"),
    [
        ("", 0, "'['"),
        ("f()", 0, "'['"),
        ("[f]", 2, "'('"),
        ("[f(]", 3, "a name"),
        ("[1]", 1, "a name"),
        ("[f(),]", 5, "a name"),
        ("[f() g()]", 5, "',' or ']'"),
        ("[f()", 4, "',' or ']'"),
        ("[f()] x", 6, "nothing after"),
        ("[f(1)]", 3, "no positional arguments"),
        ("[f(a)]", 4, "'='"),
        ("[f(a=1,)]", 7, "no trailing commas"),
        ("[f(a=1 b=2)]", 7, "',' or ')'"),
        ("[f(a=1, a=2)]", 8, "a name other than 'a'"),
        ("[f(a=)]", 5, "a string, number"),
        ("[f(a=x)]", 5, "a string, number"),
        ("[f(a=True-1)]", 5, "a string, number"),
        ("[f(a=+1)]", 5, "a string, number"),
        ("[f(a=.5)]", 5, "a string, number"),
        ("[f(a=01)]", 6, "',' or ')'"),
        ("[f(a=1.)]", 6, "',' or ')'"),
        ("[f(a=[1,])]", 8, "a string, number"),
        ("[f(a=[1)]", 7, "',' or ']'"),
        ("[f(a={b: 1})]", 6, "a string in quotes"),
        ("[f(a={1: 1})]", 6, "a string in quotes"),
        ('[f(a={"b", 1})]', 9, "':'"),
        ('[f(a={"b": 1, "b": 2})]', 14, "a name other than 'b'"),
        ("[f(a=9007199254740992)]", 5, "an integer of at most 9007199254740991"),
        ("[f(a=-9007199254740992)]", 5, "an integer"),
        ("[f(a=" + "1" * 5000 + ")]", 5, "an integer"),
        ("[f(a=1e999)]", 5, "a number that a float can hold"),
        ('[f(a="x)]', 9, "the closing quote"),
        ('[f(a="x\ny")]', 7, "the closing quote"),
        ("[f(a='x\ry')]", 7, "the closing quote"),
        ('[f(a="\\x41")]', 6, "the closing quote"),
        ('[f(a="ab\\u12g4")]', 8, "the closing quote"),
        ('[f(a="\\ud83d")]', 6, "the closing quote"),
        ('[f(a="\\ude00")]', 6, "the closing quote"),
        ('[f(a="a\ud83d")]', 7, "the closing quote"),
        ("[\xa0f()]", 1, "a name"),
        ("[f\u00e9()]", 2, "'('"),
    ],
)
def test_mistakes_are_named_and_located(body: str, offset: int, expected: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_python_call_list(body)
    message = str(caught.value)
    assert message.startswith("expected ")
    assert expected in message
    assert f"at offset {offset}, near " in message


def test_nesting_has_a_limit_of_100() -> None:
    assert argument("[" * 100 + "]" * 100) is not None
    assert argument('{"a":[' * 50 + "]}" * 50) is not None
    with pytest.raises(ValueError, match="at most 100 lists"):
        argument("[" * 101 + "]" * 101)
    assert len(argument("[" + ",".join(["[]"] * 300) + "]")) == 300


def test_messages_stay_short() -> None:
    key = '"' + "k" * 10_000 + '"'
    for argument_text in ("[" + '"x", ' * 10_000, f"{{{key}: 1, {key}: 2}}"):
        with pytest.raises(ValueError) as caught:
            parse_python_call_list(f"[f(a={argument_text})]")
        assert len(str(caught.value)) < 200
