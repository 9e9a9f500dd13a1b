"""Reading a region whose delimiters do not count inside strings, or which ends with its value.

A value ends where the bracket that opened first is closed; other kinds of brackets do not count. A
reader learns of text only when it matters: where a delimiter is complete, or so many brackets have
closed as were open. Then it reads on from where it stands; so text is read once, however it comes
in pieces, and most chunks cost next to nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from runtime.scan import NEVER, Found, Lookout, Search, Space
from runtime.strings import Strings, ThroughBrackets

# What is known of the value that a region may end with; nothing, if it cannot.
_NO_VALUE, _BEFORE_VALUE, _IN_VALUE, _VALUE_READ = range(4)


class Outlook:
    """What is known of the text ahead, for all regions of a stream: nothing is sought twice."""

    def __init__(self) -> None:
        self.finish_reason: str | None = None
        self.unclosed: dict[Strings, frozenset[int]] = {}  # kinds of which no string ends any more
        self._found: dict[Lookout, tuple[str, int, bool, Found | None]] = {}

    def find(self, watch: Lookout, text: str, position: int, final: bool) -> Found | None:
        """What the watch finds. A region may end before that, and then the next one asks again."""
        if watch in self._found:
            same, start, was_final, found = self._found[watch]
            is_ahead = start <= position and (found is None or found[1] >= position)
            if same is text and was_final is final and is_ahead:
                return found
        found = watch.find(text, position, final)
        self._found[watch] = text, position, final, found
        return found


class BodyReader:
    """Reads the text of one region; for `seek` it is a watch that finds only what counts.

    `pieces` is the region's text as it grows. All of this can be found again from that text, so
    a saved state has none of it.
    """

    far: ClassVar[Sequence[tuple[str, str]]] = ()
    near: ClassVar[Lookout | None] = None

    __slots__ = (
        "_ahead",
        "_depth",
        "_due",
        "_is_ahead",
        "_outlook",
        "_place",
        "_position",
        "_read_pieces",
        "_rest",
        "_string",
        "_strings",
        "_through_brackets",
        "_value",
        "_value_end",
        "_watch",
        "bracket",
        "pieces",
    )

    _depth: int  # of brackets
    _due: int  # so many must close before the value can end
    _is_ahead: bool  # what `closes` has read may not be among the pieces
    _rest: str  # what is to be read again: it may be the beginning of a delimiter
    _string: int  # kind of the string that is open
    _through_brackets: ThroughBrackets
    _value: int
    bracket: str  # what the value will end with; "" if that is not known, or it has ended

    def __init__(
        self, pieces: list[str], strings: Strings, value_end: str, outlook: Outlook
    ) -> None:
        self.pieces = pieces
        self._strings = strings
        self._value_end = value_end
        self._outlook = outlook
        self._read_pieces = 0
        self._ahead = 0  # characters that were read of the pieces after those
        self._begin()

    def look(self, watch: Lookout | None, position: int) -> None:
        """Make ready to find what `watch` watches; the pieces end at the position."""
        self._watch = watch
        self._position = self._place = position  # the place is where to read on
        if self._is_ahead:
            new = sum(map(len, self.pieces[self._read_pieces :]))
            self._place += max(0, self._ahead - new)
            self._is_ahead = False

    def find(self, text: str, position: int, final: bool) -> Found | None:
        """The first delimiter outside of strings, complete or held back, or the value's end."""
        while True:
            found = self._sight(text, position, final)
            if not self._value and (found is None or found[0] is None):
                return found  # nothing ends here yet
            if found is None and not final and self._is_early(text, position):
                return None  # it is read with what comes
            limit = found[1] if found else len(text)
            self._read_to(text, limit, final and not self._is_cut())
            if self._value == _VALUE_READ:
                return self._at_value_end(text, found, final)
            if self._place > limit:
                position = self._place  # behind the string that hides what was found
            elif found and found[0] is not None and self._string >= 0:
                return None if final else (None, limit, limit, (self._end_of_string(text), 0))
            else:
                return found

    @property
    def mark(self) -> str:
        """As of a watch."""
        if self._value and not self.bracket:
            return ""
        return self._watch.mark if self._watch else NEVER

    @property
    def quick(self) -> Search | None:
        """As of a watch."""
        if self._watch is None or (self._value and not self.bracket):
            return None
        return self._watch.quick

    @property
    def space(self) -> Space | None:
        """As of a watch."""
        return self._watch.space if self._watch else None

    def closes(self, chunk: str) -> bool:
        """Whether the value ends in a chunk that has its bracket; each is given to it once."""
        self._due -= chunk.count(self.bracket)
        if self._due > 0:
            return False
        space = self.space
        if space:
            chunk = chunk.rstrip(space.characters)
        text = self._unread(chunk)
        end = self._read(text, 0, len(text), False)
        self._read_pieces = len(self.pieces)
        self._ahead = len(chunk) - (len(text) - end)
        self._is_ahead = True
        return not self.bracket

    def is_in_string(self) -> bool:
        """Whether a string is open where the text was read to."""
        return self._string >= 0

    # Inside.

    def _is_cut(self) -> bool:
        """Whether a string that is open at the end of the text may have been cut off.

        Then what it quotes must not be taken for delimiters.
        """
        return self._outlook.finish_reason != "stop"

    def _begin(self) -> None:
        self._string = -1
        self._rest = ""
        self._depth = 0
        self._due = 1
        self._is_ahead = False
        self.bracket = ""
        self._value = _BEFORE_VALUE if self._value_end else _NO_VALUE

    def _is_early(self, text: str, position: int) -> bool:
        """Whether a region begins with a value, and with so little of it that it cannot end."""
        bracket = self._strings.closing.get(text[position : position + 1])
        if self.pieces or self._value != _BEFORE_VALUE or not bracket:
            return False
        self.bracket = bracket
        return text.find(bracket, position) < 0

    def _sight(self, text: str, position: int, final: bool) -> Found | None:
        if self._watch is None:
            return None
        if self._value:
            return self._outlook.find(self._watch, text, position, final)
        return self._watch.find(text, position, final)

    def _at_value_end(self, text: str, found: Found | None, final: bool) -> Found:
        """A delimiter directly behind the value is longer than the value's end, and wins."""
        place = self._place
        if found and found[1] == place:
            return found
        label = None if self._watch and not final and place == len(text) else self._value_end
        return label, place, place, None

    def _end_of_string(self, text: str) -> Search:
        """A search for the end of the string that is open where the text so far ends."""
        rest = self._rest + text[self._place :]
        _, place = self._strings.closed(self._string, rest, 0, len(rest))
        return self._strings.awaiting(self._string, rest[place:])

    def _read_to(self, text: str, limit: int, final: bool) -> None:
        """Read on up to the limit, which becomes the place.

        The place is before it if the value ends there, and behind it if a string lies over it.
        """
        if self._value == _VALUE_READ:
            return
        if final and self._string >= 0:  # whether that string ends is known only now
            self._begin()
            self._place = self._position
            passed = "".join(self.pieces)
        else:
            passed = self._unread()
        self._read_pieces = len(self.pieces)
        if passed:
            shift = len(passed) - self._place
            end = self._read(passed + text[self._place :], 0, limit + shift, final) - shift
        else:
            end = self._read(text, self._place, limit, final)
        self._place = end
        self._ahead = end - self._position

    def _unread(self, more: str = "") -> str:
        return self._rest + ("".join(self.pieces[self._read_pieces :]) + more)[self._ahead :]

    def _read(self, text: str, place: int, limit: int, final: bool) -> int:
        """From a place up to the limit; where reading ends (see above).

        A string is open at the limit if it is open where the text ends. In a final text none is.
        """
        self._rest = ""
        strings = self._strings
        while True:
            if self._string >= 0:
                place = self._through_string(text, place, limit, final)
                if self._string >= 0:
                    self._rest = text[place:limit]
                    return limit
            if place >= limit:
                return place
            stop = self._run(text, place, limit)
            if stop == limit or self._value == _VALUE_READ:
                return stop
            self._string = strings.opened(text, stop, limit, self._unclosed())
            if self._string >= 0:
                stop += len(strings.kinds[self._string].opener)
            elif stop == place:
                self._rest = text[stop:limit]  # it may become the opener of a string
                return limit
            place = stop

    def _run(self, text: str, place: int, limit: int) -> int:
        """Behind text, whole strings and brackets, up to what needs a decision, or the value."""
        strings = self._strings
        if self._value == _BEFORE_VALUE:
            without = self._unclosed()
            place = strings.before_value(text, place, limit, without)
            if place == limit:
                return limit
            if text[place] in strings.closing:
                self._value = _IN_VALUE
                self.bracket = strings.closing[text[place]]
                self._through_brackets = strings.through_brackets(self.bracket, without)
            elif strings.named and text[place] not in strings.closing.values():
                return place
            else:
                self._value = _NO_VALUE
        if self._value:
            stop, self._depth = self._through_brackets(text, place, limit, self._depth)
            self._due = self._depth
            if not self._depth:
                self._value = _VALUE_READ
                self.bracket = ""
        elif strings.are_closed(text, place, limit):
            stop = limit
        else:
            stop = strings.run(self._unclosed(), False)(text, place, limit).end()
        return stop

    def _through_string(self, text: str, place: int, limit: int, final: bool) -> int:
        """From inside a string to behind it; or, if it stays open, to where to read on."""
        index, strings = self._string, self._strings
        is_closed, stop = strings.closed(index, text, place, len(text))
        if is_closed:
            self._string = -1
        elif final:  # it is no string; the place is directly behind its opener, which is text
            self._string = -1
            self._value = _NO_VALUE
            self.bracket = ""
            self._outlook.unclosed[strings] = self._unclosed() | {index}
            return place
        elif limit < len(text):
            return strings.closed(index, text, place, limit)[1]
        return stop

    def _unclosed(self) -> frozenset[int]:
        return self._outlook.unclosed.get(self._strings, _NONE)


