"""The watch list of a state as source: one streaming pattern, one final pattern, and its rivals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from compiler.backends.python.contents import Constant
from compiler.delimiters.derive import DerivedDelimiter, Wait, derive
from compiler.delimiters.nodes import Node, Text
from compiler.delimiters.pattern_text import PatternText
from compiler.delimiters.ties import may_tie
from compiler.delimiters.trees import tree_of
from compiler.frontend.syntax import Delimiter
from compiler.grammar.automaton import State, Transition


@dataclass(frozen=True)
class Watched:
    """One delimiter of a state, derived."""

    label: str  # the terminal's name
    shown: str  # as a person would write it in a comment
    rank: tuple[int, str]  # among matches of equal start and length the lowest wins
    of_region: bool  # so that its named groups count
    pointer: str
    node: Node
    derived: DerivedDelimiter


@dataclass(frozen=True)
class PatternView:
    """A keyword argument of a watch: the alternation of its delimiters, one a line."""

    keyword: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class RivalView:
    """A rival of a watch."""

    label: str
    streaming: str
    final: str


@dataclass(frozen=True)
class WatchView:
    """A `Watch(...)` of the module; every value is Python source."""

    name: str
    comment: str
    engine: str
    mark: str
    flags: tuple[str, ...]  # keyword arguments that are True
    patterns: tuple[PatternView, ...]  # the arguments that are compiled patterns
    aliases: tuple[tuple[str, str], ...]  # further groups of a delimiter -> its label
    waits: tuple[tuple[str, str], ...]  # group -> call
    rivals: tuple[RivalView, ...]
    sights: tuple[tuple[str, tuple[str, ...]], ...]  # label -> patterns
    far: tuple[str, ...]  # how far delimiters start, and a text that they need after that
    near: str  # the watch without these delimiters
    context: int
    captures: tuple[tuple[str, Constant], ...]  # label -> the pattern that reads its named groups

    def sources(self) -> tuple[str, ...]:
        """Every pattern and wait of the watch."""
        patterns = (line for pattern in self.patterns for line in pattern.lines)
        rivals = (text for rival in self.rivals for text in (rival.streaming, rival.final))
        sights = (text for _, texts in self.sights for text in texts)
        return (*patterns, *rivals, *sights, *(call for _, call in self.waits))


def shown(delimiter: Delimiter) -> str:
    """A delimiter in a comment or docstring: on one line, escapes visible."""
    texts = delimiter.literals if delimiter.pattern is None else (delimiter.pattern,)
    assert texts is not None
    ways = [*map(_visible, texts), *(f"before {shown(other)}" for other in delimiter.yields_to)]
    return " or ".join(ways)


def watch_state(state: State, name: str, method: str) -> tuple[WatchView, ...]:
    """The watch of one state, named `name`, for the method `method`; none if nothing is watched.

    Before it stands the watch that it gives way to when its far delimiters cannot come any more.
    """
    watched = [_watch(each) for each in state.transitions if each.terminal.delimiter]
    far = [each for each in watched if each.derived.far and each.derived.needs]
    if not watched:
        return ()
    near = [each for each in watched if each not in far]
    comment = f"What {method} watches: " + ", ".join(each.shown for each in watched)
    if not far:
        return (_view(watched, name, comment),)
    nearer = f"{name}_NEAR" if near else "None"
    pairs = tuple(dict.fromkeys(repr((each.derived.prefix, each.derived.needs)) for each in far))
    view = replace(_view(watched, name, comment), far=pairs, near=nearer)
    also = f"The same without {', '.join(each.shown for each in far)}, which cannot come any more."
    return (_view(near, nearer, also), view) if near else (view,)


def _view(watched: list[Watched], name: str, comment: str) -> WatchView:
    # Rivals in the order that breaks ties of equal length: open before close, then the name.
    ranked = sorted(watched, key=lambda each: each.rank)
    tied = any(may_tie(a.node, b.node) for a, b in combinations(watched, 2))
    engine = "regex" if any(each.derived.engine == "regex" for each in watched) else "re"
    return WatchView(
        name=name,
        comment=comment,
        engine=engine,
        mark=repr(_spaced_mark(watched) or _mark(watched)),
        flags=tuple(_flags(watched)),
        patterns=tuple(_patterns(watched)),
        aliases=tuple(
            (repr(group), repr(each.label))
            for each in watched
            for group in each.derived.done_groups
            if group != each.label
        ),
        waits=tuple(
            (repr(wait.group), _wait_call(wait)) for each in watched for wait in each.derived.waits
        ),
        rivals=tuple(map(_rival, ranked)) if tied else (),
        sights=tuple(
            (repr(each.label), tuple(sight.source() for sight in each.derived.sights))
            for each in watched
            if each.derived.sights
        ),
        far=(),
        near="None",
        context=max(each.derived.context for each in watched),
        captures=tuple(
            (each.label, _capture(each))
            for each in watched
            if each.of_region and each.derived.captures
        ),
    )


def _flags(watched: list[Watched]) -> Iterator[str]:
    if _spaced_mark(watched):
        yield "spaced"
        if any(each.derived.at_start for each in watched):
            yield "at_start"
        return
    if any(each.derived.guarded for each in watched):
        yield "runs"
    if _mark(watched) and not all(each.derived.starts_plainly for each in watched):
        yield "leap"
    if any(each.derived.looks_back for each in watched):
        yield "looks_back"


def _patterns(watched: list[Watched]) -> Iterator[PatternView]:
    if _spaced_mark(watched):
        yield _pattern("streaming", [each.derived.streaming for each in watched])
        yield _pattern("final", [_labelled(each, each.derived.final_match) for each in watched])
        return
    yield _pattern("streaming", [each.derived.streaming_search for each in watched])
    yield _pattern("final", [_labelled(each, each.derived.final_search) for each in watched])
    if any(each.derived.guarded or each.derived.at_start for each in watched):
        yield _pattern("here_streaming", [each.derived.streaming for each in watched])
        yield _pattern(
            "here_final", [_labelled(each, each.derived.final_match) for each in watched]
        )


def _pattern(keyword: str, texts: list[PatternText]) -> PatternView:
    first, *others = (way for text in texts for way in text.ways())
    lines = (first, *(PatternText(f"|{text.template}") for text in others))
    return PatternView(keyword, tuple(text.source() for text in lines))


def _watch(transition: Transition) -> Watched:
    terminal = transition.terminal
    assert terminal.delimiter is not None
    node = tree_of(terminal.delimiter)
    return Watched(
        label=terminal.name,
        shown=shown(terminal.delimiter),
        rank=terminal.rank,
        of_region=terminal.role in ("open", "whole", "close"),
        pointer=terminal.delimiter.pointer,
        node=node,
        derived=derive(node, terminal.name, f"{terminal.name}_WAIT"),
    )


def _mark(watched: list[Watched]) -> str:
    """The character that every delimiter starts with; "" if there is not exactly one."""
    return _only([each.derived.first for each in watched])


def _spaced_mark(watched: list[Watched]) -> str:
    """The character that every delimiter has behind the space that some start with; "" if none."""
    if _mark(watched) or any(each.derived.sees_before for each in watched):
        return ""
    return _only([each.derived.behind_space for each in watched])


def _only(firsts: list[frozenset[str] | None]) -> str:
    known = frozenset[str]().union(*(first for first in firsts if first is not None))
    return next(iter(known)) if len(known) == 1 and None not in firsts else ""


def _labelled(watched: Watched, text: PatternText) -> PatternText:
    """The pattern, then an empty group: `re` looks for the literal that a pattern begins with."""
    bare = isinstance(watched.node, Text)
    pattern = text.template if bare else f"(?:{text.template})"
    return PatternText(f"{pattern}(?P<{watched.label}>)")


def _rival(watched: Watched) -> RivalView:
    derived = watched.derived
    return RivalView(repr(watched.label), derived.streaming.source(), derived.final_match.source())


def _capture(watched: Watched) -> Constant:
    return Constant(
        name=f"{watched.label}_GROUPS",
        comment=f"{watched.pointer}: {watched.shown}",
        source=watched.derived.final.source(),
        engine=watched.derived.engine,
    )


def _wait_call(wait: Wait) -> str:
    if wait.literal is not None:
        return f"wait_for({wait.literal!r})"
    assert wait.leave is not None
    return f"wait_until({wait.leave.source()})"


def _visible(text: str) -> str:
    return text.replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
