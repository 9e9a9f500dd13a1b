r"""Strings in the text of a region: spans in which no delimiter and no bracket counts.

    {"code": "</call>"}</call>

A string is read as one token: it hides whatever begins inside it. One whose end never comes is no
string: its opener is text, and then so are all later ones of its kind, since no end comes for them
either.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from runtime.scan import Search
from runtime.unicode_classes import SPACE

_ROUNDS = 1000  # of strings in one match: what `re` remembers of each round stays small
_ESCAPES = 16  # in a string; one with more is quicker read otherwise


class StringKind(NamedTuple):
    """One way to write a string: its delimiters, and whether a backslash escapes."""

    opener: str
    closer: str
    escapes: bool = False


class Strings:
    """The strings of a region's text, and the brackets around its value.

    `named`: any text may stand before the first bracket of a value, not only white space.
    """

    def __init__(
        self, *kinds: StringKind, opening: str = "{[", closing: str = "}]", named: bool = False
    ) -> None:
        self.kinds = kinds
        self.opening = opening
        self.closing = closing
        self.brackets = opening + closing
        self.named = named
        self._space: re.Pattern[str] | None = None  # patterns are compiled when first needed
        self._runs: dict[tuple[frozenset[int], bool], Any] = {}
        self._marks: dict[str, Search] = {}
        self._beginnings = tuple(
            {kind.opener[:size] for kind in kinds for size in range(1, len(kind.opener))}
        )

    def run(self, without: frozenset[int], brackets: bool) -> Any:
        """What matches a run of text and whole strings, up to a bracket if `brackets` count.

        It stops at the opener of a string that is longer than the run, and at what may become an
        opener when more text comes. Kinds in `without` are text.
        """
        key = without, brackets
        if key not in self._runs:
            kinds = [kind for index, kind in enumerate(self.kinds) if index not in without]
            stops = self.brackets if brackets else ""
            self._runs[key] = re.compile(_run_pattern(kinds, stops), re.DOTALL)
        return self._runs[key].match

    def behind_space(self, text: str, place: int, end: int) -> int:
        """Where white space ends."""
        if self._space is None:
            self._space = re.compile(f"[{SPACE}]*")
        match = self._space.match(text, place, end)
        return match.end() if match else place

    def opened(self, text: str, place: int, end: int, without: frozenset[int]) -> int:
        """Index of the kind of string that opens at a place; -1 if none does."""
        for index, kind in enumerate(self.kinds):
            if index not in without and text.startswith(kind.opener, place, end):
                return index
        return -1

    def closed(self, index: int, text: str, place: int, end: int) -> tuple[bool, int]:
        """From inside a string: whether it ends, and behind its end or where to read on."""
        kind = self.kinds[index]
        start = place  # of what no escape reaches into
        while (found := text.find(kind.closer, start, end)) >= 0:
            if not kind.escapes or _are_paired(text, start, found):
                return True, found + len(kind.closer)
            start = found + 1
        if not kind.escapes:
            return False, max(place, end - len(kind.closer) + 1)
        return False, end if _are_paired(text, start, end) else end - 1

    def through_brackets(
        self, text: str, place: int, limit: int, depth: int, without: frozenset[int]
    ) -> tuple[int, int]:
        """Read text, whole strings and brackets; `depth` are open, or the place has the first.

        It stops behind the bracket that closes the first, or where a run needs a decision. Returns
        the place, and how many brackets are open there.
        """
        run = self.run(without, True)
        opening, closing = self.opening, self.closing
        while (stop := run(text, place, limit).end()) < limit:
            bracket = text[stop]
            if bracket in opening:
                depth += 1
            elif bracket not in closing:
                break
            elif depth == 1:
                return stop + 1, 0
            else:
                depth -= 1
            place = stop + 1
        return stop, depth

    def are_closed(self, text: str, place: int, end: int) -> bool:
        """Whether it takes no reading to see that no string is open at the end; False is a maybe.

        Of strings that open and close alike, an even number of delimiters is enough to know.
        """
        if len(self.kinds) > 1:
            return False
        kind = self.kinds[0]
        if kind.opener != kind.closer or text.endswith(self._beginnings, place, end):
            return False
        if kind.escapes and text.find("\\" + kind.opener, place, end) >= 0:
            return False
        return text.count(kind.opener, place, end) % 2 == 0

    def awaiting(self, index: int, rest: str) -> Search:
        """A search for the end of an open string; each chunk must be given to it once.

        `rest` is the last text of the string, from where it is to be read on.
        """

        def ends(chunk: str, position: int) -> bool:
            nonlocal rest
            text = rest + chunk
            is_closed, place = self.closed(index, text, 0, len(text))
            rest = text[place:]
            return is_closed

        return ends

    def ends_value(self, index: int, mark: str) -> Search:
        """A search for what must come before a value ends, or for the mark of a delimiter.

        That is a closing bracket or, where a string is open, the end of its closer.
        """
        characters = mark + (self.kinds[index].closer[-1] if index >= 0 else self.closing)
        if characters not in self._marks:
            self._marks[characters] = re.compile(f"[{re.escape(characters)}]").search
        return self._marks[characters]


JSON_STRINGS = Strings(StringKind('"', '"', escapes=True))

PYTHON_STRINGS = Strings(
    StringKind('"', '"', escapes=True),
    StringKind("'", "'", escapes=True),
    opening="([{",
    closing=")]}",
    named=True,
)


def string_pairs(*pairs: tuple[str, str]) -> Strings:
    """Strings between two literals, without escapes."""
    return Strings(*(StringKind(opener, closer) for opener, closer in pairs))


def _run_pattern(kinds: Sequence[StringKind], stops: str) -> str:
    """Text without openers and stops, and whole strings, in turn."""
    if not kinds:
        return f"[^{re.escape(stops)}]*" if stops else ".*"
    firsts = re.escape("".join({kind.opener[0]: None for kind in kinds}))
    plain = f"[^{firsts}{re.escape(stops)}]*"
    ways = [
        re.escape(kind.opener) + _inside_pattern(kind) + re.escape(kind.closer) for kind in kinds
    ]
    if any(len(kind.opener) > 1 for kind in kinds):
        openers = [re.escape(kind.opener) for kind in kinds]
        beginnings = [
            re.escape(kind.opener[:size]) + r"\Z"
            for kind in kinds
            for size in range(1, len(kind.opener))
        ]
        ways.append(f"(?!{'|'.join(openers + beginnings)})[{firsts}]")
    return f"{plain}(?:(?:{'|'.join(ways)}){plain}){{0,{_ROUNDS}}}"


def _inside_pattern(kind: StringKind) -> str:
    """What may stand in a string, up to its closer or the end of the text."""
    first = re.escape(kind.closer[0])
    if kind.escapes:
        return rf"[^{first}\\]*(?:\\.[^{first}\\]*){{0,{_ESCAPES}}}"
    if len(kind.closer) == 1:
        return f"[^{first}]*"
    return f"[^{first}]*(?:(?!{re.escape(kind.closer)}){first}[^{first}]*){{0,{_ESCAPES}}}"


def _are_paired(text: str, start: int, end: int) -> bool:
    """Whether the backslashes before the end escape one another, not what follows."""
    place = end
    while place > start and text[place - 1] == "\\":
        place -= 1
    return (end - place) % 2 == 0
