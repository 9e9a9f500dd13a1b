"""How a state finds its next delimiter: one search over the buffer, and the rule for ties.

A state's delimiters come as patterns whose groups tell what happened. The *streaming* pattern lets
the end of the buffer stand for any text to come: a match that sets a delimiter's own group is
complete whatever follows; any other match may still become a delimiter and is held back. The
*final* pattern is the plain one, for when no text will come.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

NEVER = (
    "\0"  # a mark that ordinary text does not contain; text that does merely takes the slow path
)


class Match(Protocol):
    """The part of `re.Match` (or `regex.Match`) that a scan reads."""

    @property
    def lastgroup(self) -> str | None: ...
    def start(self) -> int: ...
    def end(self) -> int: ...


Search = Callable[
    ..., Any
]  # (text, position) -> Match | None: a compiled pattern's search or match


class Wait(NamedTuple):
    """What must arrive in the new text before a held delimiter is worth another look."""

    arrival: Search
    overlap: int  # characters of the old text that an arrival may begin in


class Found(NamedTuple):
    """A delimiter in the buffer; `label` is None while it may still grow or fail."""

    label: str | None
    start: int
    end: int
    wait: Wait | None


def always(text: str, position: int) -> bool:
    """In place of a search: there may be a delimiter in any text."""
    return True


def wait_until(single: str) -> Wait:
    """Wait until a character arrives that `single`, a one-character pattern, matches."""
    return Wait(re.compile(single, re.DOTALL).search, 0)


def wait_for(literal: str) -> Wait:
    """Wait until the literal arrives."""
    return Wait(re.compile(re.escape(literal)).search, len(literal) - 1)


def search_at(mark: str, pattern: Any) -> Search:
    """A search that goes from mark to mark, for patterns that `re` would try at every character."""
    match: Search = pattern.match

    def leap(text: str, position: int) -> Any:
        while (position := text.find(mark, position)) >= 0:
            found = match(text, position)
            if found:
                return found
            position += 1
        return None

    return leap


def search_from(search: Search, here: Any, runs: bool) -> Search:
    """A search that tries the pattern `here` at the position first."""
    if here is None:
        return search
    match: Search = here.match

    def try_here(text: str, position: int) -> Any:
        found = match(text, position) if runs or not position else None
        return found or search(text, position)

    return try_here


class Rival(NamedTuple):
    """One delimiter of a state in which two may match at the same place."""

    label: str
    streaming: Search  # both anchored: a compiled pattern's `match`
    final: Search


class Watch:
    """The delimiters of one state, ready to search.

    `mark`: a character that every delimiter starts with; text without it holds none. "" where
    there is no such character. `aliases`: further groups of the streaming pattern, and the label
    of the delimiter that each completes. `here_*`: the whole patterns, tried exactly at the
    position before the others are searched: always if `runs` (the searched ones look only at the
    start of a run), else only at the start of the text. `leap`: search from mark to mark.
    `looks_back`: a delimiter can see text before itself. `rivals`, in the order that breaks ties of
    equal length: delimiters that may match at the same place; the longest wins (v1: earliest
    start, then longest, then open before close, then field name). `sights`, by label: patterns
    that must complete, too, before what a delimiter captured ahead of itself is settled. `far`:
    texts without which some of the delimiters cannot match, however far they look; `near` is the
    watch without those.
    """

    __slots__ = (
        "_labels",
        "_rivals",
        "_sights",
        "_streaming",
        "_waits",
        "far",
        "final",
        "mark",
        "near",
        "quick",
    )

    def __init__(
        self,
        mark: str,
        *,
        streaming: Any,
        final: Any,
        aliases: Mapping[str, str] | None = None,
        waits: Mapping[str, Wait] | None = None,
        here_streaming: Any = None,
        here_final: Any = None,
        runs: bool = False,
        leap: bool = False,
        looks_back: bool = False,
        rivals: Sequence[Rival] = (),
        sights: Mapping[str, Sequence[Any]] | None = None,
        far: Sequence[str] = (),
        near: Watch | None = None,
    ) -> None:
        self.mark = mark
        self.far = far
        self.near = near
        finals, streams = final.search, streaming.search
        if leap:
            finals, streams = search_at(mark, final), search_at(mark, streaming)
        self.final = search_from(finals, here_final, runs)
        self._streaming = search_from(streams, here_streaming, runs)
        self.quick = None if looks_back else streams
        # Groups that start with `_` are there for backreferences.
        labels = (group for group in final.groupindex if not group.startswith("_"))
        self._labels: dict[str, str] = {label: label for label in labels} | dict(aliases or {})
        self._waits = waits or {}
        self._rivals = rivals
        self._sights = sights or {}

    def find(self, text: str, position: int, final: bool) -> Found | None:
        """The first delimiter at or after `position`, complete or held back; None if there is none.

        A match of no width at the very end of the text never fires (transformers 5.24.0).
        """
        match = self.final(text, position) if final else self._streaming(text, position)
        if match is None:
            return None
        start = match.start()
        if start == len(text):
            return None
        if self._rivals:
            return self._longest(text, start, final)
        return self._read(text, match, final)

    def _read(self, text: str, match: Any, final: bool) -> Found:
        group = match.lastgroup
        label = self._labels.get(group)
        sights = self._sights.get(label) if label and not final else None
        if sights:
            seen = (sight.match(text, match.start()) for sight in sights)
            if not all(sight and self._labels.get(sight.lastgroup) == label for sight in seen):
                label = None
        return Found(label, match.start(), match.end(), self._waits.get(group))

    def _longest(self, text: str, start: int, final: bool) -> Found:
        best: Found | None = None
        for label, streaming, plain in self._rivals:
            match = (plain if final else streaming)(text, start)
            if match is None:
                continue
            if final:
                found = Found(label, start, match.end(), None)
            else:
                found = self._read(text, match, final)
                if found.label is None:
                    return found  # a rival that may still win holds the others back
            if best is None or found.end > best.end:
                best = found
        if best is None:
            raise AssertionError("a delimiter was found that none of the rivals matches")
        return best
