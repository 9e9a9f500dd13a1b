"""The catalogue is true: a rule is broken by its bad example, and its good one is the cure."""

from __future__ import annotations

from collections import Counter

import pytest

from compiler.catalogue import Rule
from compiler.lint.rules import LINT_RULES
from tests.lint.linting import found, spec_of

RULES = [rule for rule in LINT_RULES.values() if rule.id.startswith(("LT5", "LT6"))]
EVERY_RULE = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)


def broken(rule: Rule, example: str) -> Counter[str]:
    spec, chat = spec_of(example, rule.example)
    return Counter(diagnostic.rule for diagnostic in found(spec, chat=chat))


def test_there_are_rules() -> None:
    assert len(RULES) == 25


@EVERY_RULE
def test_the_bad_example_breaks_the_rule(rule: Rule) -> None:
    assert broken(rule, rule.bad)[rule.id]


@EVERY_RULE
def test_the_good_example_does_not(rule: Rule) -> None:
    assert not broken(rule, rule.good)[rule.id]


@EVERY_RULE
def test_it_warns(rule: Rule) -> None:
    assert rule.severity == "warning"
