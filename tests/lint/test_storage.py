"""LT8xx: surprises of a model repository, and what the catalogue says of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from compiler.catalogue import Rule
from compiler.cli.lint_storage import storage_problems
from compiler.cli.terminal import Unusable
from compiler.lint.rules import LINT_RULES
from runtime.chat import surprises

RULES = [rule for rule in LINT_RULES.values() if rule.id.startswith("LT8")]
EVERY_RULE = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
CONFIG = json.dumps({"chat_template": "old"})


def repository(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def broken(folder: Path, files: dict[str, str]) -> list[str]:
    problems = storage_problems(repository(folder, files))
    return [problem.diagnostic.rule for problem in problems]


@EVERY_RULE
def test_the_bad_example_breaks_the_rule(rule: Rule, tmp_path: Path) -> None:
    assert rule.id in broken(tmp_path, json.loads(rule.bad))


@EVERY_RULE
def test_the_good_example_breaks_no_rule(rule: Rule, tmp_path: Path) -> None:
    assert broken(tmp_path, json.loads(rule.good)) == []


@EVERY_RULE
def test_examples_are_of_files(rule: Rule) -> None:
    assert (rule.example, rule.severity) == ("files", "warning")


def test_every_warning_of_the_runtime_has_its_rule() -> None:
    listed = {line.split()[0] for line in str(surprises.__doc__).splitlines() if line[:3] == "LT8"}
    assert {rule.id for rule in RULES} == listed
    assert len(listed) == 10


def test_what_is_told(tmp_path: Path) -> None:
    files = {"chat_template.jinja": "new", "tokenizer_config.json": CONFIG}
    (problem,) = storage_problems(repository(tmp_path, files))
    diagnostic = problem.diagnostic
    assert (diagnostic.rule, diagnostic.severity, problem.fix) == ("LT801", "warning", None)
    assert diagnostic.message == "not read, as there are .jinja files; it has: 'default'"
    assert diagnostic.location.file == (tmp_path / "tokenizer_config.json").as_posix()
    assert diagnostic.location.line is None


def test_the_processor_is_told_of_where_there_is_one(tmp_path: Path) -> None:
    files = {"tokenizer_config.json": CONFIG}
    assert broken(tmp_path, files) == []
    assert broken(tmp_path, {"preprocessor_config.json": "{}"}) == ["LT805"]


def test_what_both_loaders_tell_is_told_once(tmp_path: Path) -> None:
    files = {"chat_template.jinja": "\ufeffnew", "processor_config.json": "{}"}
    assert broken(tmp_path, files) == ["LT809"]


def test_what_cannot_be_loaded_is_no_finding(tmp_path: Path) -> None:
    repository(tmp_path, {"tokenizer_config.json": "{"})
    with pytest.raises(Unusable, match=r"tokenizer_config\.json"):
        storage_problems(tmp_path)
