"""Reports are read by people: whole reports, compared letter by letter."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from compiler.diagnostics import Diagnostic, Location, TemplateError, render
from compiler.frontend.load import load
from compiler.frontend.validate import validate

MISSPELT = r"""{
  "start_anchor": "<|im_start|>assistant\n",
  "fields": {
    "thinking": {"open": "<think>", "close": "</think>", "contents_args": {}},
    "calls": {
      "open_pattern": "<tool \"(?P<name>\\w+\">",
      "close": "</tool>",
      "content": "json",
      "content_args": {"allow_nonjson": true},
      "transform": {"name": "tool {name}"}
    }
  }
}
"""

MISSPELT_REPORT = r"""
demo/t.json:4:58: error[RT107] /fields/thinking/contents_args: unknown field key "contents_args"
  4 |     "thinking": {"open": "<think>", "close": "</think>", "contents_args": {}},
    |                                                          ^
  help: did you mean "content_args"?

demo/t.json:6:48: error[RT203] /fields/calls/open_pattern: a group without )
  6 |       "open_pattern": "<tool \"(?P<name>\\w+\">",
    |                                                ^
  help: write \( for a literal parenthesis

demo/t.json:9:24: warning[RT903] /fields/calls/content_args/allow_nonjson: "json" has no argument \
"allow_nonjson"; it is ignored
  9 |       "content_args": {"allow_nonjson": true},
    |                        ^
  help: did you mean "allow_non_json"?

demo/t.json:10:35: error[RT401] /fields/calls/transform/name: "{name}" is mixed with other text
 10 |       "transform": {"name": "tool {name}"}
    |                                   ^
  help: a placeholder is the whole string; text around it is not supported

3 errors, 1 warning
""".replace("\\\n", "")


@pytest.fixture(autouse=True)
def current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def report(target: Any) -> str:
    with pytest.raises(TemplateError) as caught:
        validate(load(target))
    return str(caught.value)


def report_of_file(name: str, text: str) -> str:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8"))
    return report(path)


def test_a_report_of_a_file() -> None:
    assert report_of_file("demo/t.json", MISSPELT) == MISSPELT_REPORT.strip()


def test_a_report_of_a_tokenizer_config_with_windows_line_ends() -> None:
    text = (
        '{\r\n\t"chat_template": "{{ x }}",\r\n'
        '\t"response_template": {"start_anchor": "A", "fields": {"é｜": {"open": ""}}}\r\n}'
    )
    assert report_of_file("model/tokenizer_config.json", text) == """\
model/tokenizer_config.json:3:71: error[RT205] /response_template/fields/é｜/open: a literal \
delimiter cannot be empty
  3 |  "response_template": {"start_anchor": "A", "fields": {"é｜": {"open": ""}}}
    |                                                                        ^

1 error, 0 warnings"""


def test_a_report_of_a_dict() -> None:
    assert report({"fields": {"content": {}}, "start_anchor": None, "version": "1"}) == """\
<template>:5:19: error[RT202] /start_anchor: a literal delimiter is a string or a list of strings, \
not null
  5 |   "start_anchor": null,
    |                   ^

<template>:6:14: error[RT102] /version: version "1" is not known; there is version 1
  6 |   "version": "1"
    |              ^

2 errors, 0 warnings"""


def test_a_report_of_a_missing_file() -> None:
    assert report("models/nope") == """\
models/nope: error[RT001]: no such file or folder

1 error, 0 warnings"""


def test_a_long_line_is_cut_around_the_caret() -> None:
    text = '{"start_anchor": "A", "fields": {"x": {"open": "<x>", "transform": "%s"}}}'
    assert report_of_file("t.json", text % ("y" * 90 + "{a}" + "z" * 90)) == f"""\
t.json:1:159: error[RT401] /fields/x/transform: "{{a}}" is mixed with other text
  1 | ...{"y" * 48}{{a}}{"z" * 45}...
    | {" " * 51}^
  help: a placeholder is the whole string; text around it is not supported

1 error, 0 warnings"""
    assert report_of_file("t.json", text % ("y" * 90 + "{a}.")).splitlines()[1:3] == [
        f'  1 | ...{"y" * 88}{{a}}."}}}}}}',
        f'    | {" " * 91}^',
    ]
    text = '{"opens": 1, "start_anchor": "%s", "fields": {"x": {}}}' % ("A" * 90)
    assert report_of_file("t.json", text).splitlines()[1:3] == [f"  1 | {text[:96]}...", "    |  ^"]


def test_the_caret_stands_under_the_character_among_wide_and_invisible_ones() -> None:
    # Two wide characters, a combining accent, a joiner, a control: 2, 2, 0, 6 and 6 columns.
    value = json.dumps("｜中e\u0301\u200d\x07{a}", ensure_ascii=False)
    text = f'{{"start_anchor": "A", "fields": {{"x": {{"open": "x", "transform": {value}}}}}}}'
    header, line, caret, *_ = report_of_file("t.json", text).splitlines()
    assert header.startswith(f"t.json:1:{text.index('{a}') + 1}: ")
    before = line[: line.index("{a}")]
    assert before.endswith('"｜中e\u0301\\u200d\\u0007')
    columns = len(before) + 2 - 1  # one more for each wide character, one less for the accent
    assert caret == "    |".ljust(columns) + "^"


def test_the_first_character_of_a_string_is_not_its_quote() -> None:
    field = {"open": "<a>", "transform": "{a} b"}
    source = load({"start_anchor": "A", "fields": {"x": field}})
    with pytest.raises(TemplateError) as caught:
        validate(source)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.location == source.locate("/fields/x/transform", 0)
    line, column = diagnostic.location.line_text, diagnostic.location.column
    assert column is not None and line[column - 1 :] == '{a} b"'


def test_letters_outside_ascii_are_shown() -> None:
    assert 'unknown key "日本"' in report({"start_anchor": "A", "fields": {"x": {}}, "日本": 1})


def test_text_that_cannot_be_shown_is_escaped() -> None:
    text = report({"start_anchor": "A", "fields": {"\ud800\n": {"\x1b[31m": 1}}})
    assert text.isascii() and "\x1b" not in text
    text.encode("utf-8")


def test_colours_change_nothing_but_colours() -> None:
    with pytest.raises(TemplateError) as caught:
        validate(load({"fields": {"a": {"opens": 1}}}))
    painted = render(caught.value.diagnostics, color=True)
    assert "\x1b[1;31merror[RT107]\x1b[0m" in painted
    assert "\x1b[36mhelp\x1b[0m" in painted
    for code in ("\x1b[1;31m", "\x1b[36m", "\x1b[0m"):
        painted = painted.replace(code, "")
    assert painted == str(caught.value)


def test_a_diagnostic_as_json() -> None:
    diagnostic = Diagnostic(
        "RT107", "error", "unknown", "/fields/a", None, Location("t.json", 3, 7, "  ...")
    )
    assert diagnostic.as_json() == {
        "rule": "RT107",
        "severity": "error",
        "message": "unknown",
        "pointer": "/fields/a",
        "hint": None,
        "file": "t.json",
        "line": 3,
        "column": 7,
    }


def test_the_error_is_a_value_error_that_can_be_copied_and_pickled() -> None:
    assert issubclass(TemplateError, ValueError)
    with pytest.raises(TemplateError, match="RT105") as caught:
        validate(load({"fields": {}}))
    error = caught.value
    for twin in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert isinstance(twin, TemplateError)
        assert (twin.diagnostics, str(twin)) == (error.diagnostics, str(error))


def test_no_position_is_read_for_a_template_without_mistakes() -> None:
    source = load({"start_anchor": "A", "fields": {"content": {}}})
    validate(source)
    assert "positions" not in vars(source)
