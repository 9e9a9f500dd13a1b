"""The response template as written, checked and frozen: what every later stage reads.

`frontend/validate.py` makes these values from JSON; nothing here can be invalid. Each value keeps
the JSON pointer it came from, so that later stages can point at the source. What only the extended
dialect can say (docs/dialect.md) has a default that means: as in v1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Policy = Literal["raise", "drop", "text", "keep"]


@dataclass(frozen=True)
class Delimiter:
    """An opener, a closer or the start anchor: literal texts (any of them matches) or a pattern.

    Glue and position are part of the pattern already.
    """

    literals: tuple[str, ...] | None
    pattern: str | None  # `regex` syntax, DOTALL; exactly one of the two is given
    pointer: str  # "/fields/tool_calls/open_pattern"
    yields_to: tuple[Delimiter, ...] = ()  # also matches, without width, where one of these does


@dataclass(frozen=True)
class Section:
    """What encloses the regions of a field; only inside it do their openers count."""

    opener: Delimiter
    closer: Delimiter
    pointer: str  # "/fields/tool_calls/section"
    outside: str | None = None  # what may stand in it outside of regions; None: anything
    on_incomplete: Policy | None = None  # of the field, for other text
    on_invalid: Policy | None = None


@dataclass(frozen=True)
class Strings:
    """Spans of a region's text in which its closer does not count."""

    grammar: Literal["json", "python"] | None
    pairs: tuple[tuple[str, str], ...] = ()  # literal opener and closer, where there is no grammar


@dataclass(frozen=True)
class Content:
    """A content parser with its arguments."""

    name: str
    args: Mapping[str, Any]


@dataclass(frozen=True)
class Field:
    """One key of the message: how its regions start and end, and what their text means.

    A field that can be written in several ways (its forms) is several of these, which share the
    name.
    """

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
    pointer: str  # "/fields/tool_calls", of a form "/fields/tool_calls/forms/1"

    other_contents: tuple[Content, ...] = ()  # tried in order when `content` fails
    section: Section | None = None
    strings: Strings | None = None
    closes_with: Literal["value", "opener"] | None = None
    stop: Delimiter | None = None  # the region ends before it, but is not closed
    inside: tuple[str, ...] = ()  # fields in whose regions the opener counts, besides between them
    offered: bool = (
        False  # a call is valid only if its name is among the tools, where there are any
    )
    casts: bool = True  # text arguments take the types of the tools' schemas
    on_incomplete: Policy | None = None  # None: as the caller of the parser says
    on_invalid: Policy | None = None
    extended: bool = False  # the value is made by the rules of the dialect

    @property
    def is_implicit(self) -> bool:
        return self.opener is None

    @property
    def delimiters(self) -> tuple[Delimiter, ...]:
        """All that it has, and those of its section."""
        own = (self.opener, self.closer, self.stop)
        section = (self.section.opener, self.section.closer) if self.section else ()
        return tuple(each for each in (*own, *section) if each)

    @property
    def makes_calls(self) -> bool:
        """Whether what the transform makes has to be a tool call (dialect)."""
        made = self.transform
        if not self.extended or not isinstance(made, dict) or "function" not in made:
            return False
        function = made["function"]
        named = isinstance(function, dict) and {"name", "arguments"} <= function.keys()
        return named or made.get("type") == "function"


@dataclass(frozen=True)
class Template:
    """A valid response template; fields in the order written."""

    fields: tuple[Field, ...]
    defaults: Mapping[str, Any]
    anchor: Delimiter
    extended: bool = False  # written in the dialect "extended-1"
    ignored: Delimiter | None = None  # dropped between regions
    special: tuple[str, ...] = ()  # markers that are one special token each

    @property
    def implicit(self) -> Field | None:
        return next((field for field in self.fields if field.is_implicit), None)
