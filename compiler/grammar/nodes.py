"""The region grammar: how regions follow and contain one another, over whole delimiters.

A rule is a region (or what stands between regions); a terminal is a whole delimiter or the text
between two. `lark_text.py` prints these values, `automaton.py` reads them back through Lark.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from compiler.frontend.syntax import Delimiter, Field, Template

# open, close  of a region of the field
# whole        a region of the field without text: its opener alone
# stop         the end of a region of the field that is not closed
# enter, leave of the section around the field's regions
# ignore       a delimiter that is dropped; whatever it stands in goes on behind it
# text         of the field, or of none
# string       a span of the field's text in which no closer counts
Role = Literal["open", "close", "stop", "whole", "enter", "leave", "ignore", "text", "string"]
_RANKS: dict[Role, int] = {"close": 1, "stop": 1, "leave": 1, "ignore": 2}


@dataclass(frozen=True)
class Terminal:
    """A delimiter of a field or (field None) of no field, or text."""

    name: str  # "TOOL_CALLS_OPEN"
    role: Role
    field: Field | None
    delimiter: Delimiter | None  # None for text, and where a region's value tells that it ends

    @property
    def rank(self) -> tuple[int, str]:
        """Of delimiters of equal length at one place the lowest wins; then the first in order.

        What opens is before what closes, then the field's name decides (v1).
        """
        return _RANKS.get(self.role, 0), self.field.name if self.field else ""


@dataclass(frozen=True)
class Symbol:
    """A terminal or a rule inside an alternative."""

    name: str
    optional: bool = False


@dataclass(frozen=True)
class Repeated:
    """Any of the terminals and rules, any number of times."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Alternative:
    """One way to write a rule; `alias` names the region it makes where the rule itself does not."""

    symbols: tuple[Symbol | Repeated, ...]
    alias: str | None = None


@dataclass(frozen=True)
class Rule:
    """One rule, with a comment that tells what the grammar cannot."""

    name: str
    alternatives: tuple[Alternative, ...]
    comment: str = ""


@dataclass(frozen=True)
class RegionGrammar:
    """`start` repeats the rules of `sequence`; `unclosed` are regions that only the end closes.

    The first rule of `unclosed`, if there is one, is for regions of the sequence, the others for
    those inside a region or a section.
    """

    template: Template
    sequence: tuple[str, ...]
    unclosed: tuple[Rule, ...]
    rules: tuple[Rule, ...]
    terminals: tuple[Terminal, ...]
    slugs: tuple[tuple[str, str], ...]  # (slug, field name), in the order of the fields

    def slugs_by_pointer(self) -> dict[str, str]:
        """Pointer of a field or form -> its slug."""
        fields = zip(self.template.fields, self.slugs, strict=True)
        return {field.pointer: slug for field, (slug, _) in fields}

    def terminal(self, name: str) -> Terminal:
        """The terminal of that name; KeyError if there is none."""
        for terminal in self.terminals:
            if terminal.name == name:
                return terminal
        raise KeyError(name)
