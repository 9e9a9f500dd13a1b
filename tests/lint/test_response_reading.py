"""Response templates where they lie: in their file, in a config, and where they are refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from compiler.diagnostics import render
from compiler.lint.response.checks import response_problems
from tests.lint.linting import THINKING, found, places, template

REPORT = """\
tokenizer_config.json:4:14: warning[LT501] /response_template/fields/reasoning_content: the name \
"reasoning_content" is refused by vLLM 0.33 (Python frontend) and SGLang 0.5.23
  4 |   "fields": {"reasoning_content": {"open": "<t>"}, "content": {"repeats": true}}
    |              ^
  help: every engine takes "thinking"; messages then have that key

0 errors, 1 warning"""


def test_a_template_in_a_config(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    text = """{"chat_template": "-",
 "response_template": {
  "start_anchor": "A",
  "fields": {"reasoning_content": {"open": "<t>"}, "content": {"repeats": true}}
 }}"""
    Path("tokenizer_config.json").write_text(text, "utf-8")
    problems = response_problems(Path("tokenizer_config.json"))
    assert render([problem.diagnostic for problem in problems]) == REPORT


def test_a_template_that_is_refused_gets_the_reasons_alone(tmp_path: Path) -> None:
    spec = {**template(reasoning_content=THINKING), "version": 2}
    assert places(spec) == [("RT102", "/version")]
    path = tmp_path / "response_template.json"
    path.write_text(json.dumps(spec), "utf-8")
    assert places(path) == [("RT102", "/version")]
    assert places(tmp_path / "missing.json") == [("RT001", "")]


def test_warnings_of_the_frontend_are_told_too() -> None:
    """All in the order of the file."""
    spec = {**template(reasoning_content=THINKING), "version": True}
    assert [finding.rule for finding in found(spec)] == ["LT501", "RT902"]
