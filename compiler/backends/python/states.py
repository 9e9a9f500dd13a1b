"""The states of the automaton as methods: what each does with the delimiter it finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from compiler.frontend.syntax import Field
from compiler.grammar.automaton import Automaton, State, Transition

BETWEEN = "between_regions"  # the state without a field, and its region


@dataclass(frozen=True)
class StateView:
    """One method; `body` follows the search for the next delimiter."""

    name: str
    comment: tuple[str, ...]
    region: str  # constant of the region that text belongs to here
    watch: str  # constant, or None
    body: tuple[str, ...]


@dataclass(frozen=True)
class StateNames:
    """Method, watch and region names of a state."""

    method: str
    watch: str
    region: str


def name_states(automaton: Automaton, slugs: Mapping[str, str]) -> tuple[StateNames, ...]:
    """A distinct name for every state, after the field whose text it reads."""
    taken: dict[str, int] = {}
    names = []
    for state in automaton.states:
        field = text_field(state)
        slug = slugs[field.name] if field else ""
        base = f"in_{slug}" if field else BETWEEN
        taken[base] = taken.get(base, 0) + 1
        method = base if taken[base] == 1 else f"{base}_{taken[base]}"
        names.append(StateNames(method, method.upper(), slug.upper() or "NO_REGION"))
    return tuple(names)


def text_field(state: State) -> Field | None:
    """The field that text in this state belongs to."""
    return state.text.field if state.text else None


def view_state(
    automaton: Automaton,
    index: int,
    names: tuple[StateNames, ...],
    slugs: Mapping[str, str],
    capturing: frozenset[str],
) -> StateView:
    """The method of one state; `capturing` are the terminals whose delimiters have named groups."""
    state = automaton.states[index]
    field = text_field(state)
    body: list[str] = []
    for transition in state.transitions:
        terminal = transition.terminal
        if terminal.role == "close" and terminal.name in capturing:
            body += [f'if found == "{terminal.name}":', f"    self.capture({terminal.name}_GROUPS)"]
    if field:
        body.append(f"self.close_{slugs[field.name]}()")
    if field and not field.is_implicit:
        body += _leave(automaton, state, names)
    else:
        for transition in state.transitions:
            body.append(f'if found == "{transition.terminal.name}":')
            body += [f"    {line}" for line in _follow(automaton, transition, names, capturing)]
        body.append("return None")
    watch = names[index].watch if state.transitions else "None"
    return StateView(names[index].method, _comment(field), names[index].region, watch, tuple(body))


def _leave(automaton: Automaton, state: State, names: tuple[StateNames, ...]) -> list[str]:
    """Out of an explicit region, by its closer or by the end of the text."""
    if not state.transitions:
        return ["return None"]
    following = names[state.transitions[0].target]
    return [f"self.between({following.region})", f"return self.{following.method}"]


def _follow(
    automaton: Automaton,
    transition: Transition,
    names: tuple[StateNames, ...],
    capturing: frozenset[str],
) -> list[str]:
    """Into the state behind a delimiter."""
    following = names[transition.target]
    enter = "open" if transition.terminal.role == "open" else "between"
    lines = [f"self.{enter}({following.region})"]
    if enter == "open" and transition.terminal.name in capturing:
        lines.append(f"self.capture({transition.terminal.name}_GROUPS)")
    return [*lines, f"return self.{following.method}"]


def _comment(field: Field | None) -> tuple[str, ...]:
    if field is None:
        return ("No field takes the text between regions: it is dropped.",)
    if field.is_implicit:
        return (f"{field.pointer}: the text between the other regions.",)
    if field.closer is None:
        return (f"{field.pointer}: to the end of the text.",)
    return (f"{field.pointer}: to its closer.",)
