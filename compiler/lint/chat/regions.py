"""The texts between the tags of a template, with and without the white space that tags take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from compiler.lint.chat.reading import Token

_BEGINS = ("block_begin", "variable_begin", "comment_begin", "raw_begin", "raw_end")
_ENDS = ("block_end", "variable_end", "comment_end", "raw_begin", "raw_end")


@dataclass(frozen=True)
class Region:
    """What is written between two tags: `text`, which starts at `start`.

    `tag`: where the tag before starts. `before`: its last token, `after`: the first of the next.
    """

    tag: int
    before: Token | None
    text: str
    start: int
    after: Token | None


def regions(tokens: Sequence[Token]) -> Iterator[Region]:
    """One region before each tag and one at the end, empty ones included."""
    tag, before, data = 0, None, None
    for token in tokens:
        if token.kind == "data":
            data = token
        if token.kind in _BEGINS:
            yield _region(tag, before, data, token)
            tag, data = token.start, None
        if token.kind in _ENDS:
            before = token
    yield _region(tag, before, data, None)


def _region(tag: int, before: Token | None, data: Token | None, after: Token | None) -> Region:
    if data:
        return Region(tag, before, data.text, data.start, after)
    start = before.end if before else 0
    return Region(tag, before, "", start, after)
