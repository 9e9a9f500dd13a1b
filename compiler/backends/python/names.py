"""The names that fields and states have in a module."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from compiler.backends.python.contents import PLAIN
from compiler.frontend.syntax import Field, Section
from compiler.grammar.automaton import Automaton, State
from compiler.grammar.nodes import RegionGrammar

BETWEEN = "between_regions"  # the state without a field
NO_REGION = "NO_REGION"  # and its region
SECTION_TEXT = "SECTION_TEXT"  # that of a section in which not any text may stand


@dataclass(frozen=True)
class StateNames:
    """Method, watch and region names of a state."""

    method: str
    watch: str
    region: str


@dataclass(frozen=True)
class Names:
    """Of a module; the fields by their pointers, as forms share the field's name."""

    slugs: Mapping[str, str]
    regions: Mapping[str, str]  # forms whose chunks are alike share the constant
    states: tuple[StateNames, ...]

    def slug(self, field: Field) -> str:
        """The identifier that names derived from the field have in them."""
        return self.slugs[field.pointer]

    def region(self, field: Field) -> str:
        """The constant of its region."""
        return self.regions[field.pointer]


def name_module(grammar: RegionGrammar, automaton: Automaton) -> Names:
    """Names for a grammar and the states that Lark's table has for it."""
    slugs = grammar.slugs_by_pointer()
    shared: dict[tuple[str, bool], str] = {}
    regions = {
        field.pointer: shared.setdefault(
            (field.name, is_dirty(field)), slugs[field.pointer].upper()
        )
        for field in grammar.template.fields
    }
    return Names(slugs, regions, _name_states(automaton, slugs, regions))


def is_dirty(field: Field) -> bool:
    """Whether chunks of the field's text are not part of its value yet."""
    return field.content not in PLAIN or bool(field.other_contents)


def text_field(state: State) -> Field | None:
    """The field that text in this state belongs to."""
    return state.text.field if state.text else None


def explicit_field(state: State) -> Field | None:
    """The same, but for the implicit field."""
    field = text_field(state)
    return None if field is None or field.is_implicit else field


def section_of(state: State) -> str | None:
    """The slug of the section between whose regions the state stands."""
    for each in state.transitions:
        if each.terminal.role == "leave":
            return each.terminal.name.removesuffix("_CLOSE").lower()
    return None


def strict_section(state: State) -> Section | None:
    """The section that this is, between its regions, if not any text may stand there."""
    for each in state.transitions:
        field = each.terminal.field
        section = field.section if field and each.terminal.role == "leave" else None
        if section and section.outside is not None:
            return section
    return None


def outside_constant(state: State) -> str:
    """The constant with what may stand in the section of a state, outside of its regions."""
    return f"{(section_of(state) or '').upper()}_OUTSIDE"


def enclosing(automaton: Automaton, index: int) -> int | None:
    """The state that a region's or section's opener leads here from; the explicit one, if any."""
    sources = [
        number
        for number, state in enumerate(automaton.states)
        if any(
            each.target == index and each.terminal.role in ("open", "enter")
            for each in state.transitions
        )
    ]
    return sources[0] if sources else None


def _name_states(
    automaton: Automaton, slugs: Mapping[str, str], regions: Mapping[str, str]
) -> tuple[StateNames, ...]:
    """A distinct name for every state, after the field or section whose text it reads.

    States that watch for the same share the watch.
    """
    taken: set[str] = set()
    watches: dict[tuple[object, ...], str] = {}
    names = []
    for index, state in enumerate(automaton.states):
        field = text_field(state)
        base = BETWEEN
        if slug := slugs[field.pointer] if field else section_of(state):
            base = f"in_{slug}{_inside(automaton, index, slugs)}"
        number, method = 1, base
        while method in taken:
            number += 1
            method = f"{base}_{number}"
        taken.add(method)
        watched = (state.has_strings, *(each.terminal.name for each in state.transitions))
        watch = watches.setdefault(watched, method.upper())
        outside = SECTION_TEXT if strict_section(state) else NO_REGION
        names.append(StateNames(method, watch, regions[field.pointer] if field else outside))
    return tuple(names)


def _inside(automaton: Automaton, index: int, slugs: Mapping[str, str]) -> str:
    """`_inside_think` of a state between whose opener and closer a region of `think` waits."""
    outer = enclosing(automaton, index)
    while outer is not None:
        if field := explicit_field(automaton.states[outer]):
            return f"_inside_{slugs[field.pointer]}"
        outer = enclosing(automaton, outer)
    return ""
