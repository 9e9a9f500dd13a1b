"""The delimiters of one state, ready to be searched for, and the rule for ties.

Delimiters come as patterns whose groups tell what happened. The *streaming* pattern lets the end of
the buffer stand for any text to come: a match that sets a delimiter's own group is complete
whatever follows; any other match may still become a delimiter and is held back. The *final* pattern
is the plain one, for when no text will come. Each is compiled when it is first needed: a process
that parses whole texts needs the final ones only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from runtime.scan import (
    ANY_SPACE,
    Awaited,
    Found,
    Search,
    Space,
    Wait,
    search_at,
    search_from,
)

# One delimiter where others may match at the same place: streaming and final pattern.
Rival = tuple[str, str]
_STREAMING, _FINAL = range(2)  # forms of a pattern


class Watch:
    """What finds the next of some delimiters.

    `marks`: characters that every delimiter starts with, behind the space that some take in; text
    without them holds none. "" where there are no such characters. `streaming`, `final`: the
    alternatives; they have a group each. `spaced_streaming`, `spaced_final`: those behind white
    space, which is part of the delimiter, without the space; of the groups in `before` they are in
    front of it. `trailing`: the delimiter that white space at the end of the text is. `space`: what
    of it they take in. `leap`: search from mark to mark. `aliases`: further groups, and the label
    of the delimiter that each completes. `waits`: what groups of held matches wait for.

    Where delimiters may match at the same place, the longest wins (v1: earliest start, then
    longest, then open before close, then field name): `rivals` are those that may, in the order
    that breaks ties, and `starts` those that may at the start of the text, or match only there.

    `sights`, by label: patterns that must complete, too, before what a delimiter captured ahead of
    itself is settled. `far`: of delimiters that look ahead without limit, the text that they start
    with and one that they need after it; `near` is the watch without those. `engine`: `re`, or
    `regex` where a pattern needs it.

    Without marks, the patterns may look only at the start of a run: then `here_streaming` and
    `here_final` are tried exactly at the position before. `looks_back`: they see text before it.
    """

    def __init__(
        self,
        marks: str,
        *,
        streaming: str = "",
        final: str = "",
        spaced_streaming: str = "",
        spaced_final: str = "",
        before: Collection[str] = (),
        trailing: str | None = None,
        space: Space = ANY_SPACE,
        leap: bool = False,
        aliases: Mapping[str, str] | None = None,
        waits: Mapping[str, Awaited] | None = None,
        rivals: Sequence[Rival] = (),
        starts: Sequence[Rival] = (),
        sights: Mapping[str, Sequence[str]] | None = None,
        far: Sequence[tuple[str, str]] = (),
        near: Watch | None = None,
        here_streaming: str | None = None,
        here_final: str | None = None,
        looks_back: bool = False,
        engine: Any = re,
    ) -> None:
        self.mark = marks if len(marks) == 1 else ""
        self.space = space if spaced_final or trailing else None
        self.far = far
        self.near = near
        self.final: Search = self._first_final
        self.quick: Search | None = None  # the streaming search alone, where that finds all
        # The first delimiter of a text to which nothing will be added: nothing is held back.
        self.first: Callable[[str, int], Found | None] = self._first_first
        self._streaming: Search = self._first_streaming
        self._marks = marks if leap else ""
        self._spaced = spaced_streaming, spaced_final
        self._plain = streaming, final
        self._here = here_streaming, here_final
        self._before = before
        self._trailing = trailing
        self._taken = space
        self._looks_back = looks_back
        self._engine = engine
        self._aliases = aliases or {}
        self._awaited = waits or {}
        self._waits: dict[str, Wait] = {}
        self._labels: dict[str, str] = {}  # these are only added to: threads may come here at once
        self._spaced_groups: set[str] = set()
        self._matchers: dict[str, Search] = {}
        self._rivals = rivals
        self._starts = starts
        self._sights = sights or {}

    def find(self, text: str, position: int, final: bool) -> Found | None:
        """The first delimiter at or after `position`, complete or held back; None if there is none.

        A match of no width at the very end of the text never fires (transformers 5.24.0).
        """
        if final:
            return self.first(text, position)
        match = self._streaming(text, position)
        if match is None:
            found = self._space_at_end(text, position)
        elif match.start() == len(text):
            found = None
        else:
            found = self._held_or_whole(text, position, match)
            if self._rivals:
                found = self._longest(self._rivals, text, position, match.start(), found)
        if position == 0 and self._starts and text:
            return self._longest(self._starts, text, 0, 0, None) or found
        return found

    def _first_first(self, text: str, position: int) -> Found | None:
        self.first = self._first_maker()
        return self.first(text, position)

    def _first_maker(self) -> Callable[[str, int], Found | None]:
        """`first`, its parts at hand: it is called for every region."""
        search, _ = self._ready(_FINAL)
        labels, spaced, before = self._labels, self._spaced_groups, self._before
        rivals = [self._matcher(rival[_FINAL]) for rival in self._rivals]
        starts = [self._matcher(start[_FINAL]) for start in self._starts]
        tied, trailing, space = self._tied_groups(), self._trailing, self._taken

        def first(text: str, position: int) -> Found | None:
            found: Found | None = None
            match = search(text, position)
            if match is None:
                if trailing and (held := self._space_at_end(text, position)):
                    found = trailing, held[1], len(text), None
            elif (start := match.start()) < len(text):
                group, end = match.lastgroup, match.end()
                if group in tied:
                    found = self._longest_whole(rivals, text, position, start)
                else:
                    if start > position and group in spaced:
                        start = space.start(text, position, start)
                        end = start if group in before else end
                    found = labels[group], start, end, None
            if position == 0 and starts and text:
                return self._longest_whole(starts, text, 0, 0) or found
            return found

        return first

    def _tied_groups(self) -> frozenset[str]:
        """Of the final pattern: groups of delimiters that others may match in place of."""
        groups = (self._compile(final).groupindex for _, final in self._rivals)
        return frozenset(group for each in groups for group in each)

    def _longest_whole(
        self, matchers: Sequence[Search], text: str, position: int, place: int
    ) -> Found | None:
        """Of a complete text: the earliest of what matches at a place, then the longest."""
        best: Found | None = None
        for matching in matchers:
            if match := matching(text, place):
                found = self._whole(text, position, match)
                if best is None or (found[1], -found[2]) < (best[1], -best[2]):
                    best = found
        return best

    def _whole(self, text: str, position: int, match: Any) -> Found:
        group = match.lastgroup
        start, end = match.span()
        if start > position and group in self._spaced_groups:
            start, end = self._with_space(text, position, start, end, group)
        return self._labels[group], start, end, None

    def _held_or_whole(self, text: str, position: int, match: Any) -> Found:
        group = match.lastgroup
        label = self._labels.get(group)
        start, end = match.span()
        if self._spaced_groups and start > position and self._takes_space(match, text):
            start, end = self._with_space(text, position, start, end, group)
        if label in self._sights and not self._is_settled(label, text, start):
            label = None
        return label, start, end, self._wait(group)

    def _takes_space(self, match: Any, text: str) -> bool:
        """Whether what was found takes in the space before it, or may do so."""
        if match.lastgroup is not None:
            return match.lastgroup in self._spaced_groups
        if self._spaced_groups.isdisjoint(match.re.groupindex):
            return False
        return self._matcher(self._spaced[_STREAMING])(text, match.start()) is not None

    def _with_space(
        self, text: str, position: int, start: int, end: int, group: str | None
    ) -> tuple[int, int]:
        """Where a delimiter starts and ends that takes in space before it, or is before that."""
        start = self._taken.start(text, position, start)
        return start, (start if group in self._before else end)

    def _space_at_end(self, text: str, position: int) -> Found | None:
        """Space at the end of a text without delimiters: one may follow."""
        if self.space is None:
            return None
        start = self.space.start(text, position, len(text))
        return (None, start, len(text), self.space.wait) if start < len(text) else None

    def _longest(
        self, rivals: Sequence[Rival], text: str, position: int, place: int, other: Found | None
    ) -> Found | None:
        """The earliest of what matches at a place, then the longest, then the first in order.

        One that may still be the longest holds the others back. `other` has been found there.
        """
        founds = []
        for streaming, _ in rivals:
            if match := self._matcher(streaming)(text, place):
                found = self._held_or_whole(text, position, match)
                if found[0] is None and not self._spaced_groups:
                    return found  # none begins before it
                founds.append(found)
        if other:
            founds.append(other)
        if len(founds) < 2:
            return founds[0] if founds else None
        start = min(found[1] for found in founds)
        first = [found for found in founds if found[1] == start]
        held = next((found for found in first if found[0] is None), None)
        return held or max(first, key=lambda found: found[2])

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
        matches = (self._matcher(sight)(text, start) for sight in sights)
        return all(match and self._labels.get(match.lastgroup) == label for match in matches)

    def _first_final(self, text: str, position: int) -> Any:
        self.final, _ = self._ready(_FINAL)
        return self.final(text, position)

    def _first_streaming(self, text: str, position: int) -> Any:
        self._streaming, alone = self._ready(_STREAMING)
        self.quick = None if self._looks_back else alone
        return self._streaming(text, position)

    def _ready(self, form: int) -> tuple[Search, Search]:
        """The search in one form, and without a look at the place itself."""
        spaced, here = self._spaced[form], self._here[form]
        if spaced:
            self._spaced_groups.update(self._compile(spaced).groupindex)
        ways = self._compile("|".join(filter(None, (spaced, self._plain[form]))) or "(?!)")
        alone: Search = search_at(self._marks, ways.match) if self._marks else ways.search
        return (search_from(alone, self._matcher(here)) if here else alone), alone

    def _matcher(self, pattern: str) -> Search:
        """What matches a pattern at a place."""
        if pattern not in self._matchers:
            self._matchers[pattern] = self._compile(pattern).match
        return self._matchers[pattern]

    def _compile(self, pattern: str) -> Any:
        compiled = self._engine.compile(pattern, self._engine.DOTALL)
        # Groups that start with `_` are there for backreferences.
        named = (g for g in compiled.groupindex if g not in self._awaited and g[0] != "_")
        self._labels.update((group, self._aliases.get(group, group)) for group in named)
        return compiled
