from __future__ import annotations

import pytest

from runtime.content.first_of import parse_first
from runtime.content.integer import parse_int
from runtime.content.json_text import parse_json
from runtime.content.python_call_list import parse_python_call_list


def test_the_first_that_can_read_it_counts() -> None:
    parsers = (parse_python_call_list, parse_json, parse_int)
    assert parse_first("[f()]", *parsers) == [{"name": "f", "arguments": {}}]
    assert parse_first("[1]", *parsers) == [1]
    assert parse_first("1_0", *parsers) == 10


def test_the_error_has_all_reasons() -> None:
    with pytest.raises(ValueError, match=r"expected '\['.*; not JSON.*; invalid literal"):
        parse_first("x", parse_python_call_list, parse_json, parse_int)


def test_depth_is_a_reason_too() -> None:
    assert parse_first("[" * 200_000, parse_json, len) == 200_000


def test_other_errors_are_not_caught() -> None:
    with pytest.raises(ZeroDivisionError):
        parse_first("x", lambda text: 1 / 0, len)
