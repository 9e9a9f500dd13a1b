"""The parser of templates with strings in which delimiters do not count, or with values that end.

What such a region is made of is read by runtime/body.py.
"""

from __future__ import annotations

from typing import Any

from runtime.body import BodyReader, Outlook
from runtime.events import Event, Message
from runtime.parser import StreamParser
from runtime.scan import Lookout
from runtime.strings import Strings
from runtime.tools import ToolTypes


class BodyParser(StreamParser):
    # For users it is the same.
    __doc__ = StreamParser.__doc__
    __slots__ = ("_outlook", "_reader")

    _outlook: Outlook
    _reader: BodyReader | None

    def state(self) -> dict[str, Any]:
        """The whole parser as plain JSON data, for `from_state`."""
        self._forget_reader()
        return super().state()

    def seek_outside(
        self, watch: Lookout | None, strings: Strings, value_end: str = ""
    ) -> str | None:
        """`seek`, but no delimiter counts that begins in a string of the region's text.

        With `value_end`, that label is found where the region's value ends, too.
        """
        if self._final and watch and watch.far:
            watch = self._nearer(watch)
        reader = self._reader
        if reader is None or reader.pieces is not self._body:
            reader = BodyReader(self._body, strings, value_end, self._outlook)
            self._reader = reader
        reader.look(watch, self._position)
        found = self.seek(reader)
        if found is None and reader.bracket:
            self._bracket = reader.bracket
            self._closes = reader.closes
            self._watchful = True
        return found

    def _finish(self, text: str, finish_reason: str | None) -> tuple[Message, list[Event]]:
        self._outlook.finish_reason = finish_reason
        return super()._finish(text, finish_reason)

    def _begin(self, tools: ToolTypes, on_error: str, offset: int) -> None:
        self._outlook = Outlook()
        self._forget_reader()
        super()._begin(tools, on_error, offset)

    def _forget_reader(self) -> None:
        """A new one will read the region's text from its beginning."""
        self._reader = None
        self._take_all_slowly()
