"""The environment: that jinja2 is asked for when it is needed, and what it must not offer."""

from __future__ import annotations

import sys

import jinja2
import pytest

from runtime.chat import ChatTemplate
from runtime.chat.environment import chat_environment, compile_source, load_code, render_template

HELLO = [{"role": "user", "content": "Hello"}]


@pytest.fixture
def fresh() -> object:
    """No environment from earlier tests, and none for later ones."""
    chat_environment.cache_clear()
    yield
    chat_environment.cache_clear()


def render(source: str, **variables: object) -> str:
    return ChatTemplate(source).render(HELLO, **variables)


@pytest.mark.usefixtures("fresh")
def test_without_jinja2_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(ImportError, match=r"pip install 'chatc\[compiler\]'"):
        render("never compiled before")


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("version", ["3.1.5", "2.11", "3.0.6rc1"])
def test_a_jinja2_with_holes_is_refused(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    monkeypatch.setattr(jinja2, "__version__", version)
    with pytest.raises(ImportError, match=f"installed version is {version}"):
        render("neither compiled before")


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("version", ["3.1.6", "3.2.0.dev1", "4.0"])
def test_a_newer_jinja2_is_taken(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    monkeypatch.setattr(jinja2, "__version__", version)
    assert chat_environment() is chat_environment()


def test_code_is_loaded_as_it_was_compiled() -> None:
    template = load_code(compile_source("{{ messages|tojson }}{{ namespace(a=1).a }}"))
    assert render_template(template, {"messages": ["ß"]}) == '["ß"]1'


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("a\n  {% if true %}\n  b\n  {% endif %}\n", "a\n  b\n"),  # blocks take their line along
        ("a\r\nb\rc\n", "a\nb\nc"),
        ("{{ {'ü': '<&>'}|tojson }}", '{"ü": "<&>"}'),
        ("{{ {'b': 1, 'a': 'ü'}|tojson(true, 1, ('; ', ' = '), true) }}", None),
        ("{{ dict(a=1) }}{{ dict.fromkeys(['b']) }}", "{'a': 1}{'b': None}"),
        ("{% set n = namespace(self=1) %}{% set n.x = 2 %}{{ n.self + n.x }}", "3"),
        ("{{ ''.__class__ }}{{ raise_exception.__globals__ }}{{ namespace.mro }}", ""),
        (
            "{% for x in [1, 2, 3] %}{% if x == 2 %}{% continue %}{% endif %}{{ x }}{% endfor %}",
            "13",
        ),
        ("{{ tools is none and documents is none and not add_generation_prompt }}", "True"),
        ("{{ '{0.__class__}'.format(1) }}|{{ ('{0.__class__}'|attr('format'))(1) }}", "|"),
    ],
)
def test_what_templates_may_write(source: str, text: str | None) -> None:
    if text is None:
        text = '{\n "a" = "\\u00fc"; \n "b" = 1\n}'
    assert render(source) == text


@pytest.mark.parametrize(
    ("source", "error"),
    [
        ("{{ messages.append(1) }}", "access to attribute 'append' of 'list' object is unsafe."),
        ("{{ {}.update(a=1) }}", "access to attribute 'update' of 'dict' object is unsafe."),
        ("{{ ''.__class__() }}", "access to attribute '__class__' of 'str' object is unsafe."),
        (
            "{% set n = namespace() %}{% set n._x = 1 %}",
            "Chat templates cannot store underscore-prefixed attributes on a namespace, "
            "but got '_x'. Please rename the attribute.",
        ),
        (
            "{{ namespace(__class__=1) }}",
            "Chat templates cannot store underscore-prefixed attributes on a namespace, "
            "but got '__class__'. Please rename the attribute.",
        ),
        (
            "{{ range(100001) }}",
            "Range too big. The sandbox blocks ranges larger than MAX_RANGE (100000).",
        ),
        ("{% include 'x' %}", "no loader for this environment specified"),
        ("{{ 1|from_json }}", "No filter named 'from_json'."),
        ("{{ missing|tojson }}", "Object of type Undefined is not JSON serializable"),
        (
            "{{ dict.from_keys([]) }}",
            "'transformers.utils.chat_template_utils.TemplateDict object' "
            "has no attribute 'from_keys'",
        ),
        (
            "{{ raise_exception() }}",
            "_cached_compile_jinja_template.<locals>.raise_exception() "
            "missing 1 required positional argument: 'message'",
        ),
        ("{{ raise_exception('No, ' ~ messages[0].role) }}", "No, user"),
    ],
)
def test_what_templates_are_refused(source: str, error: str) -> None:
    with pytest.raises(Exception) as raised:
        render(source)
    assert str(raised.value) == error


def test_an_escaped_object_gives_nothing_away() -> None:
    """What a template can print of its globals names no file and no module of chatc."""
    printed = render("{{ raise_exception }}{{ strftime_now }}{{ dict }}{{ namespace }}")
    assert "runtime" not in printed
