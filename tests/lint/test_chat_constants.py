"""LT103: True, False and None, which are true, false and none."""

from __future__ import annotations

import pytest

from tests.lint.chat_problems import mended, places_of, problems_of


@pytest.mark.parametrize(
    ("before", "after", "places"),
    [
        ("{{ 'a' if True }}", "{{ 'a' if true }}", ["1:11"]),
        ("{% if x == False or\n  y != None %}{% endif %}", None, ["1:12", "2:8"]),
        ("{% set x = {'True': True} %}", "{% set x = {'True': true} %}", ["1:21"]),
        ("{{ f(None, b=None)|d(False, True) }}", "{{ f(none, b=none)|d(false, true) }}", None),
        ("{{ 1 if x is sameas True }}", "{{ 1 if x is sameas true }}", ["1:21"]),
        ("{% set x = [True,False] %}", "{% set x = [true,false] %}", ["1:13", "1:18"]),
        ("True{{ 'é\U0001f600' if None }}None", "True{{ 'é\U0001f600' if none }}None", ["1:16"]),
        ("{{- 'a' if -None -}}", "{{- 'a' if -none -}}", ["1:13"]),
    ],
)
def test_constants_are_written_in_lower_case(
    before: str, after: str | None, places: list[str] | None
) -> None:
    if places:
        assert places_of(before, "LT103") == places
    if after:
        assert mended(before, "LT103").file.text == after


@pytest.mark.parametrize(
    "text",
    [
        "{{ 'True' }} True {# None #}{% raw %}{{ None }}{% endraw %}",
        "{{ x.True }}{{ x . None }}{{ x['False'] }}",
        "{% if x is True %}{% endif %}{% if x is not None %}{% endif %}",  # tests, see LT202
        "{{ f(True=1) }}",
        "{{ true }}{{ false }}{{ none }}{{ TRUE }}{{ Truely }}",
    ],
)
def test_what_is_no_constant(text: str) -> None:
    assert places_of(text, "LT103") == []


def test_what_is_said() -> None:
    found = [each for each in problems_of("{{ 'a' if None }}") if each.diagnostic.rule == "LT103"]
    assert [each.diagnostic.message for each in found] == ["None is Python's spelling"]
    assert [each.diagnostic.hint for each in found] == ["write none"]
    assert [each.fix.message for each in found if each.fix] == ["None -> none"]
