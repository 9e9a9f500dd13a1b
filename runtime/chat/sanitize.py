"""Keeps control tokens that callers' texts contain from acting as control tokens.

Every control token in what a caller passes is put between two marks; the rendered text is cut at
the marks. What stood between them is to be encoded as plain text, all else as usual: the tokens
that the template itself writes have no marks. Rules of transformers 5.24.0,
`sanitize_control_tokens`; here the schemas of functions and values of any kind are marked as well.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from runtime.chat.inputs import (
    conversation_messages,
    plain_data,
    plain_documents,
    tool_schemas,
)
from runtime.chat.template import ChatTemplate

SanitizedPiece = tuple[str, bool]  # a text, and whether it is to be encoded as plain text

_OPENING_MARK, _CLOSING_MARK = "\U000f0000", "\U000f0001"  # private use, as in the reference


def control_tokens(
    added_tokens: Mapping[str, bool], literal_text: str, listed: Collection[str] | None = None
) -> tuple[str, ...]:
    """The tokens of a tokenizer that must not come from callers.

    `added_tokens`: each added token, and whether it is special; special tokens are control tokens.
    So are those `listed` (`chat_control_tokens` in tokenizer_config.json) or, where nothing is
    listed, those in the template's `literal_text` that are not white space.
    """
    if listed is not None:
        return tuple(
            token for token, is_special in added_tokens.items() if is_special or token in listed
        )
    return tuple(
        token
        for token, is_special in added_tokens.items()
        if is_special or (token in literal_text and not token.isspace())
    )


def render_sanitized(
    template: ChatTemplate,
    messages: Any,
    control_tokens: Collection[str],
    added_tokens: Collection[str] = (),
    special_tokens: Mapping[str, str] | None = None,
    tools: Iterable[Any] | None = None,
    documents: Iterable[Any] | None = None,
    add_generation_prompt: bool = False,
    continue_final_message: bool | str = False,
    **kwargs: Any,
) -> list[SanitizedPiece]:
    """The text of a conversation in pieces: `(text, is_plain)`, no text empty.

    A plain piece is a control token out of what the caller passed: encode it without looking for
    added tokens. Encode every other piece by itself; two in a row must not be joined, as a token
    could arise. `added_tokens`: tokens that are no control tokens, but that a template could make
    out of one, by changing its case. `special_tokens`: variables that are the model's own, such as
    `bos_token`, and keep their meaning. The other arguments, and the errors, are those of
    `ChatTemplate.render`.

    Not found, as in transformers: a token that the template joins from several texts or cuts out
    of one, keys of dicts, and texts in data that the template prints whole, with escapes.
    """
    pattern = _any_of(control_tokens)
    text = template.render(
        _marked(conversation_messages(messages), pattern),
        _marked(tool_schemas(tools), pattern),
        _marked(plain_documents(documents), pattern),
        add_generation_prompt,
        continue_final_message,
        **{**(special_tokens or {}), **_marked(plain_data(kwargs), pattern)},
    )
    return _cut_at_marks(text, [*control_tokens, *added_tokens])


def _any_of(tokens: Collection[str]) -> re.Pattern[str]:
    """Matches the longest token at a place; nothing, where there are no tokens."""
    longest_first = sorted(dict.fromkeys(tokens), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first)) or "(?!)")


def _marked(value: Any, pattern: re.Pattern[str]) -> Any:
    """Plain data with each match in its texts, keys aside, between marks; no other marks in it."""
    if isinstance(value, str):
        unmarked = value.replace(_OPENING_MARK, "").replace(_CLOSING_MARK, "")
        return pattern.sub(rf"{_OPENING_MARK}\g<0>{_CLOSING_MARK}", unmarked)
    if isinstance(value, dict):
        return {key: _marked(item, pattern) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_marked(item, pattern) for item in value]
    return value


def _cut_at_marks(text: str, tokens: Collection[str]) -> list[SanitizedPiece]:
    """The pieces between marks; a mark that stands alone, cut off by the template, only divides."""
    token = _any_of(tokens).pattern
    marks = f"{_OPENING_MARK}({token}){_CLOSING_MARK}|[{_OPENING_MARK}{_CLOSING_MARK}]"
    pieces = re.split(marks, text)  # text and token in turn; None for a mark alone
    return [(piece, place % 2 == 1) for place, piece in enumerate(pieces) if piece]
