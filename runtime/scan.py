"""How a state finds its next delimiter: what searches find, and what held text waits for."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Protocol

NEVER = (
    "\0"  # a mark that ordinary text does not contain; text that does merely takes the slow path
)

# What `\s` of `regex` matches; for `str`, more characters are space.
SPACES = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)

Search = Callable[[str, int], Any]  # (text, position) -> match or None

# What must be found in the new text before a held delimiter is worth another look, and how many
# characters of the old text it may begin in: as a pattern, and as a search.
Awaited = tuple[str, int]
Wait = tuple[Search, int]

# A delimiter in the buffer: its label (None while it may still grow or fail), where it starts and
# ends, and what it waits for.
Found = tuple["str | None", int, int, "Wait | None"]


class Space:
    """White space before delimiters that is part of them: which, and how much at most (0: all)."""

    def __init__(self, characters: str = SPACES, most: int = 0) -> None:
        self.characters = characters
        self.most = most
        # Space at the end of the text stays held while more comes, unless there can be too much.
        self.wait: Wait | None = None if most else (self._ends, 0)

    def start(self, text: str, first: int, place: int) -> int:
        """Where the space before a place begins, not before `first`."""
        start = first + len(text[first:place].rstrip(self.characters))
        return max(start, place - self.most) if self.most else start

    def _ends(self, text: str, position: int) -> bool:
        """In place of a search: there is something else."""
        return text[position:].strip(self.characters) != ""


ANY_SPACE = Space()


class Lookout(Protocol):
    """What finds the next delimiter: a watch, or a reader that looks with one (runtime/body.py)."""

    @property
    def mark(self) -> str: ...

    @property
    def quick(self) -> Search | None: ...

    @property
    def space(self) -> Space | None: ...

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


def search_at(marks: str, match: Search) -> Search:
    """A search that goes from mark to mark, for patterns that `re` would try at every character."""
    if len(marks) > 1:
        return _search_at_any(re.compile(f"[{re.escape(marks)}]").search, match)

    def leap(text: str, position: int) -> Any:
        while (position := text.find(marks, position)) >= 0:
            found = match(text, position)
            if found:
                return found
            position += 1
        return None

    return leap


def _search_at_any(next_mark: Search, match: Search) -> Search:
    def leap(text: str, position: int) -> Any:
        while mark := next_mark(text, position):
            position = mark.start()
            found = match(text, position)
            if found:
                return found
            position += 1
        return None

    return leap


def search_from(search: Search, here: Search) -> Search:
    """A search that tries `here`, a match, at the position first."""

    def try_here(text: str, position: int) -> Any:
        return here(text, position) or search(text, position)

    return try_here
