r"""Strings in the text of a region: spans in which no delimiter and no bracket counts.

    {"code": "</call>"}</call>

A string is read as one token: it hides whatever begins inside it. One whose end never comes is no
string: its opener is text, and then so are all later ones of its kind, since no end comes for them
either.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from runtime.scan import Search
from runtime.unicode_classes import SPACE

_ROUNDS = 1000  # of strings in one match: what `re` remembers of each round stays small
_ESCAPES = 16  # in a string; one with more is quicker read otherwise
_JSON_BRACKETS = {"{": "}", "[": "]"}
_PAIR_STRINGS = 16  # strings in a pair of brackets; one with more is read bracket by bracket


# (text, place, limit, depth): from a place on, `depth` brackets are open, or the first opens there.
# It stops behind the bracket that closes the first, or where a run needs a decision. Returns the
# place, and how many brackets are open there.
ThroughBrackets = Callable[[str, int, int, int], tuple[int, int]]


class StringKind:
    """One way to write a string: its delimiters, and whether a backslash escapes."""

    __slots__ = ("closer", "escapes", "opener")

    def __init__(self, opener: str, closer: str, escapes: bool = False) -> None:
        self.opener = opener
        self.closer = closer
        self.escapes = escapes


class Strings:
    """The strings of a region's text, and the brackets that may be around its value.

    `closing`: the closing brackets by the opening ones. `named`: any text may stand before the
    first bracket of a value, not only white space.
    """

    def __init__(
        self, *kinds: StringKind, closing: Mapping[str, str] = _JSON_BRACKETS, named: bool = False
    ) -> None:
        self.kinds = kinds
        self.closing = closing
        self.named = named
        self._opening = {closing: opening for opening, closing in closing.items()}
        self._space: re.Pattern[str] | None = None  # patterns are compiled when first needed
        self._runs: dict[tuple[frozenset[int], bool], Any] = {}
        self._through: dict[tuple[frozenset[int], str], ThroughBrackets] = {}
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
            stops = "".join((*self.closing, *self.closing.values())) if brackets else ""
            pattern = _run_pattern(self._kinds(without), stops)
            self._runs[key] = re.compile(pattern, re.DOTALL)
        return self._runs[key].match

    def before_value(self, text: str, place: int, end: int, without: frozenset[int]) -> int:
        """Where what may stand before a value ends: white space or, if `named`, any text."""
        if self.named:
            return int(self.run(without, True)(text, place, end).end())
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

    def through_brackets(self, closing: str, without: frozenset[int]) -> ThroughBrackets:
        """What reads text, whole strings and brackets of one kind, to the end of a value."""
        key = without, closing
        if key not in self._through:
            opening = self._opening[closing]
            kinds, brackets = self._kinds(without), opening + closing
            inside = _run_pattern(kinds, brackets, rounds=_PAIR_STRINGS)
            pair = inside.join(map(re.escape, brackets))
            run = re.compile(_run_pattern(kinds, brackets, pair), re.DOTALL).match
            self._through[key] = _through_brackets(run, opening, closing)
        return self._through[key]

    def are_closed(self, text: str, place: int, end: int) -> bool:
        """Whether it takes no reading to see that no string is open at the end; False is a maybe.

        It is easily seen where the strings are all of one kind.
        """
        if self._beginnings and text.endswith(self._beginnings, place, end):
            return False
        kinds: Sequence[StringKind] = self.kinds
        if len(kinds) > 1:
            kinds = [kind for kind in kinds if text.find(kind.opener, place, end) >= 0]
        return not kinds or (len(kinds) == 1 and _is_closed(kinds[0], text, place, end))

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

    def _kinds(self, without: frozenset[int]) -> list[StringKind]:
        return [kind for index, kind in enumerate(self.kinds) if index not in without]


def _through_brackets(run: Any, opening: str, closing: str) -> ThroughBrackets:
    def through(text: str, place: int, limit: int, depth: int) -> tuple[int, int]:
        if not depth:
            place, depth = place + 1, 1
        while (stop := run(text, place, limit).end()) < limit:
            if text[stop] == opening:
                depth += 1
            elif text[stop] != closing:
                break
            elif depth == 1:
                return stop + 1, 0
            else:
                depth -= 1
            place = stop + 1
        return stop, depth

    return through


JSON_STRINGS = Strings(StringKind('"', '"', escapes=True))

PYTHON_STRINGS = Strings(
    StringKind('"', '"', escapes=True),
    StringKind("'", "'", escapes=True),
    closing={"(": ")", **_JSON_BRACKETS},
    named=True,
)


def string_pairs(*pairs: tuple[str, str]) -> Strings:
    """Strings between two literals, without escapes."""
    return Strings(*(StringKind(opener, closer) for opener, closer in pairs))


def _run_pattern(
    kinds: Sequence[StringKind], stops: str, pair: str = "", rounds: int = _ROUNDS
) -> str:
    """Text without openers and stops, and whole strings, in turn; and what else is a `pair`."""
    if not kinds and not stops:
        return ".*"
    firsts = re.escape("".join({kind.opener[0]: None for kind in kinds}))
    plain = f"[^{firsts}{re.escape(stops)}]*"
    ways = [*map(_string_pattern, kinds), *([pair] if pair else [])]
    if any(len(kind.opener) > 1 for kind in kinds):
        openers = [re.escape(kind.opener) for kind in kinds]
        beginnings = [
            re.escape(kind.opener[:size]) + r"\Z"
            for kind in kinds
            for size in range(1, len(kind.opener))
        ]
        ways.append(f"(?!{'|'.join(openers + beginnings)})[{firsts}]")
    return f"{plain}(?:(?:{'|'.join(ways)}){plain}){{0,{rounds}}}" if ways else plain


def _string_pattern(kind: StringKind) -> str:
    """A whole string. There is one way to match it: where that fails, `re` need not try others."""
    opener, closer, first = map(re.escape, (kind.opener, kind.closer, kind.closer[0]))
    if kind.escapes:
        # Most strings have no quote in them, and `re` is quick where it looks for nothing else.
        simple = rf"{opener}[^{first}]*{closer}(?<!\\{closer})"
        inside = rf"[^{first}\\]*(?:\\.[^{first}\\]*){{0,{_ESCAPES}}}"
        return rf"{simple}|(?={opener}[^{first}]*\\{closer}){opener}{inside}{closer}"
    if len(kind.closer) == 1:
        return f"{opener}[^{first}]*{closer}"
    return f"{opener}[^{first}]*(?:(?!{closer}){first}[^{first}]*){{0,{_ESCAPES}}}{closer}"


def _is_closed(kind: StringKind, text: str, place: int, end: int) -> bool:
    """The same of text with strings of this kind only."""
    opener, closer, escapes = kind.opener, kind.closer, kind.escapes
    if escapes and text.find("\\" + closer, place, end) >= 0:
        return False
    if opener == closer:
        return text.count(opener, place, end) % 2 == 0
    # What opens before the last closer ends there at the latest, unless its opener lies over that.
    last = text.rfind(closer, place, end)
    return text.find(opener, max(place, last - len(opener) + 1), end) < 0


def _are_paired(text: str, start: int, end: int) -> bool:
    """Whether the backslashes before the end escape one another, not what follows."""
    place = end
    while place > start and text[place - 1] == "\\":
        place -= 1
    return (end - place) % 2 == 0
