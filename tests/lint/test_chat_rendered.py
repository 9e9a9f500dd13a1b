"""LT104, LT205, LT206: what shows when conversations are rendered."""

from __future__ import annotations

import pytest

from tests.lint.chat_problems import places_of, problems_of

FOR, END = "{% for m in messages %}", "{% endfor %}"


def said(text: str, rule: str) -> list[str]:
    diagnostics = [problem.diagnostic for problem in problems_of(text)]
    return [each.message for each in diagnostics if each.rule == rule]


@pytest.mark.parametrize(
    ("expression", "probe", "kind"),
    [
        ("messages", "a user's message", "a list"),
        ("messages[0]", "a user's message", "a mapping"),
        ("tools", "a user's message", "none"),
        ("tools or ''", "tools", "a list"),
        ("'' ~ (tools or '')", "tools", "a list"),
        ("(tools or '')|string", "tools", "a list"),
        ("(tools or '')|trim|upper", "tools", "a list"),
        ("{'a': (1, 2)}.a", "a user's message", "a list"),
        ("[1]", "a user's message", "a list"),
        ("None", "a user's message", "none"),
        ("add_generation_prompt", "a user's message", "true or false"),
        ("documents[0] if documents", "documents", "a mapping"),
        ("messages[0].content", "content in parts", "a list"),
        ("messages[1].tool_calls[0].function", "a tool call", "a mapping"),
    ],
)
def test_values_that_look_as_python_writes_them(expression: str, probe: str, kind: str) -> None:
    message = f"with {probe}, this prints {kind} as Python writes it"
    assert said(f"{{{{ {expression} }}}}", "LT104") == [message]


@pytest.mark.parametrize(
    "expression",
    [
        "messages|tojson",
        "messages|length",
        "messages[0].role",
        "1.5",
        "2",
        "'a'",
        "nothing",
        "tools if not tools is none and not tools",  # with no conversation
        "messages|map(attribute='role')|join",
        "(tools or [])|tojson|string|trim",
    ],
)
def test_values_that_look_as_jinja_writes_them(expression: str) -> None:
    assert said(f"{{{{ {expression} }}}}", "LT104") == []


def test_the_place_is_the_value() -> None:
    text = "a {{ 'b' }}\n{{- ('c' ~ (messages[0]\n.content)|trim) }}{{ messages [0] }}"
    assert places_of(text, "LT104") == ["2:13", "3:22"]


def test_one_place_is_told_once() -> None:
    text = f"{FOR}{{{{ m }}}}{END}"
    assert len(said(text, "LT104")) == 1


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ("{{ m.role + m.content }}", "1:38"),
        ("{{ m['role']\n + m['content'] }}", "2:6"),
        ("{% set content = m.content %}\n{{ content + 'x' }}", "2:4"),
        ("{{ m.content|tojson }}", "1:29"),
        ("{% if m.content is defined %}a{% else %}{{ raise_exception('b') }}{% endif %}", "1:67"),
    ],
)
def test_a_message_without_content_fails(body: str, place: str) -> None:
    assert places_of(f"{FOR}{body}{END}", "LT205") == [place]


@pytest.mark.parametrize(
    "body",
    [
        "{{ m.role + (m.content or '') }}",
        "{{ m.content }}",  # prints nothing
        "{% if m.content %}{{ m.role + m.content }}{% endif %}",
        "{% if m.role == 'user' %}{{ m.role + m.content }}{% endif %}",
        "{% if m.tool_calls %}{{ raise_exception('no calls') }}{% endif %}",  # nor with content
    ],
)
def test_a_message_without_content_does_not_fail(body: str) -> None:
    assert said(f"{FOR}{body}{END}", "LT205") == []


def test_a_call_in_the_middle_fails() -> None:
    text = f"{FOR}{{% if not loop.last %}}{{{{ m.role + m.content }}}}{{% endif %}}{END}"
    (message,) = said(text, "LT205")
    assert message.startswith("with an answered call without content, this fails: ")


def test_why_it_fails_is_said() -> None:
    text = f"{FOR}{{{{ m.role + m.content }}}}{END}"
    assert said(text, "LT205") == [
        "with a tool call without content, this fails: "
        "UndefinedError: 'dict object' has no attribute 'content'"
    ]


@pytest.mark.parametrize(
    ("text", "place", "why"),
    [
        ("{{ raise_exception('No.') }}", "1:4", "TemplateError: No."),
        ("a\n{% if 'b' in tools %}{% endif %}", "2:4", "TypeError: argument of type 'NoneType' is"),
        ("{{ messages[0].role.x.y }}", "1:4", "UndefinedError: 'str object' has no attribute 'x'"),
    ],
)
def test_a_user_s_message_fails(text: str, place: str, why: str) -> None:
    assert places_of(text, "LT206") == [place]
    (message,) = said(text, "LT206")
    assert message.startswith(f"with a user's message, this fails: {why}")


def test_the_clock_stands() -> None:
    """So that two renderings differ in what is compared only."""
    text = "{{ strftime_now('%f') }}{% if not true %}\nb{% endif %}"
    assert said(text, "LT105") == []
