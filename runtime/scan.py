"""How a state finds its next delimiter: one search over the buffer, and the rule for ties.

A state's delimiters come as patterns whose groups tell what happened. The *streaming* pattern lets
the end of the buffer stand for any text to come: a match that sets a delimiter's own group is
complete whatever follows; any other match may still become a delimiter and is held back. The
*final* pattern is the plain one, for when no text will come. Each is compiled when it is first
needed: a process that parses whole texts needs the final ones only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

NEVER = (
    "\0"  # a mark that ordinary text does not contain; text that does merely takes the slow path
)

_NO_SPACE = "\x1c\x1d\x1e\x1f"  # for `str` they are

Search = Callable[[str, int], Any]  # (text, position) -> match or None

# What must be found in the new text before a held delimiter is worth another look, and how many
# characters of the old text it may begin in: as a pattern, and as a search.
Awaited = tuple[str, int]
Wait = tuple[Search, int]

# A delimiter in the buffer: its label (None while it may still grow or fail), where it starts and
# ends, and what it waits for.
Found = tuple["str | None", int, int, "Wait | None"]

# One delimiter where two may match at the same place: label, streaming pattern, final pattern.
Rival = tuple[str, str, str]


class Lookout(Protocol):
    """What finds the next delimiter: a watch, or a reader that looks with one (runtime/body.py)."""

    @property
    def mark(self) -> str: ...

    @property
    def quick(self) -> Search | None: ...

    @property
    def far(self) -> Sequence[tuple[str, str]]: ...

    @property
    def near(self) -> Lookout | None: ...

    def find(self, text: str, position: int, final: bool) -> Found | None: ...


def always(text: str, position: int) -> bool:
    """In place of a search: there may be a delimiter in any text."""
    return True


def wait_until(single: str) -> Awaited:
    """Wait until a character arrives that `single`, a one-character pattern, matches."""
    return single, 0


def wait_for(literal: str) -> Awaited:
    """Wait until the literal arrives."""
    return re.escape(literal), len(literal) - 1


def search_at(mark: str, match: Search) -> Search:
    """A search that goes from mark to mark, for patterns that `re` would try at every character."""

    def leap(text: str, position: int) -> Any:
        while (position := text.find(mark, position)) >= 0:
            found = match(text, position)
            if found:
                return found
            position += 1
        return None

    return leap


def search_behind_space(mark: str, match: Search) -> Search:
    """A search from mark to mark, for patterns that take in the space before it.

    Space at the end of the text counts, too: a mark may follow.
    """

    def leap(text: str, position: int) -> Any:
        place = position
        while (place := text.find(mark, place)) >= 0:
            start = _behind_others(text, position, place)
            found = match(text, start) or (start < place and match(text, place))
            if found:
                return found
            place += 1
        start = _behind_others(text, position, len(text))
        return match(text, start) if start < len(text) else None

    return leap


def _behind_others(text: str, first: int, place: int) -> int:
    r"""Where the space (`\s` of `regex`) directly before a place begins."""
    while place > first and text[place - 1].isspace() and text[place - 1] not in _NO_SPACE:
        place -= 1
    return place


def search_from(search: Search, here: Search, runs: bool) -> Search:
    """A search that tries `here`, a match, at the position first."""

    def try_here(text: str, position: int) -> Any:
        found = here(text, position) if runs or not position else None
        return found or search(text, position)

    return try_here


class Watch:
    """The delimiters of one state, ready to search.

    `mark`: a character that every delimiter starts with; text without it holds none. "" where
    there is no such character. `spaced`: the mark comes behind space that the delimiters may start
    with. `at_start`: or they match at the start of the text only. `aliases`: further groups of the
    streaming pattern, and the label of the delimiter that each completes. `here_*`: the whole
    patterns, tried exactly at the position before the others are searched: always if `runs` (the
    searched ones look only at the start of a run), else only at the start of the text. `leap`:
    search from mark to mark. `looks_back`: a delimiter can see text before itself. `rivals`, in the
    order that breaks ties of equal length: delimiters that may match at the same place; the longest
    wins (v1: earliest start, then longest, then open before close, then field name). `sights`, by
    label: patterns that must complete, too, before what a delimiter captured ahead of itself is
    settled. `far`: of delimiters that look ahead without limit, the text that they start with and
    one that they need after it; `near` is the watch without those. `engine`: `re`, or `regex` where
    a pattern needs it.
    """

    def __init__(
        self,
        mark: str,
        *,
        streaming: str,
        final: str,
        aliases: Mapping[str, str] | None = None,
        waits: Mapping[str, Awaited] | None = None,
        here_streaming: str | None = None,
        here_final: str | None = None,
        runs: bool = False,
        leap: bool = False,
        spaced: bool = False,
        at_start: bool = False,
        looks_back: bool = False,
        rivals: Sequence[Rival] = (),
        sights: Mapping[str, Sequence[str]] | None = None,
        far: Sequence[tuple[str, str]] = (),
        near: Watch | None = None,
        engine: Any = re,
    ) -> None:
        self.mark = "" if spaced else mark
        self._spaced_mark = mark if spaced else ""
        self._at_start = at_start
        self.far = far
        self.near = near
        self.final: Search = self._first_final
        self.quick: Search | None = None  # the streaming search alone, where that finds all
        self._streaming: Search = self._first_streaming
        self._patterns = streaming, here_streaming, final, here_final
        self._flags = runs, leap, looks_back
        self._engine = engine
        self._aliases = aliases or {}
        self._awaited = waits or {}
        self._waits: dict[str, Wait] = {}
        self._labels: dict[str, str] = {}  # only added to: threads may make ready at once
        self._rivals = rivals
        self._rival_matches: dict[bool, list[tuple[str, Search]]] = {}
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
        if not final and label in self._sights and not self._is_settled(label, text, match.start()):
            label = None
        return label, match.start(), match.end(), self._wait(group)

    def _wait(self, group: str | None) -> Wait | None:
        if group not in self._awaited or group is None:
            return None
        if group not in self._waits:
            pattern, overlap = self._awaited[group]
            self._waits[group] = self._compile(pattern).search, overlap
        return self._waits[group]

    def _is_settled(self, label: str | None, text: str, start: int) -> bool:
        """Whether no text to come can change what the delimiter captured ahead of itself."""
        sights = self._sights[label] if label else ()
        matches = (self._compile(sight).match(text, start) for sight in sights)
        return all(match and self._labels.get(match.lastgroup) == label for match in matches)

    def _longest(self, text: str, start: int, final: bool) -> Found:
        if final not in self._rival_matches:
            self._rival_matches[final] = [
                (label, self._compile(plain if final else streaming).match)
                for label, streaming, plain in self._rivals
            ]
        best: Found | None = None
        for label, try_match in self._rival_matches[final]:
            match = try_match(text, start)
            if match is None:
                continue
            found = (label, start, match.end(), None) if final else self._read(text, match, final)
            if found[0] is None:
                return found  # a rival that may still win holds the others back
            if best is None or found[2] > best[2]:
                best = found
        assert best is not None, "a delimiter was found that none of the rivals matches"
        return best

    def _first_final(self, text: str, position: int) -> Any:
        _, _, final, here = self._patterns
        self.final = self._ready(final, here)[0]
        return self.final(text, position)

    def _first_streaming(self, text: str, position: int) -> Any:
        streaming, here, _, _ = self._patterns
        self._streaming, alone = self._ready(streaming, here)
        self.quick = None if self._flags[2] else alone
        return self._streaming(text, position)

    def _ready(self, pattern: str, here: str | None) -> tuple[Search, Search]:
        """The search for a pattern as the flags want it, and without a look at the place itself."""
        runs, leap, _ = self._flags
        compiled = self._compile(pattern)
        if self._spaced_mark and self._at_start:
            here = pattern
        groups = [*compiled.groupindex, *(self._compile(here).groupindex if here else ())]
        # Groups that start with `_` are there for backreferences.
        named = (g for g in groups if g not in self._awaited and not g.startswith("_"))
        self._labels.update((group, self._aliases.get(group, group)) for group in named)
        alone: Search = search_at(self.mark, compiled.match) if leap else compiled.search
        if self._spaced_mark:
            alone = search_behind_space(self._spaced_mark, compiled.match)
        if here is None:
            return alone, alone
        return search_from(alone, self._compile(here).match, runs), alone

    def _compile(self, pattern: str) -> Any:
        return self._engine.compile(pattern, self._engine.DOTALL)
