"""The region grammar: how regions follow and contain one another, over whole delimiters.

A rule is a region (or a stray delimiter); a terminal is a whole delimiter or the text between two.
`lark_text.py` prints these values, `automaton.py` reads them back through Lark.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from compiler.frontend.syntax import Delimiter, Field, Template

Role = Literal["open", "close", "text"]


@dataclass(frozen=True)
class Terminal:
    """A delimiter of a field, or text: of a field, or (field None) of no field."""

    name: str  # "TOOL_CALLS_OPEN"
    role: Role
    field: Field | None
    delimiter: Delimiter | None  # None for text


@dataclass(frozen=True)
class Symbol:
    """A terminal or a rule inside an alternative."""

    name: str
    optional: bool = False


@dataclass(frozen=True)
class Alternative:
    """One way to write a rule; `alias` names the region it makes where the rule itself does not."""

    symbols: tuple[Symbol, ...]
    alias: str | None = None


@dataclass(frozen=True)
class Rule:
    """One rule, with a comment that tells what the grammar cannot."""

    name: str
    alternatives: tuple[Alternative, ...]
    comment: str = ""


@dataclass(frozen=True)
class RegionGrammar:
    """`start` repeats the rules of `sequence`; `unclosed` are regions that only the end closes."""

    template: Template
    sequence: tuple[str, ...]
    unclosed: Rule | None
    rules: tuple[Rule, ...]
    terminals: tuple[Terminal, ...]
    slugs: tuple[tuple[str, str], ...]  # (slug, field name), in the order of the fields

    def terminal(self, name: str) -> Terminal:
        """The terminal of that name; KeyError if there is none."""
        for terminal in self.terminals:
            if terminal.name == name:
                return terminal
        raise KeyError(name)
