"""The states of the automaton as methods: what each does with the delimiter it finds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from compiler.backends.python.bodies import body_of, watch_of
from compiler.backends.python.names import (
    Names,
    enclosing,
    explicit_field,
    outside_constant,
    section_of,
    strict_section,
    text_field,
)
from compiler.frontend.syntax import Field
from compiler.grammar.automaton import Automaton, State, Transition

_IGNORED = "ignore"
_ENDING = ("close", "stop")
_CLOSING = (*_ENDING, "leave")


@dataclass(frozen=True)
class StateView:
    """One method; `body` follows the search for the next delimiter."""

    name: str
    comment: tuple[str, ...]
    search: str  # the call that finds the next delimiter
    body: tuple[str, ...]


def view_states(
    automaton: Automaton, names: Names, implicit: Field | None, capturing: frozenset[str]
) -> tuple[StateView, ...]:
    """The methods; `capturing` are the terminals whose delimiters have named groups."""
    states = _States(automaton, names, implicit, capturing)
    return tuple(map(states.view, range(len(automaton.states))))


@dataclass(frozen=True)
class _States:
    """Writes the methods of an automaton's states."""

    automaton: Automaton
    names: Names
    implicit: Field | None
    capturing: frozenset[str]

    def view(self, index: int) -> StateView:
        state, name = self.automaton.states[index], self.names.states[index]
        body = body_of(state, name.watch, self.names)
        search = body.seek() if body else f"seek({watch_of(state, name.watch)})"
        return StateView(name.method, _comment(state), search, tuple(self._body(index)))

    def _body(self, index: int) -> Iterator[str]:
        state = self.automaton.states[index]
        field, is_explicit = text_field(state), explicit_field(state) is not None
        yield from _outside(state)
        for each in state.transitions:
            if each.terminal.role == _IGNORED:
                following = self.names.states[each.target].method
                yield from _if_found(each, ["self.go_on()", f"return self.{following}"])
            elif is_explicit and each.terminal.role not in _CLOSING:
                yield from _if_found(each, ["self.suspend()", *self._follow(each)])
        for each in state.transitions:
            if each.terminal.role == "close":
                yield from _if_found(each, self._capture(each))
            elif each.terminal.role == "stop":
                yield from _if_found(each, ["self.stop()"])
        if field:
            yield f"self.close_{self.names.slug(field)}()"
        if not is_explicit:
            for each in state.transitions:
                if each.terminal.role not in (_IGNORED, "leave"):
                    yield from _if_found(each, self._follow(each))
        yield from self._leave(index)

    def _follow(self, transition: Transition) -> Iterator[str]:
        """Into the state behind a delimiter that does not end an explicit region or a section."""
        terminal, target = transition.terminal, self.names.states[transition.target]
        if terminal.role == "whole":
            assert terminal.field is not None
            yield f"self.open({self.names.region(terminal.field)})"
            yield from self._capture(transition)
            yield f"self.close_{self.names.slug(terminal.field)}()"
            yield from self._back(terminal.field, transition.target)
            return
        yield f"self.{'open' if terminal.role == 'open' else 'between'}({target.region})"
        if terminal.role == "open":
            yield from self._capture(transition)
        yield f"return self.{target.method}"

    def _leave(self, index: int) -> Iterator[str]:
        """Out of an explicit region or a section, by its closer or by the end of the text."""
        state = self.automaton.states[index]
        field = explicit_field(state)
        targets = [each.target for each in state.transitions if each.terminal.role in _CLOSING]
        if field and not targets:
            outer = enclosing(self.automaton, index)
            targets = [outer] if outer is not None and self._goes_on(field, outer) else []
        if targets and (field or section_of(state)):
            yield from self._back(field, targets[0])
        else:
            yield "return None"

    def _goes_on(self, field: Field, outer: int) -> bool:
        """Whether the state around a region that the end has closed has something left to do."""
        state = self.automaton.states[outer]
        return _may_be_text(field) or bool(explicit_field(state) or section_of(state))

    def _back(self, field: Field | None, target: int) -> Iterator[str]:
        """Into the state around a region of the field, or (None) around a section."""
        state, name = self.automaton.states[target], self.names.states[target]
        admits = field is not None and _may_be_text(field)
        apart = list(self._admit_apart(target)) if admits and section_of(state) else []
        yield from apart
        yield "self.resume()" if explicit_field(state) else f"self.between({name.region})"
        if admits and not apart:
            yield "self.readmit()"
        yield f"return self.{name.method}"

    def _admit_apart(self, section: int) -> Iterator[str]:
        """What becomes text again in a section goes to the region around that."""
        outer: int | None = section
        while outer is not None and not explicit_field(self.automaton.states[outer]):
            outer = enclosing(self.automaton, outer)
        if outer is not None:
            yield from ("self.resume()", "self.readmit()", "self.suspend()")
        elif self.implicit:
            yield f"self.between({self.names.region(self.implicit)})"
            yield "self.readmit()"
            yield f"self.close_{self.names.slug(self.implicit)}()"

    def _capture(self, transition: Transition) -> tuple[str, ...]:
        name = transition.terminal.name
        return (f"self.capture({name}_GROUPS)",) if name in self.capturing else ()


def _outside(state: State) -> Iterator[str]:
    """In a section: a look at the text before what was found."""
    section = strict_section(state)
    if section:
        name = next(each.terminal.field.name for each in state.transitions if each.terminal.field)
        arguments = [outside_constant(state), repr(name)]
        policies = {"incomplete": section.on_incomplete, "invalid": section.on_invalid}
        for key, policy in policies.items():
            if policy:  # what is between regions is not readmitted
                arguments.append(f"{key}={'keep' if policy == 'text' else policy!r}")
        yield f"self.check_outside({', '.join(arguments)})"


def _if_found(transition: Transition, lines: Iterable[str]) -> Iterator[str]:
    indented = [f"    {line}" for line in lines]
    if indented:
        yield f'if found == "{transition.terminal.name}":'
        yield from indented


def _may_be_text(field: Field) -> bool:
    return "text" in (field.on_incomplete, field.on_invalid)


def _comment(state: State) -> tuple[str, ...]:
    field = text_field(state)
    if field is None:
        for each in state.transitions:
            if each.terminal.role == "leave":
                assert each.terminal.field is not None and each.terminal.field.section is not None
                return (f"{each.terminal.field.section.pointer}: the text between its regions.",)
        return ("No field takes the text between regions: it is dropped.",)
    if field.is_implicit:
        return (f"{field.pointer}: the text between the other regions.",)
    closers = [each.terminal for each in state.transitions if each.terminal.role in _ENDING]
    if not closers:
        return (f"{field.pointer}: to the end of the text.",)
    ends = {
        "its closer" if closer.delimiter else "the end of its value": None for closer in closers
    }
    return (f"{field.pointer}: to {' or '.join(ends)}.",)
