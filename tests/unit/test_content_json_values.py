"""The `json` parser of the dialect: against `json` and `ast` where they read the same text."""

from __future__ import annotations

import ast
import json
import warnings
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.content.json_values import as_entries, parse_json_values

QUOTES = [('<|"|>', '<|"|>')]
# What a string may be made of; no quote alone, which would end it.
STRING_PIECES = ["\\'", "\\", *'"/abfnrtvxuUN01289eE', "\n", "\t", " ", "é", "😀"]
GEMMA: dict[str, Any] = {"bare_keys": True, "string_delims": QUOTES}

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20
)
# Not half of a pair: JSON's two escapes of a pair are one character, Python's are two.
plain_text = st.text(st.characters(exclude_categories=["Cs"]))
literals = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | plain_text,
    lambda inner: st.lists(inner) | st.dictionaries(plain_text, inner),
    max_leaves=20,
)


def error_of(text: str, **options: Any) -> str | None:
    """The message of the ValueError; None if there is a value."""
    try:
        parse_json_values(text, **options)
    except ValueError as error:
        return str(error)
    return None


@given(values, st.sampled_from([None, 2]))
def test_json_means_the_same_to_the_reader(value: Any, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    # Behind "many" there is no short cut through `json`.
    assert parse_json_values(text, many=True) == [value]
    assert parse_json_values(text, many=True, python_literals=True, bare_keys=True) == [value]
    assert parse_json_values(text, python_literals=True) == value


@given(literals)
def test_what_python_writes_is_read(value: Any) -> None:
    assert parse_json_values(repr(value), python_literals=True, many=True) == [value]


@given(st.lists(st.sampled_from(STRING_PIECES), max_size=12).map("".join))
def test_strings_are_those_of_python_where_python_has_them(body: str) -> None:
    text = f"'{body}'"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of unknown escapes
            expected = ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return
    if "\\/" in body or "\t" in body or not isinstance(expected, str):
        return  # "\/" is a slash, as in JSON; control characters are escaped, as in JSON
    try:
        value = parse_json_values(text, python_literals=True)
    except ValueError:
        assert "\\N" in body
    else:
        assert value == expected


@pytest.mark.parametrize(
    "flags",
    [
        {"python_literals": True},
        {"bare_keys": True},
        {"bare_keys": True, "string_delims": [("<q>", "</q>")]},
        {"many": True, "python_literals": True, "bare_keys": True},
        {"entries": True},
    ],
)
@given(text=st.text(st.sampled_from("{}[]\"',:;<q>\\ \nTruefalsnN0123.e-+/"), max_size=30))
def test_any_text_is_a_value_or_a_value_error(text: str, flags: dict[str, Any]) -> None:
    message = error_of(text, **flags)
    assert message is None or len(message) < 300


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("{'a': True, 'b': None, \"c\": False}", {"a": True, "b": None, "c": False}),
        ("{'it': 'it\\'s', 'say': \"it's\"}", {"it": "it's", "say": "it's"}),
        (r"'\x41\u00e9\U0001F600\ud83d\ude00\101'", "Aé😀😀A"),
        (r"'\d+\/'", r"\d+/"),
        ("'a\\\nb'", "ab"),
        ("[true, null]", [True, None]),
        (" None ", None),
        ("None", None),
    ],
)
def test_python_literals(body: str, value: Any) -> None:
    assert repr(parse_json_values(body, python_literals=True)) == repr(value)


