from __future__ import annotations

import math
from typing import Any

import pytest

from runtime.content.json_dialect import parse_json_dialect
from runtime.content.json_text import parse_json, parse_strict_json

QUOTES = [('<|"|>', '<|"|>')]


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ('{"a": [1, 2.5, "x", null, true]}', {"a": [1, 2.5, "x", None, True]}),
        (" 3 ", 3),
        ("[Infinity]", [math.inf]),
        ('{"a": 1, "a": 2}', {"a": 2}),
    ],
)
def test_json_is_what_python_reads(body: str, value: Any) -> None:
    assert parse_json(body) == value
    assert parse_json_dialect(body) == value


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (
            '{"a": [1, 2.5, "x", null, true], "b": {"a": {}}}',
            {"a": [1, 2.5, "x", None, True], "b": {"a": {}}},
        ),
        ("\t 3 \r\n", 3),
        ("1e308", 1e308),
        ("1e-999", 0.0),
        ("12345678901234567890", 12345678901234567890),
        ('"NaN"', "NaN"),
        ("[]", []),
    ],
)
def test_strict_json(body: str, value: Any) -> None:
    assert parse_strict_json(body) == value
    assert type(parse_strict_json(body)) is type(value)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("NaN", "NaN is no number"),
        ('{"a": [Infinity]}', "Infinity is no number"),
        ("-Infinity", "-Infinity is no number"),
        ("[1e999]", "that a float can hold: '1e999'"),
        ("-1.5e400", "that a float can hold"),
        ('{"a": 1, "b": 3, "a": 2}', "has the key 'a' twice"),
        ('[{"b": {"a": 1, "\\u0061": 1}}]', "has the key 'a' twice"),
        ("1 2", r"Extra data at line 1, column 2 \(offset 1\)"),
        ("{} x", "Extra data"),
        ("", "Expecting value"),
        ("[1, x]", r"Expecting value at line 1, column 5 \(offset 4\)"),
        ('{"a" 1}', "':'"),
        ("\ufeff1", "Expecting value"),
    ],
)
def test_what_strict_json_refuses(body: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        parse_strict_json(body)
    assert type(caught.value) is ValueError


def test_json_accepts_nan() -> None:
    assert math.isnan(parse_json("NaN"))


def test_json_error_says_where_and_shows_a_little() -> None:
    body = "[" + "1,\n" * 1000 + "oops" + "]" * 1000
    with pytest.raises(ValueError) as caught:
        parse_json(body)
    message = str(caught.value)
    assert "line 1001, column 1 (offset 3001)" in message
    assert "oops" in message
    assert len(message) < 200
    assert type(caught.value) is ValueError


@pytest.mark.parametrize("allow_non_json", [False, True])
def test_integers_beyond_the_digit_limit_are_errors_even_if_other_text_is_allowed(
    allow_non_json: bool,
) -> None:
    with pytest.raises(ValueError, match="4300"):
        parse_json_dialect("1" * 5000, allow_non_json=allow_non_json)
    with pytest.raises(ValueError, match="4300"):
        parse_json("1" * 5000)


def test_deep_nesting_is_a_recursion_error() -> None:
    with pytest.raises(RecursionError):
        parse_json("[" * 200_000)
    with pytest.raises(RecursionError):
        parse_strict_json("[" * 200_000)
    with pytest.raises(RecursionError):
        parse_json_dialect("[" * 200_000, allow_non_json=True)


def test_allow_non_json_gives_the_original_text() -> None:
    assert parse_json_dialect(" Paris\n", allow_non_json=True) == "Paris"
    assert parse_json_dialect(" Paris\n", allow_non_json=True, strip=False) == " Paris\n"
    assert parse_json_dialect(" 3\n", allow_non_json=True) == 3
    half = '{a: <|"|>x<|"|>'
    assert (
        parse_json_dialect(half, unquoted_keys=True, string_delims=QUOTES, allow_non_json=True)
        == half
    )


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("{a: 1}", {"a": 1}),
        ("{a:1,b :2,\n c\t: {d: 3}}", {"a": 1, "b": 2, "c": {"d": 3}}),
        ('{"a": 1, b: "{c: 1, d: 2}"}', {"a": 1, "b": "{c: 1, d: 2}"}),
        (r'{a: "\"{b: 1}"}', {"a": '"{b: 1}'}),
        ("{\u00fcber: 1, a\u0301: 2, x\u200dy: 3}", {"\u00fcber": 1, "a\u0301": 2, "x\u200dy": 3}),
        ("{1: 2}", {"1": 2}),
        ("[1, 2]", [1, 2]),
    ],
)
def test_unquoted_keys(body: str, value: Any) -> None:
    assert parse_json_dialect(body, unquoted_keys=True) == value


