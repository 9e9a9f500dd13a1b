"""What a user of a generated parser calls: feed, finalize, whole texts, saved states."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from runtime.errors import StateError
from runtime.events import Event, Message
from runtime.regions import Region, Suspended
from runtime.saved_state import require_state_shape
from runtime.stream import Stream, finished_message
from runtime.tools import ToolTypes, argument_types
from runtime.transform import Scope

STATE_FORMAT = 2  # of the data that `state()` returns

_LITTLE = 100  # characters of space: more is kept in pieces, so that time stays linear


class StreamParser(Stream):
    """Streaming parser for one assistant turn: `feed` each chunk, then `finalize`.

    `prefix` is the prompt that the text continues ("" if the text is the whole message; None is a
    ValueError). `tools` are JSON schemas whose types the arguments of calls are cast to. With
    `on_error="keep"` a region whose value cannot be made ends in a `region_malformed` event and an
    entry in `errors`; with "raise" it raises ParseError. After an error, and after `finalize`, the
    parser is finished. `initial_events` are those that the prefix alone decides.
    """

    __slots__ = ("initial_events",)

    def __init__(
        self, prefix: str | None = None, tools: Sequence[Any] | None = None, on_error: str = "raise"
    ) -> None:
        self._begin_behind(rest_of(prefix, self.after_anchor), tools, on_error)

    @staticmethod
    def tool_types(tools: Sequence[Any] | None) -> ToolTypes:
        """What casting needs to know of the tools; a generated class may ask for more."""
        return argument_types(tools)

    @staticmethod
    def after_anchor(prefix: str) -> str:
        """What of the prefix belongs to this message; a generated class defines it."""
        raise NotImplementedError

    def feed(self, text: str) -> list[Event]:
        """Take the next piece of generated text; return the events it decides."""
        if text and (self._mark not in text or self._search(text, 0) is None):
            if self._watchful:
                if (
                    self._bracket
                    and self._bracket in text
                    and self._closes(self._held_space + text)
                ):
                    return self._take(text)
                if self._space:
                    if text.rstrip() is not text:
                        bare = text.rstrip(self._space.characters)
                        if not bare or self._space.most:
                            return self._hold(text)
                        held = self._held_space
                        self._held_space = text[len(bare) :]
                        text = held + bare if held else bare
                    elif self._held_space:
                        text = self._held_space + text
                        self._held_space = ""
            self._push(text)
            event = self._chunk()
            event["text"] = text
            return [event]
        return self._take(text)

    def finalize(self, finish_reason: str | None = None) -> tuple[Message, list[Event]]:
        """End the text: the message and the last events.

        `finish_reason` says why generation ended: "stop" closes an open structured region as if
        its closer had come, "length" leaves it unfinished, None closes it if its value can be made.
        """
        self._require_usable()
        self._catch_up()
        return self._finish("", finish_reason)

    @classmethod
    def whole(
        cls,
        text: str,
        rest: str,
        tools: ToolTypes,
        on_error: str,
        finish_reason: str | None,
    ) -> tuple[Message, list[Event]]:
        """Parse a complete text in one pass: the message and the errors kept.

        `rest` is what of the prefix belongs to the message.
        """
        parser = cls.__new__(cls)
        parser._begin(tools, on_error, -len(rest))
        message, _ = parser._finish(rest + text, finish_reason)
        return message, parser.errors

    def state(self) -> dict[str, Any]:
        """The whole parser as plain JSON data, for `from_state`."""
        self._catch_up()
        return {
            "format": STATE_FORMAT,
            "template": self.TEMPLATE,
            "state": self._state,
            "text": self._buffer,
            "position": self._position,
            "offset": self._here() - self._position,
            "region": [self._region.field, self._region.dirty],
            "is_open": self.is_open,
            "region_start": self._region_start,
            "body": self.body(),
            "opener": self._opener,
            "captures": dict(self.captures),
            "outer": [
                {
                    "region": [outer.region.field, outer.region.dirty],
                    "region_start": outer.start,
                    "body": "".join(outer.body),
                    "opener": outer.opener,
                    "captures": dict(outer.captures),
                }
                for outer in self._outer
            ],
            "empty_at": self._empty_at,
            "empty": sorted(self._empty),
            "message": copy_json(self.message),
            "tools": {
                tool: {name: list(types) for name, types in arguments.items()}
                for tool, arguments in self.tools.items()
            },
            "on_error": self._on_error,
            "initial_events": copy_json(self.initial_events),
            "errors": copy_json(self.errors),
            "finished": self._finished,
        }

    @classmethod
    def from_state(cls, data: Mapping[str, Any]) -> StreamParser:
        """The parser that `state()` described; StateError if this class cannot continue it."""
        if not isinstance(data, Mapping) or data.get("format") != STATE_FORMAT:
            raise StateError(f"not a saved parser state of format {STATE_FORMAT}")
        if data.get("template") != cls.TEMPLATE:
            raise StateError(
                f"saved by a parser of template {data.get('template')}, not of {cls.TEMPLATE}"
            )
        parser = cls.__new__(cls)
        try:
            parser._restore(data)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise StateError(f"damaged parser state: {error!r}") from error
        return parser

    def __copy__(self) -> StreamParser:
        return self.from_state(self.state())

    def __deepcopy__(self, memo: dict[int, Any]) -> StreamParser:
        return self.from_state(self.state())

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_state, (self.state(),)

    def _begin_behind(self, rest: str, tools: Sequence[Any] | None, on_error: str) -> None:
        """Begin with what of the prefix belongs to the message."""
        self._begin(self.tool_types(tools), on_error, -len(rest))
        self.initial_events: list[Event] = self._take(rest) if rest else []

    def _require_usable(self) -> None:
        if self._finished:
            raise self._failure or RuntimeError(f"the parser is finished: {self._finished}")

    def _hold(self, text: str) -> list[Event]:
        """Take text that ends in space which a delimiter may take in, or is nothing else."""
        if len(self._held_space) > _LITTLE or (self._space and self._space.most):
            return self._take(text)
        self._held_space += text
        return []

    def _take(self, text: str) -> list[Event]:
        """The slow path of `feed`: look for delimiters in what is held back and the new text."""
        self._require_usable()
        if not text or (self._wait is not None and self._still_waits(text)):
            return []
        if self._held or self._held_space or self.CONTEXT:
            self._catch_up()
        self._buffer += text
        return self._run()

    def _still_waits(self, text: str) -> bool:
        """Whether the held text cannot be decided by this chunk; if so, the chunk is held too."""
        assert self._wait is not None
        search, overlap = self._wait
        tail = ""
        if overlap:
            tail = (self._buffer[-overlap:] + "".join(self._held[-overlap:]))[-overlap:]
        if search(tail + text, 0):
            return False
        self._held.append(text)
        self._take_all_slowly()
        return True

    def _finish(self, text: str, finish_reason: str | None) -> tuple[Message, list[Event]]:
        self._buffer += text
        end = self._here() + len(self._buffer) - self._position
        self._final = True
        self._finish_reason = finish_reason
        events = self._run()
        for field in self.REQUIRED:
            if field not in self.message:
                missing = ValueError("required, but the text has no value for it")
                self._fail(missing, field, (end, end), "", "missing", self._on_error)
        self._finished = "finalize was called"
        return finished_message(self.message, type(self)), events

    def _restore(self, data: Mapping[str, Any]) -> None:
        require_state_shape(data, self.JOINED)
        tools = {
            tool: {name: tuple(types) for name, types in arguments.items()}
            for tool, arguments in data["tools"].items()
        }
        self._begin(tools, data["on_error"], data["offset"])
        field, dirty = data["region"]
        self.between(Region(field, dirty))
        self._buffer = data["text"]
        self._position = data["position"]
        self._state = data["state"]
        if not self._state.startswith(("in_", "between_regions")) or not hasattr(self, self._state):
            raise ValueError(f"there is no state {self._state!r}")
        self.is_open = data["is_open"]
        self._region_start = data["region_start"]
        self._opener = data["opener"]
        if data["body"]:
            self._push(data["body"])
        self._seen = len(self._body)
        self.go_on()
        self.captures = Scope(data["captures"])
        self._outer = [
            Suspended(
                region=Region(*outer["region"]),
                body=[outer["body"]],
                size=len(outer["body"]),
                start=outer["region_start"],
                opener=outer["opener"],
                captures=Scope(outer["captures"]),
            )
            for outer in data["outer"]
        ]
        self._empty_at = data["empty_at"]
        self._empty = set(data["empty"])
        self.message = copy_json(data["message"])
        self.initial_events = copy_json(data["initial_events"])
        self.errors = copy_json(data["errors"])
        self._finished = data["finished"]


def rest_of(prefix: str | None, after_anchor: Callable[[str], str]) -> str:
    """What of the prefix the message begins with; ValueError if there is no prefix."""
    if prefix is None:
        raise ValueError(
            "prefix is required: the prompt that the text continues, or '' if the text is the "
            "whole message"
        )
    return after_anchor(prefix) if prefix else ""


def copy_json(data: Any) -> Any:
    """A copy of JSON data that shares nothing mutable with it; any depth."""
    holder = [data]
    unvisited: list[Any] = [holder]
    while unvisited:
        container = unvisited.pop()
        items = container.items() if isinstance(container, dict) else enumerate(container)
        for key, item in list(items):
            if isinstance(item, (dict, list)):
                container[key] = copied = item.copy()
                unvisited.append(copied)
    return holder[0]
