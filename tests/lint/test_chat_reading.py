"""Tokens and trees with exact places."""

from __future__ import annotations

import re

import pytest
from jinja2 import TemplateSyntaxError, nodes

from compiler.lint.chat.reading import NotJinja, parse, read_tokens
from compiler.lint.chat.rendering import environment
from tests.chat.feature_templates import FEATURES
from tests.chat.model_templates import MODELS, chat_source

TEXT = (
    "é {%- if a.b -%}\n  \n{{ c['d'](1) }}\n   {% set e = f|g(h) is i %}\n"
    "\t{#- j\nk #}{% raw %} {{ l }}\n {%- endraw %}\n{{ -m ~ 'n' }}{% endif %} \n\n"
)


@pytest.mark.parametrize("trimmed", [True, False])
def test_tokens_stand_where_they_say(trimmed: bool) -> None:
    position = 0
    for token in read_tokens(TEXT, trimmed):
        assert TEXT[token.start : token.end] == token.text
        assert TEXT[position : token.start].strip() == ""  # the space that a tag has taken
        position = token.end
    assert TEXT[position:] == "\n"


@pytest.mark.parametrize("source", [TEXT, *map(chat_source, MODELS), *FEATURES.values()])
@pytest.mark.parametrize("trimmed", [True, False])
def test_the_tree_is_jinjas_and_so_is_what_is_refused(source: str, trimmed: bool) -> None:
    text = re.sub("\r\n?", "\n", source)
    try:
        expected = environment(trimmed).parse(text)
    except TemplateSyntaxError as error:
        with pytest.raises(NotJinja) as refused:
            parse(text, read_tokens(text, trimmed), trimmed)
        assert error.message and error.message.startswith(str(refused.value))
        assert text.count("\n", 0, refused.value.offset) + 1 == error.lineno
    else:
        assert parse(text, read_tokens(text, trimmed), trimmed) == expected


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        (nodes.Getattr, ".b"),
        (nodes.Getitem, "['d']"),
        (nodes.Call, "(1)"),
        (nodes.Filter, "g(h)"),
        (nodes.Test, "is i"),
        (nodes.Neg, "-m"),
        (nodes.Concat, "-m ~"),
        (nodes.Assign, "set e"),
    ],
)
def test_nodes_know_the_offset_of_a_token(kind: type[nodes.Node], written: str) -> None:
    (node,) = parse(TEXT, read_tokens(TEXT)).find_all(kind)
    assert TEXT.startswith(written, node.lineno)


@pytest.mark.parametrize(
    ("text", "message", "rest"),
    [
        ("a\n  {{ b c }}", "expected token 'end of print statement', got 'c'", "c }}"),
        ("{% if a %}\n{% endfor %}", "Encountered unknown tag 'endfor'.", "endfor %}"),
        ("{{ a ? b }}", "unexpected char '?'", "? b }}"),
        ("{{ (a }}", "unexpected '}', expected ')'", "}}"),
        ("x {# y", "Missing end of comment tag", " y"),
        ("{{ a", "unexpected end of template", "a"),
        ("{{ '\\ud8' }}", "truncated \\uXXXX escape", "'\\ud8' }}"),
        ("{% for a in b %}{{ a", "unexpected end of template", "a"),
        ("{% do a.append(1) %}", "Encountered unknown tag 'do'.", "do a"),
    ],
)
def test_what_is_no_template_is_refused_with_its_place(text: str, message: str, rest: str) -> None:
    with pytest.raises(NotJinja) as refused:
        parse(text, read_tokens(text))
    assert message in str(refused.value)
    assert text[refused.value.offset :].startswith(rest)
