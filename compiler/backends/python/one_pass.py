"""The quick way through a complete text: the states unrolled into one loop, without events.

Only where that is plainly the same as running the states: every region opens from and returns to
the text between regions, no two delimiters can match at one place, and none that is watched between
regions can be empty. Whatever fails there is left to `Parser`, which reports it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from compiler.backends.python.states import StateNames, text_field
from compiler.backends.python.values import Where, value_of
from compiler.backends.python.watches import WatchView
from compiler.delimiters.trees import tree_of
from compiler.delimiters.widths import is_nullable
from compiler.frontend.syntax import Field
from compiler.grammar.automaton import Automaton, State, Transition

_WHERE = Where("text[position:start]", "text[position:start]", "captures", "tools", "message")


def one_pass(
    automaton: Automaton,
    names: tuple[StateNames, ...],
    watches: Mapping[str, WatchView],
    slugs: Mapping[str, str],
    defaults: Mapping[str, Any],
) -> tuple[str, ...]:
    """The lines of the loop; none where the states cannot be unrolled."""
    if not _is_star(automaton) or any(watch.rivals or watch.far for watch in watches.values()):
        return ()
    between = automaton.states[0]
    capturing = {label for watch in watches.values() for label, _ in watch.captures}
    lines = list(_search(between, names[0], "found.start() if found else len(text)", "start"))
    field = text_field(between)
    if field:
        lines.append("if start > position:")
        value = tuple(_value(field, slugs, defaults))
        if _names_captures(value):
            lines.append("    captures = Scope()")
            lines += _indented(_captures(_closers(between), capturing))
        lines += _indented(value)
    if not between.transitions:
        return (*lines, "break")
    lines += ["if not found:", "    break"]
    openers = [each for each in between.transitions if each.terminal.role == "open"]
    if any(each.terminal.name in capturing for each in openers):
        lines.append("opened = start")
    lines.append("position = found.end()")
    for opener in openers:
        lines.append(f'if found.lastgroup == "{opener.terminal.name}":')
        inside = automaton.states[opener.target]
        lines += _indented(
            _region(inside, names[opener.target], opener, capturing, slugs, defaults)
        )
        lines.append("    continue")
    return tuple(lines)


def _is_star(automaton: Automaton) -> bool:
    between, *others = automaton.states
    returns = all(each.target == 0 for state in others for each in state.transitions)
    leaves = all(
        (each.target != 0) == (each.terminal.role == "open") for each in between.transitions
    )
    empty = (
        is_nullable(tree_of(each.terminal.delimiter))
        for each in between.transitions
        if each.terminal.delimiter
    )
    return returns and leaves and not any(empty)


def _closers(state: State) -> list[Transition]:
    return [each for each in state.transitions if each.terminal.role == "close"]


def _search(state: State, name: StateNames, span: str, target: str) -> Iterator[str]:
    if state.transitions:
        yield f"found = {name.watch}.final(text, position)"
        yield f"{target} = {span}"
    else:
        yield f"{target} = {'len(text)' if target == 'start' else 'len(text), len(text)'}"


def _region(
    state: State,
    name: StateNames,
    opener: Transition,
    capturing: set[str],
    slugs: Mapping[str, str],
    defaults: Mapping[str, Any],
) -> Iterator[str]:
    """From behind the opener to behind the closer."""
    field = text_field(state)
    assert field is not None
    value = tuple(_value(field, slugs, defaults))
    if _names_captures(value):
        yield "captures = Scope()"
        if opener.terminal.name in capturing:
            yield f"captures.update(groups_of({opener.terminal.name}_GROUPS.match(text, opened)))"
    yield from _search(
        state, name, "found.span() if found else (len(text), len(text))", "start, end"
    )
    if _names_captures(value):
        yield from _captures(_closers(state), capturing)
    yield from value
    yield "position = end"


def _captures(closers: list[Transition], capturing: set[str]) -> Iterator[str]:
    for closer in closers:
        if closer.terminal.name in capturing:
            yield f'if found and found.lastgroup == "{closer.terminal.name}":'
            match = f"{closer.terminal.name}_GROUPS.match(text, start)"
            yield f"    captures.update(groups_of({match}))"


def _value(field: Field, slugs: Mapping[str, str], defaults: Mapping[str, Any]) -> Iterator[str]:
    value = value_of(field, slugs[field.name], defaults, _WHERE)
    yield from value.lines
    yield value.store


def _names_captures(value: tuple[str, ...]) -> bool:
    return any(_WHERE.captures in line for line in value)


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" for line in lines]
