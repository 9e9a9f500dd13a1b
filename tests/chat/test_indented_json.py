"""Indented JSON is what Python's json module writes, for all plain data."""

from __future__ import annotations

import json
import math
from collections import OrderedDict
from enum import IntEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.chat.indented_json import indented_json

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4)
    | st.lists(inner, max_size=2).map(tuple)
    | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


class Level(IntEnum):
    HIGH = 1


@given(VALUES, st.integers(-1, 5))
def test_as_the_standard_library_writes_it(value: Any, indent: int) -> None:
    assert indented_json(value, indent) == json.dumps(value, ensure_ascii=False, indent=indent)


@pytest.mark.parametrize("value", [[], {}, (), "\ud800\u2028\x7f", math.nan, -math.inf, 10**30])
def test_what_is_seldom_drawn(value: Any) -> None:
    for each in (value, [value], {"a": [value, {"b": value}]}):
        assert indented_json(each, 4) == json.dumps(each, ensure_ascii=False, indent=4)


@pytest.mark.parametrize(
    "value",
    [{1: 2}, {None: 1}, {True: 1}, OrderedDict(a=[1]), Level.HIGH, b"a", {"a"}, range(2), [...]],
    ids=str,
)
def test_what_is_not_plain_is_refused(value: Any) -> None:
    with pytest.raises(TypeError):
        indented_json(value, 2)
