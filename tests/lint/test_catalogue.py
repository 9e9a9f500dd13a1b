"""The catalogue of lint rules as a whole."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import compiler.lint
import runtime.chat.surprises
from compiler.catalogue import Rule, explain, find_rule
from compiler.lint.rules import LINT_RULES

EVERY_RULE = pytest.mark.parametrize("rule", LINT_RULES.values(), ids=LINT_RULES.keys())


@EVERY_RULE
def test_the_texts_are_short_and_whole(rule: Rule) -> None:
    assert re.fullmatch(r"LT\d{3}", rule.id)
    assert not rule.title.endswith(".")
    assert all(text.strip().endswith(".") for text in (rule.text, rule.fix or "."))
    assert all(len(line) <= 100 for text in (rule.text, rule.fix) for line in text.splitlines())
    assert rule.source and rule.bad != rule.good


def test_every_rule_the_code_names_is_in_the_catalogue_and_the_reverse() -> None:
    folder = Path(compiler.lint.__path__[0])
    files = [*folder.rglob("*.py"), Path(runtime.chat.surprises.__file__)]
    named = {id for file in files for id in re.findall(r'"(LT\d{3})"', file.read_text("utf-8"))}
    assert named == set(LINT_RULES)


def test_the_rules_are_in_order() -> None:
    assert list(LINT_RULES) == sorted(LINT_RULES)


def test_rules_are_explained_as_text() -> None:
    assert explain(find_rule("lt103", LINT_RULES)) == """\
LT103 (warning): Constants are in lower case

Jinja's constants are true, false and none. jinja2 also takes Python's spelling, True, False and
None; for other engines these may be names of variables that nobody has set.

Wrong:
    {% if add_generation_prompt == True %}A:{% endif %}

Right:
    {% if add_generation_prompt == true %}A:{% endif %}

Fix: The constant is written in lower case. Strings, attributes and argument names are left alone.

Source: transformers, writing a chat template
"""


def in_markdown(rule: Rule) -> str:
    """A rule as docs/lint.md explains it."""
    fix = f"\n\nFix: {rule.fix.strip()}" if rule.fix else ""
    text = re.sub(r"([\\<>*|])", r"\\\1", rule.text.strip() + fix)
    return f"### {rule.id} ({rule.severity}): {rule.title}\n\n{text}\n"


def test_the_documentation_explains_every_rule() -> None:
    page = (Path(__file__).parents[2] / "docs" / "lint.md").read_text("utf-8")
    _, _, section = page.partition("\n## All rules\n\n")
    expected = "\n".join(in_markdown(rule) for rule in LINT_RULES.values())
    assert section == expected, f"this belongs into docs/lint.md:\n{expected}"
