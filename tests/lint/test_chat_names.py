"""LT001, LT106, LT107, LT201, LT202, LT207, LT208, LT209: what the environment has and lacks."""

from __future__ import annotations

import pytest

from tests.lint.chat_problems import places_of, problems_of, rules_of


@pytest.mark.parametrize(
    ("text", "rule", "place"),
    [
        ("a\n{{ b c }}", "LT001", "2:6"),
        ("{% for m in messages %}\n  {%- break %}{% endfor %}", "LT106", "2:7"),
        ("{% for m in messages %}{% continue %}{% endfor %}", "LT106", "1:27"),
        ("{%- generation -%}a{% endgeneration %}", "LT107", "1:5"),
        ("{% if b %}{{ a\n|c.d }}{% endif %}", "LT201", "2:2"),
        ("{% if b %}{% filter c %}{% endfilter %}{% endif %}", "LT201", "1:21"),
        ("{% set x | c %}{% endset %}", "LT201", "1:12"),
        ("{% if b %}{% if a is  not c %}{% endif %}{% endif %}", "LT202", "1:27"),
        ("{% if b %}{% if a is True %}{% endif %}{% endif %}", "LT202", "1:22"),
        ("{% set x %}a{% generation %}b{% endgeneration %}{% endset %}", "LT207", "1:16"),
        ("{% filter trim %}{% generation %}b{% endgeneration %}{% endfilter %}", "LT207", "1:21"),
        ("{% if b %}{% set n._x = 1 %}{% endif %}", "LT208", "1:18"),
        ("{% if b %}{% set n = namespace(a=1, _b=2) %}{% endif %}", "LT208", "1:37"),
        ("{% if b %}{% include 'c' %}{% endif %}", "LT209", "1:14"),
        ("{% if b %}{% from 'c' import d %}{% endif %}", "LT209", "1:14"),
        ("{% if b %}{% extends 'c' %}{% endif %}", "LT209", "1:14"),
    ],
)
def test_the_name_is_the_place(text: str, rule: str, place: str) -> None:
    assert places_of(text, rule) == [place]


@pytest.mark.parametrize(
    "text",
    [
        "{{ 'break' }}{# {% break %} #}{% raw %}{% break %}{% endraw %}",
        "{{ messages|map(attribute='role')|join|trim|d('a') }}",
        "{{ 'a' if messages is sequence and messages is not string }}",
        "{% set ns = namespace(a_b=1) %}{% set ns.a_b = 2 %}",
        "{% set generation = 'a' %}{{ generation }}",
        "{% macro m() %}{{ caller() }}{% endmacro %}"
        "{% set x %}{% call m() %}a{% endcall %}{% endset %}",
    ],
)
def test_what_is_right(text: str) -> None:
    assert rules_of(text) == []


def test_a_template_that_is_none_has_one_problem() -> None:
    (problem,) = problems_of("{% if True %}{{ a.strip() }}")
    assert problem.diagnostic.rule == "LT001"
    assert problem.diagnostic.message.startswith(
        "this is not Jinja: Unexpected end of template. Jinja was"
    )


def test_a_filter_that_there_is_not_ends_the_rendering_but_not_the_checks() -> None:
    assert rules_of("{{ True|nope }}") == ["LT103", "LT201"]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("dictitems", "the filter is items"),
        ("from_json", "no filter reads JSON: arguments of tool calls come as mappings"),
        ("lenght", 'did you mean "length"?'),
        ("xyz", None),
    ],
)
def test_what_is_said_of_a_filter(name: str, hint: str | None) -> None:
    (problem,) = problems_of(f"{{{{ messages|{name} }}}}")
    assert problem.diagnostic.message == f'no filter is named "{name}"'
    assert problem.diagnostic.hint == hint


def test_what_is_said_of_a_test() -> None:
    (problem,) = problems_of("{% if b %}{% if messages is None %}a{% endif %}{% endif %}")
    assert problem.diagnostic.message == 'no test is named "None"'
    assert problem.diagnostic.hint == 'did you mean "none"?'
