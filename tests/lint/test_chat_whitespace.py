"""LT105 and LT210: white space that settings take, and at the end of prompts."""

from __future__ import annotations

import pytest

from compiler.lint.chat.rendering import environment
from tests.lint.chat_problems import mended, places_of, problems_of

FOR, END = "{% for m in messages %}", "{% endfor %}"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a{% if true %}\nb{% endif %}", "1:2"),  # the line break after a tag
        ("a\n  {% if true %}b{% endif %}", "2:3"),  # the spaces before a tag
        ("a\n  {# c #}b", "2:3"),
        ("a{# c #}\nb", "1:2"),
        ("{% if tools is defined %}\n{{ messages[0].role }}{% endif %}", "1:1"),
        ("{% if not true %}\nb{% endif %}\n{% if true %}b{% endif %}", "2:2"),  # not printed above
        ("{% macro f() %}\nb{% endmacro %}{{ f() }}", "1:1"),
        ("{% set x %}\nb{% endset %}{{ x }}", "1:1"),
    ],
)
def test_the_first_tag_whose_white_space_is_printed_is_the_place(text: str, place: str) -> None:
    assert places_of(text, "LT105") == [place]


@pytest.mark.parametrize(
    "text",
    [
        "a{{ 'b' }}\nc",  # nobody takes that line break
        "a\n  {{ 'b' }}",
        "a{%- if true -%}\nb\n{%- endif -%}\n",
        "{% if true %}\n{{- 'b' }}{% endif %}",  # the next tag takes it anyway
        "a{% if not true %}\nb{% endif %}",  # never printed
        "{% set x %}\n{% endset %}{{ x|trim }}",
        "a{% raw %}\n  {% b %}\n{% endraw %}",
    ],
)
def test_what_does_not_depend_on_the_settings(text: str) -> None:
    assert places_of(text, "LT105") == []


def test_how_many_tags_is_said() -> None:
    (problem,) = problems_of("{% if true %}\na\n  {% endif %}\nb{# #}\nc")
    assert problem.diagnostic.message == (
        "without trim_blocks and lstrip_blocks white space is printed around this tag, "
        "and around 2 more"
    )
    assert problem.fix is not None
    assert problem.fix.message == "2 signs where white space is taken"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{% if true %}\nb{% endif %}", "{% if true -%}\nb{% endif %}"),
        ("{% if true %}\n  {% endif %}b", "{% if true %}\n  {%- endif %}b"),
        ("{% if true %}\n{{ 'b' }}{% endif %}", "{% if true %}\n{{- 'b' }}{% endif %}"),
        ("  {% if true %}b{% endif %}", "  {%- if true %}b{% endif %}"),
        ("{# c #}\nb", "{# c -#}\nb"),
        ("b{# c #}\n{# d #}", "b{# c #}\n{#- d #}"),
        ("b{% if true %}\n\t{% endif %}\n", "b{% if true %}\n\t{%- endif %}\n"),
        ("{%+ if true %}\nb{% endif %}", "{%+ if true -%}\nb{% endif %}"),
    ],
)
def test_signs_are_added_where_they_take_the_same(before: str, after: str) -> None:
    assert mended(before, "LT105").file.text == after


@pytest.mark.parametrize(
    "text",
    [
        "{% if true %}\n  b{% endif %}",  # would take the spaces as well
        "{% if true %}\n\n{% endif %}",
        "a\n  {% if true %}b{% endif %}",  # would take the line break as well
        "{% if true %}\n {{ 'b' }}{% endif %}",
        "a {% if true %}\n{{ 'b' }}{% endif %} b{% if true %}\n c{% endif %}",
    ],
)
def test_a_sign_that_takes_more_is_not_added(text: str) -> None:
    (problem,) = problems_of(text)
    linted = mended(text, "LT105")
    assert [each.diagnostic.rule for each in linted.left] == ["LT105"]
    assert environment().parse(linted.file.text) == environment().parse(text)
    assert (problem.fix is None) == (linted.file.text == text)


def test_what_is_mended_is_the_same_text_in_every_environment() -> None:
    text = f"{{% if true %}}\n{FOR}\n<{{{{ m.role }}}}>{END}\n  {{% endif %}}\n{{# c #}}\n"
    mended_text = mended(text, "LT105").file.text
    assert places_of(mended_text, "LT105") == []
    assert environment().parse(mended_text) == environment().parse(text)
    assert environment(trimmed=False).parse(mended_text) == environment().parse(text)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("{{ 'a' }}\n\n", ["1:10"]),
        ("a\n\n\n", ["1:2"]),
        ("{% if true %}a{% endif %}\n\n\n", ["2:1"]),  # the tag takes one
        ("{{ 'a' }}\n", []),
        ("{% if true %}a{% endif %}\n\n", []),
        ("{{ 'a' -}}\n\n\n", []),
        ("{{ 'a' }} \n  ", []),  # no line break of the file's end
        ("{% if true %}a\n\n{% endif %}", []),
    ],
)
def test_line_breaks_at_the_end(text: str, places: list[str]) -> None:
    assert places_of(text, "LT210") == places
