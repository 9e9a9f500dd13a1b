"""What a parser raises: ParseError for text without a message, StateError for a bad saved state."""

from __future__ import annotations

from typing import Any

from runtime.events import Event

_EXCERPT = 60  # characters of the raw region shown in a message


class ParseError(ValueError):
    """A region's value cannot be made, or a required field is missing.

    `field`: the field's name. `span`: start and end of the raw text in code points of the fed text
    (the prefix counts backwards from 0). `raw`: that text. `reason`: "content", "transform",
    "tools", "unfinished" or "missing". `events`: what the failing call had already decided.
    """

    def __init__(
        self,
        detail: str,
        field: str,
        span: tuple[int, int],
        raw: str,
        reason: str,
        events: list[Event],
    ) -> None:
        super().__init__(detail, field, span, raw, reason, events)
        self.detail = detail
        self.field = field
        self.span = span
        self.raw = raw
        self.reason = reason
        self.events = events

    def __str__(self) -> str:
        excerpt = self.raw if len(self.raw) <= _EXCERPT else self.raw[:_EXCERPT] + "..."
        return f"field {self.field!r} at offset {self.span[0]}: {self.detail} (text: {excerpt!r})"


# The reference raises these classes from its transforms and its deepest recursion; deriving from
# both keeps existing `except` clauses working.
class ParseKeyError(ParseError, KeyError):
    """A placeholder's root is neither the content nor a capture."""

    __str__ = ParseError.__str__


class ParseTypeError(ParseError, TypeError):
    """A value of a type that the field cannot hold."""


class ParseAttributeError(ParseError, AttributeError):
    """A `repeats` field whose default is not a list."""


class ParseRecursionError(ParseError, RecursionError):
    """A value nested too deeply for the interpreter."""


class StateError(ValueError):
    """A saved state of another format, another template or another shape."""


_BY_CAUSE: tuple[tuple[type[Exception], type[ParseError]], ...] = (
    (KeyError, ParseKeyError),
    (TypeError, ParseTypeError),
    (AttributeError, ParseAttributeError),
    (RecursionError, ParseRecursionError),
)


def parse_error_class(cause: Exception) -> type[ParseError]:
    """The ParseError that also derives from the class of `cause`, where that matters."""
    for cause_class, error_class in _BY_CAUSE:
        if isinstance(cause, cause_class):
            return error_class
    return ParseError


def describe_cause(cause: Exception) -> str:
    """One line for people: a KeyError's own text is only the repr of its key."""
    if isinstance(cause, KeyError) and type(cause).__str__ is KeyError.__str__:
        return f"undefined placeholder {cause}"
    return str(cause) or type(cause).__name__


def as_json(error: ParseError) -> dict[str, Any]:
    """The error as plain data, for logs and batch rows."""
    return {
        "class": type(error).__name__,
        "message": error.detail,
        "field": error.field,
        "reason": error.reason,
        "span": list(error.span),
        "raw": error.raw,
    }
