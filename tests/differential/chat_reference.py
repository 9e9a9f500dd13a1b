"""transformers' own rendering of chat templates, and the outcomes that two renderers can share."""

from __future__ import annotations

import logging
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any

from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast
from transformers.utils.chat_template_utils import render_jinja_template

from runtime.chat import ChatTemplate
from runtime.chat.spans import token_mask

logging.getLogger("transformers").setLevel(logging.ERROR)


@dataclass(frozen=True)
class Rendered:
    """A result (a text; with its spans where they were asked for), or the error instead."""

    result: Any = None
    error: str | None = None


def outcome(render: Callable[[], Any]) -> Rendered:
    """What a rendering gives, its error as the name of the class and the message."""
    try:
        return Rendered(result=render())
    except RecursionError:
        return Rendered(error="RecursionError")  # its message tells which call was one too deep
    except Exception as error:
        return Rendered(error=f"{type(error).__name__}: {error}")


@cache
def word_tokenizer() -> Any:
    """A tokenizer of words and runs of other signs, without special tokens."""
    tokenizer = Tokenizer(models.WordLevel({"a": 0}, unk_token="a"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer)


def reference_text(source: str, arguments: dict[str, Any]) -> Rendered:
    """What `apply_chat_template(tokenize=False)` gives; special tokens are among the arguments."""
    arguments = deepcopy(arguments)
    messages = arguments.pop("messages")
    return outcome(
        lambda: word_tokenizer().apply_chat_template(
            messages, chat_template=source, tokenize=False, **arguments
        )
    )


def own_text(source: str, arguments: dict[str, Any]) -> Rendered:
    return outcome(lambda: ChatTemplate(source).render(**deepcopy(arguments)))


def reference_spans(source: str, arguments: dict[str, Any]) -> Rendered:
    """The text and the spans behind transformers' mask of the assistant's tokens."""
    arguments = deepcopy(arguments)
    messages = [
        {key: value for key, value in message.items() if value is not None}
        for message in arguments.pop("messages")
    ]

    def render() -> tuple[str, list[tuple[int, int]]]:
        texts, spans = render_jinja_template(
            [messages], chat_template=source, return_assistant_tokens_mask=True, **arguments
        )
        return texts[0], spans[0]

    return outcome(render)


def own_spans(source: str, arguments: dict[str, Any]) -> Rendered:
    return outcome(lambda: ChatTemplate(source).render_with_spans(**deepcopy(arguments)))


def reference_mask(tokenizer: Any, source: str, arguments: dict[str, Any]) -> list[int]:
    arguments = deepcopy(arguments)
    return tokenizer.apply_chat_template(
        arguments.pop("messages"),
        chat_template=source,
        return_assistant_tokens_mask=True,
        **arguments,
    )["assistant_masks"]


def own_mask(tokenizer: Any, source: str, arguments: dict[str, Any]) -> list[int]:
    text, spans = ChatTemplate(source).render_with_spans(**deepcopy(arguments))
    offsets = tokenizer(text, add_special_tokens=False).encodings[0].offsets
    return token_mask(offsets, spans)
