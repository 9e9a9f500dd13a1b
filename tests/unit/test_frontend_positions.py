"""Every value and key of a JSON text is found where it is written."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.frontend.json_positions import child_pointer, offset_in_string, read_positions

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


def every_value(value: Any, pointer: str = "") -> dict[str, Any]:
    found = {pointer: value}
    if isinstance(value, dict):
        for key, item in value.items():
            found |= every_value(item, child_pointer(pointer, key))
    if isinstance(value, list):
        for i, item in enumerate(value):
            found |= every_value(item, child_pointer(pointer, i))
    return found


@given(VALUES, st.sampled_from([None, 0, 2, "\t"]), st.booleans())
@settings(deadline=None, max_examples=200)
def test_each_pointer_leads_to_its_value(value: Any, indent: int | str | None, ascii: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii)
    positions = read_positions(text)
    expected = every_value(value)
    assert positions.values.keys() == expected.keys()
    decode = json.JSONDecoder().raw_decode
    for pointer, start in positions.values.items():
        assert repr(decode(text, start)[0]) == repr(expected[pointer])  # repr: nan equals nan
    for pointer, start in positions.keys.items():
        parent, _, _ = pointer.rpartition("/")
        assert child_pointer(parent, decode(text, start)[0]) == pointer


@given(st.text(), st.booleans())
@settings(deadline=None, max_examples=300)
def test_an_offset_in_a_string_is_found_in_its_escaped_text(text: str, ascii: bool) -> None:
    literal = json.dumps(text, ensure_ascii=ascii)
    starts = [offset_in_string(literal, 0, i) for i in range(len(text) + 1)]
    assert starts[-1] == len(literal) - 1
    pieces = [literal[a:b] for a, b in itertools.pairwise(starts)]
    assert [json.loads(f'"{piece}"') for piece in pieces] == list(text)


@pytest.mark.parametrize(
    ("literal", "starts"),
    [
        (r'"a\\b"', [1, 2, 4, 5]),
        (r'"\"\/x"', [1, 3, 5, 6]),
        (r'"\u00e9\ud83d\ude00!"', [1, 7, 19, 20]),
        (r'"\ud83dx"', [1, 7, 8]),
        ('"😀|"', [1, 2, 3]),
    ],
)
def test_escapes_count_as_one_character(literal: str, starts: list[int]) -> None:
    assert [offset_in_string(literal, 0, i) for i in range(len(starts))] == starts


def test_the_last_of_repeated_keys_is_the_one_that_counts() -> None:
    text = '{"a": {"x": 1, "y": 2}, "b": 0, "a": 4, "a": {"x": 3}}'
    positions = read_positions(text)
    assert sorted(positions.values) == ["", "/a", "/a/x", "/b"]
    assert text[positions.values["/a/x"]] == "3"
    assert positions.keys["/a"] == text.rindex('"a"')
    assert positions.repeated == {"/a": text.index('"a"')}


def test_pointers_escape_slash_and_tilde() -> None:
    assert list(read_positions('{"a/b": {"~": 1}}').values) == ["", "/a~1b", "/a~1b/~0"]


def test_all_that_json_loads_accepts_is_read() -> None:
    text = ' [NaN, -Infinity, Infinity, 1E+5, -0.5e-3, "\x7f\\u0000", {}, [ ], {"": []}]\r\n'
    assert len(read_positions(text).values) == len(every_value(json.loads(text)))


def test_deep_nesting_is_read_without_recursion() -> None:
    depth = 5_000
    assert len(read_positions("[" * depth + "]" * depth).values) == depth
