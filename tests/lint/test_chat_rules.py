"""The catalogue is true: each rule is raised by its bad example and by nothing in its good one."""

from __future__ import annotations

import pytest

from compiler.catalogue import Rule
from compiler.lint.rules import LINT_RULES
from tests.lint.chat_problems import rules_of

CHAT_RULES = [rule for rule in LINT_RULES.values() if rule.example == "chat"]
EVERY_RULE = pytest.mark.parametrize("rule", CHAT_RULES, ids=lambda rule: rule.id)

# An example of these is an example of another one as well: there is no plainer one.
ALSO = {"LT207": {"LT107"}}


@EVERY_RULE
def test_the_bad_example_breaks_this_rule_alone(rule: Rule) -> None:
    assert set(rules_of(rule.bad)) == {rule.id} | ALSO.get(rule.id, set())


@EVERY_RULE
def test_the_good_example_breaks_no_rule(rule: Rule) -> None:
    assert set(rules_of(rule.good)) == ALSO.get(rule.id, set())
