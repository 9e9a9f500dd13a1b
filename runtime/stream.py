"""The machine under every generated parser: regions, their events, values and failures.

A generated class adds one method a state. A state looks for its next delimiter with `seek`, which
sends the text before it to the current region; it closes or opens a region and returns the next
state, or None when it must wait for more text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Protocol

from runtime.errors import ParseError, describe_cause, parse_error_class
from runtime.events import Event, Message
from runtime.regions import Region, Suspended
from runtime.seek import Seeker
from runtime.tools import ToolTypes, ToolTypesError
from runtime.transform import Scope, TransformError, UndefinedPlaceholder

ON_ERROR = ("raise", "keep")


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


class Unfinished(ValueError):
    """The text ended inside a structured region."""


class Stream(Seeker):
    """One stream of text on its way through the states."""

    TEMPLATE: ClassVar[str]  # hash of the template, which a saved state must carry
    REQUIRED: ClassVar[tuple[str, ...]] = ()
    JOINED: ClassVar[Mapping[str, str]] = {}  # field -> separator; pieces are kept in a list
    DEFAULTS: ClassVar[frozenset[str]] = frozenset()  # keys that stay in the message though empty

    __slots__ = (
        "_body",
        "_chunk",
        "_counted",
        "_events",
        "_failure",
        "_finish_reason",
        "_finished",
        "_is_stopped",
        "_on_error",
        "_opener",
        "_outer",
        "_push",
        "_refused",
        "_region",
        "_region_start",
        "_seen",
        "_size",
        "_state",
        "_text_start",
        "captures",
        "errors",
        "is_open",
        "message",
        "tools",
    )

    _body: list[str]
    _chunk: Callable[[], Event]
    _counted: int  # pieces of the body that `_size` counts
    _events: list[Event]
    _failure: ParseError | None
    _finish_reason: str | None
    _opener: str  # text of the delimiter that opened the region
    _outer: list[Suspended]
    _push: Callable[[str], None]
    _refused: str  # text of a region without a value, to go on as text of another
    _region: Region
    _region_start: int  # where its text begins
    _size: int
    _state: str  # name of the method that goes on
    _text_start: int  # where the region's text would begin if nothing had interrupted it
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

    def between(self, region: Region) -> None:
        """Enter a region that opens with its first character."""
        self._region = region
        self._chunk = region.chunk.copy
        self._body = []
        self._push = self._body.append
        self._size = self._counted = 0
        self.is_open = False
        self._is_stopped = False  # whether the region has ended, but not by its closer
        self.captures = Scope()

    def open(self, region: Region) -> None:
        """Enter a region whose opener has just been found."""
        self.between(region)
        self.is_open = True
        self._region_start = self._text_start = self._offset + self._position
        self._opener = self._buffer[self._delimiter_start : self._position]
        self._events.append({"type": "region_open", "field": region.field})

    def suspend(self) -> None:
        """Leave the current region for one inside it."""
        size, start = self._length(), self._region_start
        outer = Suspended(self._region, self._body, size, start, self._opener, self.captures)
        self._outer.append(outer)

    def resume(self) -> None:
        """Go on with the region that was left last."""
        outer = self._outer.pop()
        self.between(outer.region)
        self._body = outer.body
        self._push = self._body.append
        self._size, self._counted = outer.size, len(outer.body)
        self.is_open = True
        self._region_start = outer.start
        self._opener = outer.opener
        self.captures = outer.captures
        self.go_on()

    def go_on(self) -> None:
        """Go on with the current region behind text that is not part of it."""
        if self.is_open:
            self._text_start = self._offset + self._position - self._length()

    def capture(self, delimiter: Any) -> None:
        """Add the named groups of the delimiter just found, read by its own pattern."""
        self.captures.update(groups_of(delimiter.match(self._buffer, self._delimiter_start)))

    def body(self) -> str:
        """The text of the current region."""
        pieces = self._body
        if len(pieces) > 1:
            pieces[:] = ["".join(pieces)]
            self._size, self._counted = len(pieces[0]), 1
            self._seen = 1
        return pieces[0] if pieces else ""

    def whole_body(self) -> str:
        """The text of the current structured region; raises if generation was cut off inside it."""
        if self._at_end and self._finish_reason == "length":
            raise Unfinished("the text ended inside the region (finish_reason is 'length')")
        return self.body()

    def closed_body(self) -> str:
        """The same; raises unless its closer has come, or the server has cut that off."""
        if self._is_stopped or (self._at_end and self._finish_reason != "stop"):
            raise Unfinished("the text ended inside the region")
        return self.body()

    def stop(self) -> None:
        """End the current region's text where generation stopped in it."""
        self._is_stopped = True

    def close(self, value: Any) -> None:
        """End the current region with its value."""
        event = {"type": "region_close", "field": self._region.field, "value": value}
        self._events.append(event)

    def malformed(
        self, error: Exception, on_incomplete: str | None = None, on_invalid: str | None = None
    ) -> None:
        """End the current region without a value, in the way that the template or the caller wants.

        raise: ParseError. keep: the failure is an event and an entry in `errors`. drop: it is an
        event only. text: so, and the text of the region with its delimiters is for `readmit`.
        """
        raw = self.body()
        end = self._here()
        reason = self._reason(error)
        if isinstance(error, ToolTypesError):
            error = error.error
        policy = (on_incomplete if reason == "unfinished" else on_invalid) or self._on_error
        span = (self._region_start, end)
        self._fail(error, str(self._region.field), span, raw, reason, policy)
        if policy == "text":
            closer = self._offset + self._position - end
            self._refused = self._opener + raw
            self._refused += self._buffer[self._position - closer : self._position]

    def check_outside(
        self, allowed: Any, field: str, incomplete: str | None = None, invalid: str | None = None
    ) -> None:
        """Before a region in a section of a field, or its end: fail unless other text is allowed.

        `incomplete` and `invalid` are policies, as of `malformed`.
        """
        raw = self.body()
        if raw and not allowed.fullmatch(raw):
            reason, policy = ("unfinished", incomplete) if self._at_end else ("content", invalid)
            span = self._region_start, self._region_start + len(raw)
            error = ValueError("text in a section, outside of its regions")
            self._fail(error, field, span, raw, reason, policy or self._on_error)

    def readmit(self) -> None:
        """Let what `malformed` refused go on as text of the current region."""
        text, self._refused = self._refused, ""
        if not text:
            return
        was_open = self.is_open
        self._emit(text)
        if not was_open:
            self._region_start -= len(text)
        self.go_on()

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
        self._begin_at(offset)
        self._seen = 0  # pieces of the body that went through the buffer
        self._finish_reason = None
        self._finished = ""  # why no more text is taken
        self._failure = None
        self._region_start = self._text_start = offset
        self._opener = ""
        self._outer = []
        self._refused = ""
        self._state = self.start().__name__

    def _run(self) -> list[Event]:
        """Run states until one waits for more text, then drop what no delimiter can look at."""
        events: list[Event] = []
        self._events = events
        self._take_all_slowly()
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
        if self._space:
            self._held_space = self._buffer[self._position :]
            self._buffer = self._buffer[: self._position]
        self._seen = len(self._body)
        return events

    def _catch_up(self) -> None:
        """Bring back what went past the buffer: the context of quick chunks, and held pieces."""
        size = len(self._body)
        if self.CONTEXT and size > self._seen:
            passed = self._body[max(self._seen, size - self.CONTEXT) :]
            self._buffer = (self._buffer + "".join(passed))[-self.CONTEXT :]
            self._position = len(self._buffer)
            self._seen = size
        if self._held_space or self._held:
            self._buffer += self._held_space + "".join(self._held)
            self._held_space = ""
            self._held = []
            self._take_all_slowly()

    def _here(self) -> int:
        """Where the stream is in the fed text, in code points.

        Inside a region that is its start and its text: quick chunks are not counted one by one.
        """
        if self._flows():
            return self._text_start + self._length()
        return self._offset + self._position

    def _length(self) -> int:
        """Of the region's text, in code points; every piece is counted once."""
        pieces = self._body
        if len(pieces) > self._counted:
            self._size += sum(map(len, pieces[self._counted :]))
            self._counted = len(pieces)
        return self._size

    def _flows(self) -> bool:
        return self.is_open and self._region.field is not None

    def _emit(self, text: str) -> None:
        region = self._region
        if region.field is None:
            if region.dirty:
                if not self._body:
                    self._region_start = self._offset + self._position
                self._push(text)
            return
        if not self.is_open:
            self.is_open = True
            self._region_start = self._text_start = self._offset + self._position
            self._events.append({"type": "region_open", "field": region.field})
        self._push(text)
        event = self._chunk()
        event["text"] = text
        self._events.append(event)

    def _reason(self, error: Exception) -> str:
        if isinstance(error, Unfinished):
            return "unfinished"
        if isinstance(error, ToolTypesError):
            return "tools"
        if isinstance(error, (TransformError, UndefinedPlaceholder)):
            return "transform"
        is_cut = self._is_stopped or (self._at_end and self._finish_reason is None)
        return "unfinished" if is_cut else "content"

    def _fail(
        self,
        error: Exception,
        field: str,
        span: tuple[int, int],
        raw: str,
        reason: str,
        policy: str,
    ) -> None:
        detail = describe_cause(error)
        if policy == "raise":
            self._finished = f"an earlier call raised ParseError: {detail}"
            self._failure = parse_error_class(error)(detail, field, span, raw, reason, self._events)
            raise self._failure from error
        event: Event = {"type": "region_malformed", "field": field, "reason": reason}
        event |= {"message": detail, "raw": raw, "span": list(span)}
        self._events.append(event)
        if policy == "keep":
            self.errors.append({**event, "span": list(span)})


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
