"""The response template as written, checked and frozen: what every later stage reads.

`frontend/validate.py` makes these values from JSON; nothing here can be invalid. Each value keeps
the JSON pointer it came from, so that later stages can point at the source.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Delimiter:
    """An opener, a closer or the start anchor: literal texts (any of them matches) or a pattern."""

    literals: tuple[str, ...] | None
    pattern: str | None  # `regex` syntax, DOTALL; exactly one of the two is given
    pointer: str  # "/fields/tool_calls/open_pattern"


@dataclass(frozen=True)
class Field:
    """One key of the message: how its regions start and end, and what their text means."""

    name: str
    opener: Delimiter | None  # None: the implicit field, which takes the text between regions
    closer: Delimiter | None  # None: the region runs to the end of the text
    content: str  # name of a content parser
    content_args: Mapping[str, Any]
    repeats: bool
    join: str | None
    optional: bool
    transform: Any  # JSON, or None for none
    transform_each: bool
    pointer: str  # "/fields/tool_calls"

    @property
    def is_implicit(self) -> bool:
        return self.opener is None


@dataclass(frozen=True)
class Template:
    """A valid v1 response template; fields in the order written."""

    fields: tuple[Field, ...]
    defaults: Mapping[str, Any]
    anchor: Delimiter

    @property
    def implicit(self) -> Field | None:
        return next((field for field in self.fields if field.is_implicit), None)
