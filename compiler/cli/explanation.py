"""What a compiled parser watches for, holds back and decides, as data for people and programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from compiler.backends.python.names import name_module, text_field
from compiler.backends.python.slow_tags import slow_tag_parts
from compiler.backends.python.watches import shown
from compiler.cli.held import held_for, written
from compiler.delimiters.derive import Wait, derive
from compiler.delimiters.engine import engine_of
from compiler.delimiters.lowered import lower
from compiler.delimiters.nodes import Node, Text
from compiler.delimiters.pattern import parse_pattern
from compiler.delimiters.slowness import Slowness
from compiler.delimiters.ties import may_tie
from compiler.delimiters.trees import tree_of
from compiler.delimiters.widths import WHOLE_TEXT
from compiler.frontend.syntax import Template
from compiler.grammar.automaton import State, Transition
from compiler.pipeline import Compiled

_CLASSES = {"SPACE": r"\s", "DIGIT": r"\d", "WORD": r"\w"}


@dataclass(frozen=True)
class Watched:
    """A delimiter that a state watches for."""

    shown: str
    pointer: str
    role: str  # "open", "close", ... (compiler/grammar/nodes.py)
    field: str | None  # None: it is of no field
    next: str  # the state behind it
    held: tuple[str, ...]  # what a stream holds back for it, in words
    waits: tuple[str, ...]  # while it is held, what lets it be looked at again
    captures: tuple[str, ...]
    context: int | None  # characters before it that it looks at; None: all of them
    engine: str
    engine_reason: str | None
    slow: tuple[str, ...]  # why finding it may take more than linear time


@dataclass(frozen=True)
class StateExplained:
    """A state: whose text it reads, and what ends that."""

    name: str
    field: str | None  # None: text here is dropped
    watches: tuple[Watched, ...]
    value_end: str | None  # the state behind the end of the value, where that ends the region
    ties: tuple[tuple[str, str], ...]  # may match at one place; the first wins if equally long


@dataclass(frozen=True)
class Explanation:
    """A parser explained; the first state is where text begins."""

    anchor: str
    states: tuple[StateExplained, ...]
    needs_regex: tuple[tuple[str, str], ...]  # pattern, and why stdlib `re` will not do
    slow_tags: dict[str, tuple[str, ...]]  # by pattern, why finding tags may not be linear


def explain(compiled: Compiled) -> Explanation:
    """All that follows from the automaton and the derived delimiters."""
    states = name_module(compiled.grammar, compiled.automaton).states
    names = tuple(name.method for name in states)
    return Explanation(
        anchor=shown(compiled.template.anchor),
        states=tuple(
            _state(state, name, names)
            for state, name in zip(compiled.automaton.states, names, strict=True)
        ),
        needs_regex=needs_regex(compiled.template),
        slow_tags=_slow_tags(compiled.template),
    )


def needs_regex(template: Template) -> tuple[tuple[str, str], ...]:
    """The patterns for which the module imports `regex`, each with the reason."""
    needs = []
    for pattern, node in _patterns(template):
        engine, reason = engine_of(lower(node))
        if engine == "regex":
            needs.append((pattern, str(reason)))
    return tuple(dict.fromkeys(needs))


def _patterns(template: Template) -> Iterator[tuple[str, Node]]:
    own = (each for field in template.fields for each in field.delimiters)
    delimiters = [template.anchor, template.ignored, *own]
    for delimiter in delimiters:
        if delimiter:
            yield shown(delimiter), tree_of(delimiter)
    for pattern in _tag_patterns(template):
        yield pattern, parse_pattern(pattern)


def _slow_tags(template: Template) -> dict[str, tuple[str, ...]]:
    """The tag patterns outside of the linear class, each with the reasons."""
    slow = {}
    for pattern in _tag_patterns(template):
        parts = slow_tag_parts(parse_pattern(pattern))
        if parts:
            slow[pattern] = tuple(dict.fromkeys(_reason(part, pattern) for part in parts))
    return slow


def _tag_patterns(template: Template) -> Iterator[str]:
    for field in template.fields:
        for arguments in (field.content_args, *(other.args for other in field.other_contents)):
            yield from _tag_patterns_in(arguments)


def _tag_patterns_in(arguments: Any) -> Iterator[str]:
    """Those of a content parser's arguments, and of the parsers of its values."""
    if not isinstance(arguments, Mapping):
        return
    if isinstance(arguments.get("tag_pattern"), str):
        yield arguments["tag_pattern"]
    types = arguments.get("types")
    of_types = types.values() if isinstance(types, Mapping) else ()
    for inner in (arguments.get("value_parser"), *of_types):
        if isinstance(inner, Mapping):
            yield from _tag_patterns_in(inner.get("args"))


def _state(state: State, name: str, names: tuple[str, ...]) -> StateExplained:
    field = text_field(state)
    return StateExplained(
        name=name,
        field=field.name if field else None,
        watches=tuple(
            _watched(each, names) for each in state.transitions if each.terminal.delimiter
        ),
        value_end=next(
            (names[each.target] for each in state.transitions if not each.terminal.delimiter), None
        ),
        ties=tuple(_ties(state)),
    )


def _ties(state: State) -> Iterator[tuple[str, str]]:
    terminals = sorted((each.terminal for each in state.transitions), key=lambda each: each.rank)
    delimiters = [each.delimiter for each in terminals if each.delimiter]
    for first, second in combinations(delimiters, 2):
        if may_tie(tree_of(first), tree_of(second)):
            yield shown(first), shown(second)


def _watched(transition: Transition, names: tuple[str, ...]) -> Watched:
    terminal = transition.terminal
    assert terminal.delimiter is not None
    node = tree_of(terminal.delimiter)
    derived = derive(node, "done", "wait")
    return Watched(
        shown=shown(terminal.delimiter),
        pointer=terminal.delimiter.pointer,
        role=terminal.role,
        field=terminal.field.name if terminal.field else None,
        next=names[transition.target],
        held=held_for(node),
        waits=tuple(dict.fromkeys(map(_wait, derived.waits))),
        captures=derived.captures,
        context=None if derived.context == WHOLE_TEXT else derived.context,
        engine=derived.engine,
        engine_reason=derived.engine_reason,
        slow=tuple(_reason(slow, terminal.delimiter.pattern or "") for slow in derived.nonlinear),
    )


def _wait(wait: Wait) -> str:
    if wait.literal is not None:
        return f"nothing is decided until {written(Text(wait.literal))} comes"
    stay = str(wait.stay and _readable(wait.stay.template))
    return f"nothing is decided while {stay} follows"


def _readable(template: str) -> str:
    r"""A derived class as it was written: `[{SPACE}]` is `\s`."""
    for name, short in _CLASSES.items():
        template = template.replace(f"[{{{name}}}]", short)
        template = template.replace(f"[^{{{name}}}]", short.upper())
        template = template.replace(f"{{{name}}}", short)
    return "any text" if template == "." else template


def _reason(slowness: Slowness, pattern: str) -> str:
    start, end = slowness.span
    part = pattern[start:end]
    return f"{slowness.reason}: {part}" if part else slowness.reason
