"""The report on each model under grammars/, as people read it.

`UPDATE_GOLDEN=1 make test ARGS=tests/lint/test_response_models.py` rewrites the reports; read the
diff: a finding that is new must be true.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from compiler.diagnostics import render
from compiler.lint.folder import ModelFolder
from compiler.lint.response.checks import response_problems

ROOT = Path(__file__).parents[2]
REPORTS = Path(__file__).parent / "reports"
TEMPLATES = sorted(Path(ROOT, "grammars").glob("*/response_template.json"))
IN_BLOCKS = {"gpt_oss", "inkling"}  # all text of these formats stands in blocks


def folder_of(template: Path) -> ModelFolder:
    chat = template.with_name("chat_template.jinja")
    return ModelFolder(chat.read_text("utf-8") if chat.exists() else None)


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.parent.name)
def test_the_report_on_a_model(template: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    problems = response_problems(template, folder_of(template))
    text = render([problem.diagnostic for problem in problems]) + "\n"
    report = REPORTS / f"{template.parent.name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        report.parent.mkdir(exist_ok=True)
        report.write_text(text, "utf-8")
    assert report.read_text("utf-8") == text, f"{report.name} is stale: see the module docstring"


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.parent.name)
def test_our_templates_do_what_they_seem_to(template: Path) -> None:
    problems = response_problems(template, folder_of(template))
    rules = {problem.diagnostic.rule for problem in problems}
    broken = {rule for rule in rules if not rule.startswith("LT5")}
    assert broken == ({"LT604"} if template.parent.name in IN_BLOCKS else set())


def test_there_are_models() -> None:
    assert len(TEMPLATES) >= 10