@pytest.mark.parametrize(
    "body",
    [
        *("'a", "'a\\", "'a\nb'", "'\\x4'", "'\\U00110000'", "'\\n\x01'", "'\\N{DASH}'"),
        *("[1,]", "{'a': 1,}", "{1: 2}", "(1, 2)", "{1}", "Nonesense", "True False"),
        *("u'a'", "'a' 'b'", "1_000", "01", "0x10", ".5", "+1", "nul", ""),
    ],
)
def test_not_a_literal_of_the_dialect(body: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        parse_json_values(body, python_literals=True)


def test_python_literals_are_no_json_without_the_option() -> None:
    for body in ("True", "'a'", "{'a': 1}"):
        assert error_of(body, bare_keys=True, many=True)


def test_bare_keys_are_all_that_stands_before_the_colon() -> None:
    body = (
        '{a b: <|"|>x, "{<|"|>, n: [1, true], e: 1e-05, a-b.c : {Basic LLM Chain:\n[[{Bob\'s:1}]]}}'
    )
    assert parse_json_values(body, **GEMMA) == {
        "a b": 'x, "{',
        "n": [1, True],
        "e": 1e-05,
        "a-b.c": {"Basic LLM Chain": [[{"Bob's": 1}]]},
    }


def test_keys_in_quotes_are_strings() -> None:
    assert parse_json_values('{"a:b": 1, <|"|>c:d<|"|>: 2}', **GEMMA) == {"a:b": 1, "c:d": 2}


@pytest.mark.parametrize(
    "body", ["{a, b: 1}", "{a\nb: 1}", "{: 1}", "{a}", "{a b}", "{a: }", "{a:1"]
)
def test_not_a_bare_key(body: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        parse_json_values(body, **GEMMA)


def test_delimited_strings_may_hold_the_marks_that_v1_refuses() -> None:
    assert parse_json_values('{a:<|"|>\x010\x02<|"|>}', **GEMMA) == {"a": "\x010\x02"}


def test_a_delimited_string_that_never_closes() -> None:
    with pytest.raises(ValueError, match="a string that ends with"):
        parse_json_values('{a:<|"|>x}', **GEMMA)


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("", []),
        (" ; ", []),
        ("1", [1]),
        ('{"a": 1}\n{"b": 2}; {"c": 3},{"d": 4};', [{"a": 1}, {"b": 2}, {"c": 3}, {"d": 4}]),
        ("{}{}[][{}]", [{}, {}, [], [{}]]),
    ],
)
def test_many(body: str, value: Any) -> None:
    assert parse_json_values(body, many=True) == value


@pytest.mark.parametrize("body", ["1-2", '"a""b"', "1[]", '{}"a"', "truefalse", "[1]2", "null{}"])
def test_many_have_something_between_them(body: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        parse_json_values(body, many=True)


def test_many_are_all_read_or_none() -> None:
    with pytest.raises(ValueError, match="offset 9"):
        parse_json_values('{"a": 1} oops', many=True)


def test_entries() -> None:
    assert parse_json_values('{"f": {"a": 1}}', entries=True) == {"key": "f", "value": {"a": 1}}
    assert parse_json_values('[{"f": 1}, {"g": 2}]', entries=True) == [
        {"key": "f", "value": 1},
        {"key": "g", "value": 2},
    ]
    assert parse_json_values('{"f": 1} {"g": 2}', entries=True, many=True) == [
        {"key": "f", "value": 1},
        {"key": "g", "value": 2},
    ]
    assert as_entries([]) == []


@pytest.mark.parametrize("body", ["{}", '{"a": 1, "b": 2}', "[1]", "3"])
def test_what_is_no_entry(body: str) -> None:
    with pytest.raises(ValueError, match="one key"):
        parse_json_values(body, entries=True)


def test_allow_non_json() -> None:
    assert parse_json_values(" no ", bare_keys=True, allow_non_json=True) == "no"
    assert parse_json_values(" no ", bare_keys=True, allow_non_json=True, strip=False) == " no "


@pytest.mark.parametrize(
    "body",
    ['{"a": 1, "a": 2}', "{'a': 1, \"a\": 2}", "{a: 1, a : 2}", "NaN", "[-Infinity]", "1e999"],
)
@pytest.mark.parametrize("many", [False, True])
def test_what_other_readers_of_json_refuse(body: str, many: bool) -> None:
    with pytest.raises(ValueError):
        parse_json_values(body, python_literals=True, bare_keys=True, many=many)
    assert parse_json_values(body, python_literals=True, allow_non_json=True) == body


def test_depth_is_limited() -> None:
    deep = "[" * 100 + "'x'" + "]" * 100
    assert repr(parse_json_values(deep, python_literals=True)).count("[") == 100
    side_by_side = f"[{'[],' * 200}'x']"
    assert len(parse_json_values(side_by_side, python_literals=True)) == 201
    with pytest.raises(ValueError, match="at most 100"):
        parse_json_values(f"[{deep}]", python_literals=True)
    with pytest.raises(RecursionError):  # as plain JSON
        parse_json_values("[" * 200_000, python_literals=True)


@pytest.mark.parametrize(
    "piece",
    ["'\\'", "'x',", '"\\x', '"\\q",', "{a", "a b", "\\", "<q>", "[", ", ", "1,", "'", '"'],
)
def test_reading_takes_linear_time(piece: str) -> None:
    """Of quadratic time this much text would take minutes."""
    flags: dict[str, Any] = {"python_literals": True, "bare_keys": True}
    for start in ("", "[", "{", "'", '"', "<q>"):
        text = start + piece * (100_000 // len(piece))
        error_of(text, string_delims=[("<q>", "</q>")], **flags)
        error_of(text, many=True, string_delims=[("<q>", "</q>")], **flags)
