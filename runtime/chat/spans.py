"""Where in a rendered text the model's own words are: the extents of its generation blocks.

transformers 5.24.0 takes the length of the text written before a block as the block's start. That
is right where blocks write straight to the output. Inside a capture (`{% set %}`, a macro, a
filter) the text goes elsewhere first; there the blocks are rendered once more between two marks,
and the marks are looked up in the output. Where the marks would change the text, because the
template measures or cuts what it captured, the extents are those of transformers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from runtime.chat.environment import (
    Observer,
    generation_observer,
    parse_source,
    render_template,
    template_pieces,
)

Span = tuple[int, int]  # start and end, offsets in characters

_CAPTURES = {"Macro", "CallBlock", "FilterBlock", "AssignBlock", "Block"}  # classes of jinja2 nodes
_NONCHARACTERS = [chr(code) for code in range(0xFDD0, 0xFDF0)]  # never used in text interchange


def render_spans(
    source: str, template: Any, variables: Mapping[str, Any]
) -> tuple[str, list[Span]]:
    """The text of a template (`source`, and loaded as `template`), and its generation spans."""
    text, spans = _render_counting(template, variables)
    if not spans or _writes_directly(source):
        return text, spans
    exact = _marked_spans(template, variables, text)
    return text, spans if exact is None else exact


def token_mask(offsets: Iterable[Span], spans: Sequence[Span]) -> list[int]:
    """1 for each token that overlaps a span, else 0 (`assistant_masks` of transformers 5.24.0).

    `offsets`: where each token stands in the text, in order, as tokenizers give it; `spans`: those
    of `render_with_spans`.
    """
    mask = []
    current = 0
    for start, end in offsets:
        while current < len(spans) and start >= spans[current][1]:
            current += 1
        mask.append(int(current < len(spans) and end > spans[current][0]))
    return mask


@contextmanager
def _observed(observer: Observer) -> Any:
    token = generation_observer.set(observer)
    try:
        yield
    finally:
        generation_observer.reset(token)


def _render_counting(template: Any, variables: Mapping[str, Any]) -> tuple[str, list[Span]]:
    """The text, and the blocks' extents counted from what was written before each."""
    spans: list[Span] = []
    pieces = []
    written = 0

    def note_span(text: str) -> str:
        spans.append((written, written + len(text)))
        return text

    with _observed(note_span):
        for piece in template_pieces(template, variables):
            pieces.append(piece)
            written += len(piece)
    return "".join(pieces), spans


@lru_cache(maxsize=128)
def _writes_directly(source: str) -> bool:
    """Whether every generation block of a template stands outside any capture."""
    pending = [(parse_source(source), False)]
    while pending:
        node, is_captured = pending.pop()
        kind = type(node).__name__
        if is_captured and _is_generation_block(node):
            return False
        captures = kind in _CAPTURES or (kind == "For" and node.recursive)
        pending += [(child, is_captured or captures) for child in node.iter_child_nodes()]
    return True


def _is_generation_block(node: Any) -> bool:
    return type(node).__name__ == "CallBlock" and (
        type(node.call.node).__name__ == "ExtensionAttribute"
    )


def _marked_spans(template: Any, variables: Mapping[str, Any], text: str) -> list[Span] | None:
    """The spans of the blocks that `text` shows, none inside another; None if marks change it."""
    unused = [character for character in _NONCHARACTERS if character not in text]
    if len(unused) < 2:
        return None
    opener, closer = unused[:2]

    def around(block: str) -> str:
        return opener + block + closer

    def inside_white_space(block: str) -> str:
        body = block.strip()
        return block.replace(body, opener + body + closer, 1) if body else around(block)

    # A template may strip what it captured, but not past a mark.
    for marking in (around, inside_white_space):
        try:
            with _observed(marking):
                marked = render_template(template, variables)
        except Exception:  # rendering without marks went well, so these are the reason
            continue
        pieces = re.split(f"([{opener}{closer}])", marked)
        if "".join(pieces[::2]) == text:
            return _outermost_spans(pieces, opener)
    return None


def _outermost_spans(pieces: list[str], opener: str) -> list[Span] | None:
    """Spans of what lies between marks; `pieces` are texts and marks in turn."""
    spans = []
    depth = offset = start = 0
    for piece, mark in zip(pieces[::2], [*pieces[1::2], ""], strict=True):
        offset += len(piece)
        if mark == opener:
            start = start if depth else offset
            depth += 1
        elif mark:
            depth -= 1
            if depth < 0:
                return None
            if depth == 0:
                spans.append((start, offset))
    return spans if depth == 0 else None