_NONE = frozenset[int]()
_NO_END = "a string without an end"  # what it means depends on why generation ended


def first_outside(search: Search, strings: Strings, text: str, position: int) -> Any:
    """The first match that begins outside of the strings of a complete text, or None.

    Raises ValueError where a string has no end: then a BodyReader has to tell.
    """
    found = search(text, position)
    while found and (place := _behind_strings(strings, text, position, found.start())):
        position = place
        found = search(text, position)
    return found


def _behind_strings(strings: Strings, text: str, place: int, limit: int) -> int:
    """Behind the string that lies over the limit; 0 if none does."""
    if strings.are_closed(text, place, limit):
        return 0
    run = strings.run(_NONE, False)
    while (place := run(text, place, limit).end()) < limit:
        index = strings.opened(text, place, limit, _NONE)
        if index < 0:
            place += 1
            continue
        inner = place + len(strings.kinds[index].opener)
        is_closed, place = strings.closed(index, text, inner, len(text))
        if not is_closed:
            raise ValueError(_NO_END)
    return place if place > limit else 0


def first_or_value(
    watch: Lookout | None,
    strings: Strings,
    value_end: str,
    text: str,
    position: int,
    outlook: Outlook,
    is_told: bool = False,
) -> Found | None:
    """The first delimiter outside of strings of a complete text, or the end of its value.

    `is_told`: what becomes of the text up to there tells if it is cut short, or too long.
    """
    found = outlook.find(watch, text, position, True) if watch else None
    limit = found[1] if found else len(text)
    if is_told and found and text[limit - 1] in strings.closing.values():
        return found
    start = strings.before_value(text, position, limit, _NONE)
    if start < limit and text[start] in strings.closing:  # the usual case; a reader does the others
        bracket = strings.closing[text[start]]
        through = strings.through_brackets(bracket, _NONE)
        place, depth = through(text, start, limit, 0)
        if not depth:
            return found if place == limit and found else (value_end, place, place, None)
    reader = BodyReader([], strings, value_end, outlook)
    reader.look(watch, position)
    found = reader.find(text, position, final=True)
    if reader.is_in_string():
        raise ValueError(_NO_END)
    return found
