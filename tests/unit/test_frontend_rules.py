"""The catalogue is true: each rule is raised by its bad example and by nothing in its good one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from compiler import frontend
from compiler.catalogue import Rule, explain, find_rule
from compiler.diagnostics import TemplateError
from compiler.frontend.load import load
from compiler.frontend.rules import RULES
from compiler.frontend.validate import validate

EVERY_RULE = pytest.mark.parametrize("rule", RULES.values(), ids=RULES.keys())


@pytest.fixture(autouse=True)
def current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("response_template.json").write_text('{"start_anchor": "A", "fields": {"content": {}}}')


def target(rule: Rule, example: str) -> Any:
    """What to load for an example of the rule's kind."""
    if rule.example == "path":
        return example
    if rule.example == "config":
        Path("tokenizer_config.json").write_text(example)
        return "tokenizer_config.json"
    if rule.example == "file":
        Path("response_template.json").write_text(example)
        return "response_template.json"
    if rule.example == "python":
        template = {"start_anchor": "A", "defaults": {}, "fields": {"content": {}}}
        exec(example, {"template": template})
        return template
    spec = json.loads(example)
    if rule.example == "dialect field":
        return {"dialect": "extended-1", "start_anchor": "A", "fields": {"x": spec}}
    return {"start_anchor": "A", "fields": {"x": spec}} if rule.example == "field" else spec


def broken(target: Any) -> list[tuple[str, str]]:
    try:
        diagnostics = validate(load(target)).warnings
    except TemplateError as error:
        diagnostics = error.diagnostics
    return [(diagnostic.rule, diagnostic.severity) for diagnostic in diagnostics]


@EVERY_RULE
def test_the_bad_example_breaks_this_rule_alone(rule: Rule) -> None:
    assert broken(target(rule, rule.bad)) == [(rule.id, rule.severity)]


@EVERY_RULE
def test_the_good_example_breaks_no_rule(rule: Rule) -> None:
    assert broken(target(rule, rule.good)) == []


@EVERY_RULE
def test_the_texts_are_short_and_whole(rule: Rule) -> None:
    assert re.fullmatch(r"RT\d{3}", rule.id)
    assert not rule.title.endswith(".")
    assert rule.text.strip().endswith(".")
    for text in (rule.title, rule.text, rule.bad, rule.good):
        assert all(len(line) <= 100 for line in text.splitlines())


def test_every_rule_the_code_names_is_in_the_catalogue_and_the_reverse() -> None:
    files = Path(frontend.__path__[0]).rglob("*.py")
    named = {id for file in files for id in re.findall(r'"(RT\d{3})"', file.read_text("utf-8"))}
    assert named == set(RULES)


def test_rules_are_explained_as_text() -> None:
    assert explain(find_rule("rt110", RULES)) == """\
RT110 (error): Only a repeated field is joined

"join" says how the values of several regions become one string, so the field must have
"repeats": true.

Wrong (a field):
    {"open": "<a>", "close": "</a>", "join": "\\n"}

Right (a field):
    {"open": "<a>", "close": "</a>", "repeats": true, "join": "\\n"}

Source: v1, field reference
"""
    assert all(rule.title in explain(rule) for rule in RULES.values())


def test_an_unknown_rule_names_the_nearest() -> None:
    with pytest.raises(LookupError, match=r'there is no rule "RT4011"; did you mean "RT401"\?'):
        find_rule("RT4011", RULES)
