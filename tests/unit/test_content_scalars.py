from __future__ import annotations

import math

import pytest

from runtime.content.boolean import parse_bool
from runtime.content.excerpt import excerpt
from runtime.content.floating import parse_float
from runtime.content.integer import parse_int
from runtime.content.text import parse_text


def test_text_is_stripped_as_python_strips() -> None:
    assert parse_text(" \n a b\t\x1c\x1f\u3000") == "a b"


@pytest.mark.parametrize(
    ("body", "value"), [(" 42\n", 42), ("-1_000", -1000), ("\u0664\u0662", 42), ("\x1c7", 7)]
)
def test_int_takes_every_form_of_python(body: str, value: int) -> None:
    assert parse_int(body) == value


@pytest.mark.parametrize("body", ["", "1.0", "1e3", "0x1", "one", "1" * 5000])
def test_int_refuses_other_text(body: str) -> None:
    with pytest.raises(ValueError):
        parse_int(body)


@pytest.mark.parametrize(
    ("body", "value"), [(" 1.5\n", 1.5), ("1e3", 1000.0), ("1_0.5\x1c", 10.5), ("inf", math.inf)]
)
def test_float_takes_every_form_of_python(body: str, value: float) -> None:
    number = parse_float(body)
    assert number == value
    assert isinstance(number, float)


def test_numbers_without_strip_may_stand_in_what_python_skips() -> None:
    assert parse_int(" 1\n", strip=False) == 1
    assert parse_float(" 1\n", strip=False) == 1.0
    with pytest.raises(ValueError):
        parse_int("1\x1c", strip=False)
    with pytest.raises(ValueError):
        parse_float("1\x1c", strip=False)


def test_float_takes_nan() -> None:
    assert math.isnan(parse_float("NaN"))


@pytest.mark.parametrize("body", ["nan", "-inf", "Infinity", "1e999"])
def test_float_refuses_what_json_has_no_number_for(body: str) -> None:
    with pytest.raises(ValueError, match="not a number that JSON has"):
        parse_float(body, finite=True)
    assert parse_float("1.5", finite=True) == 1.5


def test_float_refuses_other_text_without_repeating_all_of_it() -> None:
    with pytest.raises(ValueError, match=r"not a number: 'xxx") as caught:
        parse_float("x" * 10_000)
    assert len(str(caught.value)) < 100


@pytest.mark.parametrize("body", ["true", " TRUE\n", "1", "True"])
def test_bool_true(body: str) -> None:
    assert parse_bool(body) is True


@pytest.mark.parametrize("body", ["false", "", "yes", "0", "1.0", "true."])
def test_bool_everything_else_is_false(body: str) -> None:
    assert parse_bool(body) is False


def test_bool_without_strip_takes_white_space_as_text() -> None:
    assert parse_bool("true", strip=False) is True
    assert parse_bool(" true", strip=False) is False


@pytest.mark.parametrize(
    ("text", "position", "shown"),
    [
        ("short", 2, "'short'"),
        ("", 0, "''"),
        ("a" * 24 + "b" * 24, 24, repr("a" * 24 + "b" * 24)),
        ("a" * 25 + "b" * 25, 25, "..." + repr("a" * 24 + "b" * 24) + "..."),
        ("x" * 100, 0, repr("x" * 24) + "..."),
        ("x" * 100, 100, "..." + repr("x" * 24)),
    ],
)
def test_excerpt_shows_the_text_around_the_position(text: str, position: int, shown: str) -> None:
    assert excerpt(text, position) == shown
