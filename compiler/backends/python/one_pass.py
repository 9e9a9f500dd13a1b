"""The quick way through a complete text: the states unrolled into one loop, without events.

Only where that is plainly the same as running the states: every region and section returns to what
it opened from, and between regions only an opener that looks ahead can be empty. Whatever fails
there is left to `Parser`, which reports it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from compiler.backends.python.bodies import OUTLOOK, body_of
from compiler.backends.python.names import (
    Names,
    explicit_field,
    outside_constant,
    strict_section,
    text_field,
)
from compiler.backends.python.values import Where, needs_closer, value_of
from compiler.backends.python.watches import WatchView
from compiler.delimiters.first import first_characters
from compiler.delimiters.lowered import lower
from compiler.delimiters.trees import tree_of
from compiler.delimiters.widths import is_nullable
from compiler.frontend.syntax import Field, Template
from compiler.grammar.automaton import Automaton, State, Transition

_ENTERING = ("open", "enter")
_INNER = (*_ENTERING, "whole")
_LEAVING = ("close", "stop", "leave")


@dataclass(frozen=True)
class OnePass:
    """The lines before the loop over the text, and those in it."""

    before: tuple[str, ...]
    loop: tuple[str, ...]

    def lines(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.before, *self.loop)


def one_pass(
    template: Template, automaton: Automaton, names: Names, watches: Mapping[str, WatchView]
) -> OnePass | None:
    """The states as a loop; None where they cannot be unrolled."""
    if any(watch.far for watch in watches.values()):
        return None
    capturing = frozenset(label for watch in watches.values() for label, _ in watch.captures)
    unrolled = _Unrolled(template, automaton, names, capturing, watches)
    if not unrolled.is_tree():
        return None
    return OnePass(tuple(unrolled.before()), tuple(unrolled.between()))


@dataclass(frozen=True)
class _Finding:
    """How a watch is asked in a whole text, and how its answer is read; all is Python source."""

    call: str
    label: str
    start: str
    end: str
    span: str


def _finding(watch: str, is_plain: bool) -> _Finding:
    """Of the match of a pattern where that is enough, else of what the watch makes of it."""
    if is_plain:
        call = f"{watch}.final(text, position)"
        return _Finding(call, "found.lastgroup", "found.start()", "found.end()", "found.span()")
    call = f"{watch}.first(text, position)"
    return _Finding(call, "found[0]", "found[1]", "found[2]", "found[1:3]")


@dataclass(frozen=True)
class _Unrolled:
    """Writes the states of an automaton as a loop, and loops in it."""

    template: Template
    automaton: Automaton
    names: Names
    capturing: frozenset[str]
    watches: Mapping[str, WatchView]

    def is_tree(self) -> bool:
        """Whether the states can be unrolled."""
        return all(self._is_simple(index) for index in range(len(self.automaton.states)))

    def _is_simple(self, index: int) -> bool:
        state = self.automaton.states[index]
        for each in state.transitions:
            leaves = index > 0 and each.terminal.role in _LEAVING
            if not leaves and _is_nullable(each) and not self._only_looks(each):
                return False
            if each.terminal.role in _ENTERING and not self._returns(each.target, index):
                return False
            if each.terminal.role not in _ENTERING and not leaves and each.target != index:
                return False
        has_inner = any(each.terminal.role in _INNER for each in state.transitions)
        field = explicit_field(state)
        if field and has_inner and field.strings:
            return False
        if not self._finds_body(index):
            return False
        return not (field and has_inner and _names_captures(self._value(field, "")))

    def _only_looks(self, opener: Transition) -> bool:
        """Whether an opener that may be empty needs text all the same, and then opens no other."""
        delimiter = opener.terminal.delimiter
        if delimiter is None or opener.terminal.role != "open":
            return False
        inner = self.automaton.states[opener.target].transitions
        needs_text = first_characters(lower(tree_of(delimiter), ())) is not None
        return needs_text and not any(each.terminal.role in _INNER for each in inner)

    def _finds_body(self, index: int) -> bool:
        """Whether delimiters outside of strings are found by a pattern alone."""
        body = body_of(self.automaton.states[index], "", self.names)
        return body is None or not body.asks_pattern() or self._is_plain(index)

    def _is_plain(self, index: int) -> bool:
        watch = self.watches.get(self.names.states[index].watch)
        return watch is None or watch.is_plain()

    def _finding(self, index: int) -> _Finding:
        return _finding(self.names.states[index].watch, self._is_plain(index))

    def _returns(self, index: int, outer: int) -> bool:
        """Whether all ways out of a state go back to the one that it was entered from."""
        leaving = [
            each.target
            for each in self.automaton.states[index].transitions
            if each.terminal.role in _LEAVING
        ]
        return index not in (0, outer) and all(target == outer for target in leaving)

    def before(self) -> Iterator[str]:
        """What there is to do before the loop."""
        field = text_field(self.automaton.states[0])
        if field and self._ignored(self.automaton.states[0]):
            yield f"{self.names.slug(field)}_text: list[str] = []"
        states = zip(self.automaton.states, self.names.states, strict=True)
        bodies = (body_of(state, name.watch, self.names) for state, name in states)
        if any(body and body.value_end for body in bodies):
            yield f"{OUTLOOK} = Outlook()"

    def between(self) -> Iterator[str]:
        """The loop from region to region."""
        state, field = self.automaton.states[0], text_field(self.automaton.states[0])
        find = self._finding(0)
        yield from self._search(0, f"{find.start} if found else len(text)", "start")
        if field:
            yield from self._text_between(field, state)
        if not state.transitions:
            yield "break"
            return
        yield from ("if not found:", "    break")
        if self._opener_captures(state):
            yield "opened = start"
        yield f"position = {find.end}"
        yield from self._inner(0)

    def _text_between(self, field: Field, state: State) -> Iterator[str]:
        """Text of the implicit field; what is ignored does not end it."""
        ignored = self._ignored(state)
        if ignored is None:
            yield "if start > position:"
            yield from _indented(self._implicit(field, state, "text[position:start]"))
            return
        pieces = f"{self.names.slug(field)}_text"
        yield from ("if start > position:", f"    {pieces}.append(text[position:start])")
        find = self._finding(0)
        yield f'if found and {find.label} == "{ignored.terminal.name}":'
        yield from (f"    position = {find.end}", "    continue")
        yield f"if {pieces}:"
        yield from _indented(self._implicit(field, state, f'"".join({pieces})'))
        yield f"    {pieces} = []"

    def _implicit(self, field: Field, state: State, body: str) -> Iterator[str]:
        value = self._value(field, body)
        if _names_captures(value):
            yield "captures = Scope()"
            yield from self._closer_captures(0)
        yield from value

    def _inner(self, index: int) -> Iterator[str]:
        """For every region or section that may open here: what it is, then on with the loop."""
        for each in self.automaton.states[index].transitions:
            if each.terminal.role in _INNER:
                yield f'if {self._finding(index).label} == "{each.terminal.name}":'
                yield from _indented(self._entered(each))
                yield "    continue"

    def _entered(self, opener: Transition) -> Iterator[str]:
        """From behind an opener to behind the closer."""
        if opener.terminal.role == "whole":
            assert opener.terminal.field is not None
            value = self._value(opener.terminal.field, '""')
            yield from self._new_captures(opener, value)
            yield from value
        elif opener.terminal.role == "enter":
            yield "while True:"
            yield from _indented(self._section(opener.target))
        else:
            yield from self._region(opener)

    def _section(self, index: int) -> Iterator[str]:
        find = self._finding(index)
        yield f"found = {find.call}"
        if strict_section(self.automaton.states[index]):
            constant = outside_constant(self.automaton.states[index])
            yield f"start = {find.start} if found else len(text)"
            yield f"if start > position and not {constant}.fullmatch(text, position, start):"
            yield '    raise ValueError("text in a section, outside of its regions")'
        yield from ("if not found:", "    position = len(text)", "    break")
        if self._opener_captures(self.automaton.states[index]):
            yield f"opened = {find.start}"
        yield f"position = {find.end}"
        yield from self._inner(index)
        yield "break"

    def _region(self, opener: Transition) -> Iterator[str]:
        state = self.automaton.states[opener.target]
        field = text_field(state)
        assert field is not None
        has_inner = any(each.terminal.role in _INNER for each in state.transitions)
        pieces = f"{self.names.slug(field)}_text"
        value = self._value(field, f'"".join({pieces})' if has_inner else "text[position:start]")
        yield from self._new_captures(opener, value)
        search = list(self._search_region(opener.target))
        if has_inner:
            yield f"{pieces} = []"
            yield "while True:"
            yield from _indented(search)
            yield from (f"    {pieces}.append(text[position:start])", "    position = end")
            yield from ("    if not found:", "        break")
            if self._opener_captures(state):
                yield "    opened = start"
            yield from _indented(self._inner(opener.target))
            yield "    break"
        else:
            yield from search
            if _is_nullable(opener):
                yield from ("if end == position:", '    raise ValueError("an empty region")')
            if needs_closer(field):
                yield f"if {' or '.join(self._unclosed(opener.target))}:"
                yield f"    raise Unfinished({field.name!r})"
        if _names_captures(value):
            yield from self._closer_captures(opener.target)
        yield from value
        if not has_inner:
            yield "position = end"

    def _search_region(self, index: int) -> Iterator[str]:
        state, name = self.automaton.states[index], self.names.states[index]
        body = body_of(state, name.watch, self.names)
        if body is None or body.is_plain():
            span = f"{self._finding(index).span} if found else (len(text), len(text))"
            yield from self._search(index, span, "start, end")
            return
        call, span = body.search()
        yield f"found = {call}"
        yield f"start, end = {span} if found else (len(text), len(text))"

    def _search(self, index: int, span: str, target: str) -> Iterator[str]:
        if self.automaton.states[index].transitions:
            yield f"found = {self._finding(index).call}"
            yield f"{target} = {span}"
        else:
            yield f"{target} = {'len(text)' if target == 'start' else 'len(text), len(text)'}"

    def _new_captures(self, opener: Transition, value: tuple[str, ...]) -> Iterator[str]:
        if not _names_captures(value):
            return
        yield "captures = Scope()"
        if opener.terminal.name in self.capturing:
            yield f"captures.update(groups_of({opener.terminal.name}_GROUPS.match(text, opened)))"

    def _unclosed(self, index: int) -> Iterator[str]:
        """The conditions on which the region of a state is not closed."""
        yield "not found"
        for each in self.automaton.states[index].transitions:
            if each.terminal.role == "stop":
                yield f'{self._label(index)} == "{each.terminal.name}"'

    def _label(self, index: int) -> str:
        """The label of the delimiter that a region's search found."""
        state, name = self.automaton.states[index], self.names.states[index]
        body = body_of(state, name.watch, self.names)
        return body.label() if body and not body.is_plain() else self._finding(index).label

    def _closer_captures(self, index: int) -> Iterator[str]:
        state = self.automaton.states[index]
        for closer in state.transitions:
            name = closer.terminal.name
            if closer.terminal.role == "close" and name in self.capturing:
                yield f'if found and {self._label(index)} == "{name}":'
                yield f"    captures.update(groups_of({name}_GROUPS.match(text, start)))"

    def _opener_captures(self, state: State) -> bool:
        return any(
            each.terminal.role in _INNER and each.terminal.name in self.capturing
            for each in state.transitions
        )

    def _value(self, field: Field, body: str) -> tuple[str, ...]:
        where = Where(body, body, body, "captures", "tools", "message")
        value = value_of(field, self.names.slug(field), self.template.defaults, where)
        return (*value.lines, value.store)

    @staticmethod
    def _ignored(state: State) -> Transition | None:
        return next((each for each in state.transitions if each.terminal.role == "ignore"), None)


def _is_nullable(transition: Transition) -> bool:
    delimiter = transition.terminal.delimiter
    return delimiter is not None and is_nullable(tree_of(delimiter))


def _names_captures(value: tuple[str, ...]) -> bool:
    return any("captures" in line for line in value)


def _indented(lines: Iterable[str]) -> Iterator[str]:
    return (f"    {line}" for line in lines)
