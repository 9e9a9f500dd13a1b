"""One key of a JSON file is set; every other byte stays."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.exporters.config_edit import ConfigError, set_member

KEY = "response_template"
VALUE = {"fields": {"content": {}}, "start_anchor": "<a>"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            '{\n  "b": 1,\n  "a": [1,2]\n}\n',
            '{\n  "b": 1,\n  "a": [1,2],\n'
            '  "response_template": {\n    "k": [\n      1\n    ]\n  }\n}\n',
        ),
        (
            '{\r\n\t"b": "\\u00e9"\r\n}',
            '{\r\n\t"b": "\\u00e9",\r\n'
            '\t"response_template": {\r\n\t\t"k": [\r\n\t\t\t1\r\n\t\t]\r\n\t}\r\n}',
        ),
        ('{"b":1,"a":2}', '{"b":1,"a":2,"response_template":{"k":[1]}}'),
        ('{"b":1}', '{"b":1,"response_template":{"k":[1]}}'),
        ('{"b": 1}\n\n', '{"b": 1, "response_template": {"k": [1]}}\n\n'),
        ('{ "b" : 1 , "a" : 2 }', '{ "b" : 1 , "a" : 2 , "response_template" : {"k" : [1]} }'),
        ("{}\n", '{\n  "response_template": {\n    "k": [\n      1\n    ]\n  }\n}\n'),
        (
            '{"response_template": null, "z": {"response_template": 1}}',
            '{"response_template": {"k": [1]}, "z": {"response_template": 1}}',
        ),
        ('\ufeff{"b": 1}', '\ufeff{"b": 1, "response_template": {"k": [1]}}'),
        (
            '{"response\\u005ftemplate" :  "old","b":[ ] }',
            '{"response\\u005ftemplate" :  {"k" :  [1]},"b":[ ] }',
        ),
    ],
)
def test_examples(before: str, after: str) -> None:
    assert set_member(before, KEY, {"k": [1]}) == after


def test_the_same_value_leaves_the_text_alone() -> None:
    text = '{"a": 1,\n "response_template":{"k"  :[1 ]}}'
    assert set_member(text, KEY, {"k": [1]}) == text


def test_another_order_of_keys_is_another_template() -> None:
    text = '{"response_template": {"a": 1, "b": 2}}'
    assert set_member(text, KEY, {"b": 2, "a": 1}) == '{"response_template": {"b": 2, "a": 1}}'


def test_a_file_in_ascii_stays_in_ascii() -> None:
    assert set_member('{"a": 1}', KEY, "｜") == '{"a": 1, "response_template": "\\uff5c"}'
    assert set_member('{"a": "｜"}', KEY, "｜") == '{"a": "｜", "response_template": "｜"}'
    assert "\\ud800" in set_member('{"a": "｜"}', KEY, "\ud800")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"response_template": 1, "response_template": 2}', "given 2 times"),
        ("[]", "not a JSON object"),
        ('{"a": 1,}', "not JSON"),
        ("{'a': 1}", "line 1, column 2"),
        ("", "not JSON"),
        ("[" * 100_000, "not JSON that Python reads"),
    ],
)
def test_what_cannot_be_edited_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        set_member(text, KEY, VALUE)


SCALARS = st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False)
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8
)


@settings(deadline=None, max_examples=100)
@given(
    config=st.dictionaries(st.text() | st.just(KEY), JSON),
    value=JSON,
    indent=st.sampled_from([None, 0, 1, 2, 4, "\t"]),
    separators=st.sampled_from([None, (",", ":"), (" ,  ", " : ")]),
    ascii_only=st.booleans(),
    newline=st.sampled_from(["\n", "\r\n"]),
    around=st.sampled_from([("", ""), (" \n", "\n\n"), ("\ufeff", "")]),
)
def test_only_the_value_of_the_key_changes(
    config: dict[str, Any],
    value: Any,
    indent: Any,
    separators: Any,
    ascii_only: bool,
    newline: str,
    around: tuple[str, str],
) -> None:
    text = json.dumps(config, indent=indent, separators=separators, ensure_ascii=ascii_only)
    text = around[0] + text.replace("\n", newline) + around[1]
    edited = set_member(text, KEY, value)
    assert list(json.loads(edited.removeprefix("\ufeff")).items()) == list(
        (config | {KEY: value}).items()
    )
    assert edited.isascii() or not text.isascii()
    assert set_member(edited, KEY, value) == edited
    if KEY in config:
        before, _, after = set_member(text, KEY, "mark!").partition('"mark!"')
        assert edited.startswith(before)
        assert edited.endswith(after)
    elif config:
        body = text[: text.rindex("}")].rstrip(" \t\r\n")
        assert edited.startswith(body)
        assert edited.endswith(text[len(body) :])
