"""The machine under every generated parser: buffer, hold-back, regions, events and failures.

A generated class adds one method a state. A state looks for its next delimiter with `seek`, which
sends the text before it to the current region; it closes or opens a region and returns the next
state, or None when it must wait for more text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Protocol

from runtime.errors import ParseError, describe_cause, parse_error_class
from runtime.events import Event, Message
from runtime.scan import NEVER, Search, Wait, Watch, always
from runtime.tools import ToolTypes, ToolTypesError
from runtime.transform import Scope, TransformError, UndefinedPlaceholder

ON_ERROR = ("raise", "keep")
END = ""  # what `seek` finds where the text ends


class State(Protocol):
    """A method of a parser: run it, and it returns the next state, or None to wait or to end."""

    __name__: str

    def __call__(self) -> State | None: ...


# What making a value may raise, given any text at all.
FAILURES = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    ToolTypesError,
)


class Region:
    """A kind of region as the stream sees it; `dirty` chunks are raw text, not yet a value.

    Text in a region of no field (None) is dropped.
    """

    __slots__ = ("chunk", "dirty", "field")

    def __init__(self, field: str | None, dirty: bool = False) -> None:
        self.field = field
        self.dirty = dirty
        self.chunk: Event = {"type": "region_chunk", "field": field, "text": "", "dirty": dirty}


class Unfinished(ValueError):
    """The text ended inside a structured region."""


class Stream:
    """One stream of text on its way through the states."""

    TEMPLATE: ClassVar[str]  # hash of the template, which a saved state must carry
    CONTEXT: ClassVar[int] = 0  # how many characters of consumed text the delimiters can look at
    REQUIRED: ClassVar[tuple[str, ...]] = ()
    JOINED: ClassVar[Mapping[str, str]] = {}  # field -> separator; pieces are kept in a list
    DEFAULTS: ClassVar[frozenset[str]] = frozenset()  # keys that stay in the message though empty

    __slots__ = (
        "_ahead",
        "_at_end",
        "_body",
        "_buffer",
        "_chunk",
        "_delimiter_start",
        "_empty",
        "_empty_at",
        "_events",
        "_failure",
        "_final",
        "_finish_reason",
        "_finished",
        "_held",
        "_mark",
        "_offset",
        "_on_error",
        "_past",
        "_position",
        "_push",
        "_region",
        "_region_start",
        "_search",
        "_seen",
        "_state",
        "_wait",
        "captures",
        "errors",
        "is_open",
        "message",
        "tools",
    )

    _body: list[str]
    _buffer: str
    _chunk: Callable[[], Event]
    _events: list[Event]
    _failure: ParseError | None
    _final: bool
    _finish_reason: str | None
    _held: list[str]  # text that came while nothing could change the verdict
    _offset: int  # of the buffer's first character in the fed text; exact outside of regions
    _position: int  # in the buffer; what lies before it is context for look-behinds
    _push: Callable[[str], None]
    _region: Region
    _search: Search
    _state: str  # name of the method that goes on
    _wait: Wait | None
    captures: Scope
    errors: list[Event]
    message: Message
    tools: ToolTypes

    # What a generated class defines.

    def start(self) -> State:
        """Begin the first region and return the first state."""
        raise NotImplementedError

    def defaults(self) -> Message:
        """A new message as it is before the first region."""
        raise NotImplementedError

    # What the generated states call.

    def seek(self, watch: Watch | None) -> str | None:
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
            self._at_end = True
            return END
        if found:
            self._wait = found[3]
        elif self.is_open and self._region.field is not None:
            self._mark = watch.mark if watch else NEVER
            self._search = (watch and watch.quick) or always
        return None

    def between(self, region: Region) -> None:
        """Enter a region that opens with its first character."""
        self._region = region
        self._chunk = region.chunk.copy
        self._body = []
        self._push = self._body.append
        self.is_open = False
        self.captures = Scope()

    def open(self, region: Region) -> None:
        """Enter a region whose opener has just been found."""
        self.between(region)
        self.is_open = True
        self._region_start = self._offset + self._position
        self._events.append({"type": "region_open", "field": region.field})

    def capture(self, delimiter: Any) -> None:
        """Add the named groups of the delimiter just found, read by its own pattern."""
        self.captures.update(groups_of(delimiter.match(self._buffer, self._delimiter_start)))

    def body(self) -> str:
        """The text of the current region."""
        pieces = self._body
        if len(pieces) > 1:
            pieces[:] = ["".join(pieces)]
            self._seen = 1
        return pieces[0] if pieces else ""

    def whole_body(self) -> str:
        """The text of the current structured region; raises if generation was cut off inside it."""
        if self._at_end and self._finish_reason == "length":
            raise Unfinished("the text ended inside the region (finish_reason is 'length')")
        return self.body()

    def close(self, value: Any) -> None:
        """End the current region with its value."""
        event = {"type": "region_close", "field": self._region.field, "value": value}
        self._events.append(event)

    def malformed(self, error: Exception) -> None:
        """End the current region without a value: raise ParseError, or keep the failure as data."""
        raw = self.body()
        start = self._region_start
        reason = self._reason(error)
        if isinstance(error, ToolTypesError):
            error = error.error
        self._fail(error, str(self._region.field), (start, start + len(raw)), raw, reason)

    # Inside.

    def _begin(self, tools: ToolTypes, on_error: str, offset: int) -> None:
        """Everything as before the first character, which lies at `offset` of the fed text."""
        if on_error not in ON_ERROR:
            raise ValueError(f"on_error must be 'raise' or 'keep', not {on_error!r}")
        self.tools = tools
        self.errors = []
        self.message = self.defaults()
        self._on_error = on_error
        self._events = []
        self._buffer = ""
        self._position = 0
        self._offset = offset
        self._delimiter_start = 0
        self._held = []
        self._wait = None
        self._mark = ""  # a chunk goes the quick way if it has no mark,
        self._search = always  # or if no delimiter is found in it
        self._seen = 0  # pieces of the body that went through the buffer
        self._final = False
        self._at_end = False
        self._finish_reason = None
        self._finished = ""  # why no more text is taken
        self._failure = None
        self._empty_at = offset - 1
        self._empty: set[str] = set()  # delimiters without width that fired there
        self._region_start = offset
        self._past: set[Watch] = set()  # watches whose far delimiters cannot come any more
        self._ahead: dict[tuple[str, str], tuple[int, int]] = {}  # where the next one may be
        self._state = self.start().__name__

    def _run(self) -> list[Event]:
        """Run states until one waits for more text, then drop what no delimiter can look at."""
        events: list[Event] = []
        self._events = events
        self._mark = ""
        self._search = always
        self._wait = None
        state = getattr(self, self._state)
        while (following := state()) is not None:
            state = following
        self._state = state.__name__
        drop = self._position - self.CONTEXT
        if drop > 0:
            self._buffer = self._buffer[drop:]
            self._offset += drop
            self._position -= drop
        self._seen = len(self._body)
        return events

    def _catch_up(self) -> None:
        """Bring back what went past the buffer: held pieces, and the context of quick chunks."""
        if self._held:
            self._buffer += "".join(self._held)
            self._held = []
        size = len(self._body)
        if self.CONTEXT and size > self._seen:
            passed = self._body[max(self._seen, size - self.CONTEXT) :]
            self._buffer = (self._buffer + "".join(passed))[-self.CONTEXT :]
            self._position = len(self._buffer)
            self._seen = size

    def _here(self) -> int:
        """Where the stream is in the fed text, in code points.

        Inside a region that is its start and its text: quick chunks are not counted one by one.
        """
        if self.is_open and self._region.field is not None:
            return self._region_start + len(self.body())
        return self._offset + self._position

    def _emit(self, text: str) -> None:
        region = self._region
        if region.field is None:
            return
        if not self.is_open:
            self.is_open = True
            self._region_start = self._offset + self._position
            self._events.append({"type": "region_open", "field": region.field})
        self._push(text)
        event = self._chunk()
        event["text"] = text
        self._events.append(event)

    def _nearer(self, watch: Watch) -> Watch | None:
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

    def _reason(self, error: Exception) -> str:
        if isinstance(error, Unfinished):
            return "unfinished"
        if isinstance(error, ToolTypesError):
            return "tools"
        if isinstance(error, (TransformError, UndefinedPlaceholder)):
            return "transform"
        return "unfinished" if self._at_end and self._finish_reason is None else "content"

    def _fail(
        self, error: Exception, field: str, span: tuple[int, int], raw: str, reason: str
    ) -> None:
        detail = describe_cause(error)
        if self._on_error == "keep":
            event: Event = {"type": "region_malformed", "field": field, "reason": reason}
            event |= {"message": detail, "raw": raw, "span": list(span)}
            self._events.append(event)
            self.errors.append({**event, "span": list(span)})
            return
        self._finished = f"an earlier call raised ParseError: {detail}"
        self._failure = parse_error_class(error)(detail, field, span, raw, reason, self._events)
        raise self._failure from error


def finished_message(message: Message, parser: type[Stream]) -> Message:
    """The message as the user gets it: joined pieces as text, keys without a value dropped."""
    for field, separator in parser.JOINED.items():
        if field in message:
            pieces = message[field]
            message[field] = separator.join(pieces) if pieces else None
    kept = parser.DEFAULTS
    return {
        key: value for key, value in message.items() if value or key in kept or not is_empty(value)
    }


def groups_of(match: Any) -> dict[str, str]:
    """The named groups of a match, without those that took no part in it."""
    return {name: text for name, text in match.groupdict().items() if text is not None}


def is_empty(value: Any) -> bool:
    """Whether the finished message drops the value (v1: None, "", [], {}; 0 and false stay)."""
    return value is None or (isinstance(value, (str, list, dict)) and not value)