@pytest.mark.parametrize(
    "body",
    [
        "{a b: 1}",  # not one word
        "{\x1ca: 1}",  # a space to Python, not to the `regex` package
        "{: 1}",
        '{a: "x}',
        '{a: "x\\\n"}',  # an escaped line break ends no string, as in the reference
    ],
)
def test_unquoted_keys_do_not_repair_other_mistakes(body: str) -> None:
    with pytest.raises(ValueError, match="not JSON"):
        parse_json_dialect(body, unquoted_keys=True)


def test_an_error_after_rewriting_says_so() -> None:
    with pytest.raises(ValueError, match="rewritten as JSON"):
        parse_json_dialect("{a: oops}", unquoted_keys=True)
    with pytest.raises(ValueError) as caught:
        parse_json_dialect("oops", unquoted_keys=True)
    assert "rewritten" not in str(caught.value)


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ('{"a": <|"|>x<|"|>}', {"a": "x"}),
        ('[<|"|>a "b" \\n {c: 1}\n<|"|>]', ['a "b" \\n {c: 1}\n']),
        ('[<|"|><|"|>]', [""]),
        ('{<|"|>a<|"|>: 1}', {"a": 1}),
        ('[<|"|>\ud83d\ude00<|"|>]', ["\U0001f600"]),
    ],
)
def test_delimited_strings_are_taken_as_they_stand(body: str, value: Any) -> None:
    assert parse_json_dialect(body, string_delims=QUOTES) == value


def test_many_delimited_strings_keep_their_places() -> None:
    body = "[" + ",".join(f"<q>{number}</q>" for number in range(120)) + "]"
    expected = [str(number) for number in range(120)]
    assert parse_json_dialect(body, string_delims=[("<q>", "</q>")]) == expected


def test_an_unclosed_delimiter_stays_text() -> None:
    body = '[<q>a</q>, "<q>"]'
    assert parse_json_dialect(body, string_delims=[("<q>", "</q>")]) == ["a", "<q>"]
    with pytest.raises(ValueError, match="not JSON"):
        parse_json_dialect("[<q>a</q>, <q>b]", string_delims=[("<q>", "</q>")])


def test_later_pairs_act_outside_the_strings_of_earlier_ones() -> None:
    pairs = [("<q>", "</q>"), ("'", "'")]
    assert parse_json_dialect("[<q>it's</q>, 'b']", string_delims=pairs) == ["it's", "b"]


def test_a_later_pair_around_an_earlier_string_shows_its_number() -> None:
    # The reference numbers what it cuts out, and a later string keeps the number.
    pairs = [("<q>", "</q>"), ("'", "'")]
    assert parse_json_dialect("['a<q>b</q>c']", string_delims=pairs) == ["a\x010\x02c"]


def test_a_delimited_string_inside_double_quotes_is_an_error() -> None:
    with pytest.raises(ValueError, match="not JSON"):
        parse_json_dialect('["a <q>b</q>"]', string_delims=[("<q>", "</q>")])


@pytest.mark.parametrize("mark", ["\x01", "\x02"])
def test_string_delims_refuse_the_marks(mark: str) -> None:
    with pytest.raises(ValueError, match="string_delims"):
        parse_json_dialect(f"text {mark}", string_delims=QUOTES, allow_non_json=True)
    assert parse_json_dialect(f"text {mark} ", allow_non_json=True) == f"text {mark}"


def test_string_delims_refuse_a_pair_that_would_match_everywhere() -> None:
    with pytest.raises(ValueError, match="both empty"):
        parse_json_dialect("x", string_delims=[("", "")])


def test_unquoted_keys_and_string_delims_together() -> None:
    body = '{city: <|"|>{x: "1"}<|"|>, days: 3}'
    value = parse_json_dialect(body, unquoted_keys=True, string_delims=QUOTES)
    assert value == {"city": '{x: "1"}', "days": 3}
