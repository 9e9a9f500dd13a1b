"""Finding the next delimiter in text that comes in pieces: the buffer, and what is held back in it.

`seek` sends on what lies before the delimiter. What text goes where is the business of the class
derived from this one (runtime/stream.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from runtime.scan import NEVER, Lookout, Search, Space, Wait, always

END = ""  # what `seek` finds where the text ends


class Seeker:
    """The text that is not decided yet, and the place in it."""

    CONTEXT: ClassVar[int] = 0  # how many characters of consumed text the delimiters can look at

    __slots__ = (
        "_ahead",
        "_at_end",
        "_bracket",
        "_buffer",
        "_closes",
        "_delimiter_start",
        "_empty",
        "_empty_at",
        "_final",
        "_held",
        "_held_space",
        "_mark",
        "_offset",
        "_past",
        "_position",
        "_search",
        "_space",
        "_wait",
        "_watchful",
    )

    _buffer: str
    _closes: Callable[[str], bool]  # whether the region's value ends in text with the bracket
    _final: bool
    _held: list[str]  # text that came while nothing could change the verdict
    _offset: int  # of the buffer's first character in the fed text; exact behind a delimiter
    _position: int  # in the buffer; what lies before it is context for look-behinds
    _search: Search
    _space: Space | None
    _wait: Wait | None

    def seek(self, watch: Lookout | None) -> str | None:
        """Send text to the current region up to the next delimiter, and step over that.

        Returns the delimiter's label, END at the end of the text, or None to wait for more.
        """
        text, position = self._buffer, self._position
        if self._final and watch and watch.far:
            watch = self._nearer(watch)
        found = watch.find(text, position, self._final) if watch else None
        while watch and found and (label := found[0]) is not None:
            _, start, end, _ = found
            if end > start or self._fires_empty(label, start):
                if start > position:
                    self._emit(text[position:start])
                    self._position = start
                self._offset = self._here() - start
                self._delimiter_start = start
                self._position = end
                return label
            found = watch.find(text, start + 1, self._final)
        until = found[1] if found else len(text)
        if until > position:
            self._emit(text[position:until])
            self._position = until
        if self._final:
            self._offset = self._here() - until
            self._at_end = True
            return END
        self._wait = found[3] if found else None
        space = watch.space if watch else None
        is_space = space is not None and self._wait is not None and self._wait is space.wait
        if (not found or is_space) and self._flows():
            self._mark = watch.mark if watch else NEVER
            self._search = (watch and watch.quick) or always
            self._space = space
            self._watchful = space is not None
        return None

    # What the derived class defines.

    def _emit(self, text: str) -> None:
        """Take text that lies at the position and is not part of a delimiter."""
        raise NotImplementedError

    def _here(self) -> int:
        """Where the position is in the fed text, in code points."""
        raise NotImplementedError

    def _flows(self) -> bool:
        """Whether text without a delimiter may go past the buffer."""
        raise NotImplementedError

    # Inside.

    def _begin_at(self, offset: int) -> None:
        """Everything as before the first character, which lies at `offset` of the fed text."""
        self._buffer = ""
        self._position = 0
        self._offset = offset
        self._delimiter_start = 0
        self._held = []
        self._wait = None
        self._held_space = ""  # by quick chunks, behind the buffer and before what is held there
        self._take_all_slowly()
        self._final = False
        self._at_end = False
        self._empty_at = offset - 1
        self._empty: set[str] = set()  # delimiters without width that fired there
        self._past: set[Lookout] = set()  # watches whose far delimiters cannot come any more
        self._ahead: dict[tuple[str, str], tuple[int, int]] = {}  # where the next one may be

    def _take_all_slowly(self) -> None:
        self._mark = ""  # a chunk goes the quick way if it has no mark,
        self._search = always  # or if no delimiter is found in it,
        self._watchful = False  # and then one of these is looked for, too:
        self._space = None  # such space at its end is held,
        self._bracket = ""  # and where it has this bracket, the value may end

    def _nearer(self, watch: Lookout) -> Lookout | None:
        """The watch without its far delimiters, once the text has ended and they cannot come."""
        if watch not in self._past and not any(self._comes(*far) for far in watch.far):
            self._past.add(watch)
        return watch.near if watch in self._past else watch

    def _comes(self, prefix: str, needed: str) -> bool:
        """Whether the next `prefix` has `needed` after it: if it has not, no later one has."""
        start, end = self._ahead.get((prefix, needed), (-1, -1))
        if start < self._position:
            start = self._buffer.find(prefix, self._position)
            end = self._buffer.find(needed, start) if start >= 0 else -1
            self._ahead[prefix, needed] = start, end
        return end >= 0

    def _fires_empty(self, label: str, start: int) -> bool:
        """Whether a delimiter without width fires: each does once at a place, or none would end."""
        place = self._here() + start - self._position
        if place != self._empty_at:
            self._empty_at = place
            self._empty = set()
        fires = label not in self._empty
        self._empty.add(label)
        return fires
