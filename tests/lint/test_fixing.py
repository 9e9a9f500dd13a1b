"""Which rules are asked for, and fixes one after another."""

from __future__ import annotations

import pytest

from compiler.diagnostics import Diagnostic, Location
from compiler.lint.fixing import apply_edits
from compiler.lint.problems import Edit, Problem
from compiler.lint.selection import Selection, read_prefixes
from tests.lint.chat_problems import mended

TEXT = "{% if True %}\n{{ ('a' ~ x).strip().lower() }}{{ x.strip() }}{% endif %}"


def problem(rule: str) -> Problem:
    return Problem(Diagnostic(rule, "warning", "", "", None, Location("t")))


@pytest.mark.parametrize(
    ("select", "ignore", "expected"),
    [
        ([], [], "RT203 LT001 LT101 LT103 LT203 LT501"),
        (["LT1"], [], "RT203 LT001 LT101 LT103"),
        (["LT101", "lt2"], [], "RT203 LT001 LT101 LT203"),
        (["LT101,LT5"], [], "RT203 LT001 LT101 LT501"),
        ([], ["LT1, LT5"], "RT203 LT001 LT203"),
        (["LT1"], ["LT103"], "RT203 LT001 LT101"),
        (["LT2"], ["LT0", "LT2"], "RT203 LT001"),
    ],
)
def test_rules_are_selected_by_the_start_of_their_ids(
    select: list[str], ignore: list[str], expected: str
) -> None:
    selection = Selection(read_prefixes(select), read_prefixes(ignore))
    found = map(problem, ["RT203", "LT001", "LT101", "LT103", "LT203", "LT501"])
    assert [each.diagnostic.rule for each in selection.of(found)] == expected.split()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("LT1011", 'no rule of the linter starts with "LT1011"; did you mean "LT101"?'),
        ("RT203", 'no rule of the linter starts with "RT203"; did you mean "LT203"?'),
        ("x", 'no rule of the linter starts with "X"; "chatc rule" lists them'),
        ("LT1,", 'no rule of the linter starts with ""; "chatc rule" lists them'),
    ],
)
def test_an_unknown_rule_is_told(text: str, message: str) -> None:
    with pytest.raises(LookupError) as refused:
        read_prefixes([text])
    assert refused.value.args == (message,)


def test_edits_are_made_from_left_to_right() -> None:
    edits = [Edit(4, 6, "X"), Edit(0, 1, ""), Edit(2, 2, "Y"), Edit(2, 3, "Z")]
    assert apply_edits("abcdefg", edits) == "bYZdXg"
    assert apply_edits("abc", []) == "abc"


def test_all_that_can_be_fixed_is_fixed() -> None:
    linted = mended(TEXT)
    assert linted.file.text == (
        "{% if true %}\n{{ ('a' ~ x)|trim|lower }}{{ x.strip() }}{% endif %}"
    )
    assert [each.diagnostic.rule for each in linted.fixed].count("LT101") == 2
    assert "LT103" not in {each.diagnostic.rule for each in linted.left}
    again = mended(linted.file.text)
    assert (again.file.text, again.fixed) == (linted.file.text, ())


def test_only_what_is_selected_is_fixed() -> None:
    assert mended(TEXT, "LT103").file.text == TEXT.replace("True", "true")
    assert mended(TEXT, "LT2").file.text == TEXT


def test_fixes_that_touch_wait_for_the_next_round() -> None:
    linted = mended("{% set a = ('b' ~ c).strip().lower().upper() %}")
    assert linted.file.text == "{% set a = ('b' ~ c)|trim|lower|upper %}"
    assert [problem.fix.message for problem in linted.fixed if problem.fix] == [
        ".upper() -> |upper",
        ".lower() -> |lower",
        ".strip() -> |trim",
    ]
