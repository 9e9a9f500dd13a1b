"""States in whose text not every delimiter counts: their strings, and the end of their value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from compiler.backends.python.names import Names, text_field
from compiler.frontend.syntax import Field
from compiler.grammar.automaton import Automaton, State

_OF_GRAMMAR = {"json": "JSON_STRINGS", "python": "PYTHON_STRINGS"}
# Content parsers that know of no other strings than these grammars do, and refuse an open one.
_TELLING = {"json": ("json", "python"), "python-call-list": ("python",)}
OUTLOOK = "outlook"  # the variable of what a pass over a whole text knows of the text ahead


@dataclass(frozen=True)
class StringsConstant:
    """A `string_pairs(...)` of the module."""

    name: str
    comment: str
    pairs: tuple[str, ...]  # reprs


@dataclass(frozen=True)
class Body:
    """How the text of a state is read; every value is Python source."""

    strings: str  # constant
    is_told: bool  # what ends in a string or value, or goes on behind it, fails as content
    value_end: str  # label of what is found where the value ends; "" if nothing is
    watch: str  # constant, or None

    def seek(self) -> str:
        """The call by which a parser's state looks for its next delimiter."""
        value_end = f", {self.value_end!r}" if self.value_end else ""
        return f"seek_outside({self.watch}, {self.strings}{value_end})"

    def is_plain(self) -> bool:
        """Whether in a whole text every delimiter may count, because the content parser tells."""
        return self.is_told and not self.value_end

    def asks_pattern(self) -> bool:
        """Whether the search in a whole text asks the pattern of the watch."""
        return not self.is_told and not self.value_end

    def search(self) -> tuple[str, str]:
        """The same in a whole text, and where what it finds starts and ends."""
        if not self.value_end:
            call = f"first_outside({self.watch}.final, {self.strings}, text, position)"
            return call, "found.span()"
        arguments = f"{self.watch}, {self.strings}, {self.value_end!r}, text, position, {OUTLOOK}"
        told = ", is_told=True" if self.is_told and self.watch != "None" else ""
        return f"first_or_value({arguments}{told})", "found[1:3]"

    def label(self) -> str:
        """The label of what the search found."""
        return "found[0]" if self.value_end else "found.lastgroup"


def watch_of(state: State, constant: str) -> str:
    """The constant with the delimiters of a state; None where only the text tells, or the end."""
    return constant if any(each.terminal.delimiter for each in state.transitions) else "None"


def body_of(state: State, constant: str, names: Names) -> Body | None:
    """How a state's text is read; None where every delimiter counts."""
    field = text_field(state)
    if field is None or field.strings is None or not state.transitions:
        return None
    ends = (each.terminal for each in state.transitions if each.terminal.delimiter is None)
    value_end = next((terminal.name for terminal in ends), "")
    return Body(_constant(field, names), _is_told(field), value_end, watch_of(state, constant))


def strings_constants(fields: Iterable[Field], names: Names) -> Iterator[StringsConstant]:
    """The strings that the runtime does not know by name, each once."""
    for field in fields:
        if field.strings and field.strings.grammar is None:
            pairs = tuple(map(repr, field.strings.pairs))
            comment = f"{field.pointer}/strings: spans in which no delimiter counts."
            yield StringsConstant(_constant(field, names), comment, pairs)


def body_imports(automaton: Automaton, lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """What a module with such states needs of the runtime; `lines` are those of its one pass."""
    text = "\n".join(lines)
    for name in ("Outlook", "first_or_value", "first_outside"):
        if f"{name}(" in text:
            yield "runtime.body", name
    for state in automaton.states:
        field = text_field(state)
        if field and field.strings and state.has_strings:
            yield "runtime.strings", _OF_GRAMMAR.get(field.strings.grammar or "", "string_pairs")


def _is_told(field: Field) -> bool:
    """Whether the content parser takes nothing but one value, with all its strings closed."""
    assert field.strings is not None
    if field.other_contents or field.strings.grammar not in _TELLING.get(field.content, ()):
        return False
    if field.content == "json":
        return not field.content_args
    return not field.closes_with or field.content_args.get("brackets", True) is True


def _constant(field: Field, names: Names) -> str:
    assert field.strings is not None
    if field.strings.grammar is None:
        return f"{names.slug(field).upper()}_STRINGS"
    return _OF_GRAMMAR[field.strings.grammar]
