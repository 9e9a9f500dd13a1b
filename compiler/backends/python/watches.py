"""The watch list of a state as source: one streaming pattern, one final pattern, and its rivals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from compiler.backends.python.contents import Constant
from compiler.delimiters.derive import DerivedDelimiter, DerivedPart, Wait, derive
from compiler.delimiters.landmarks import Space
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

    def parts(self) -> tuple[DerivedPart, ...]:
        """What a search by marks finds of it."""
        return self.derived.by_marks.parts if self.derived.by_marks else ()

    def is_trailing(self) -> bool:
        """Whether it is white space at the end of the text, too."""
        return self.derived.by_marks is not None and self.derived.by_marks.trailing


@dataclass(frozen=True)
class PatternView:
    """A keyword argument of a watch: the alternation of its delimiters, one a line."""

    keyword: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class RivalView:
    """A rival of a watch."""

    streaming: str
    final: str


@dataclass(frozen=True)
class WatchView:
    """A `Watch(...)` of the module; every value is Python source."""

    name: str
    comment: str
    engine: str
    marks: str
    patterns: tuple[PatternView, ...]  # the arguments that are compiled patterns
    options: tuple[tuple[str, str], ...]  # further short arguments
    aliases: tuple[tuple[str, str], ...]  # further groups of a delimiter -> its label
    waits: tuple[tuple[str, str], ...]  # group -> call
    rivals: tuple[RivalView, ...]
    starts: tuple[RivalView, ...]
    sights: tuple[tuple[str, tuple[str, ...]], ...]  # label -> patterns
    far: tuple[str, ...]  # how far delimiters start, and a text that they need after that
    near: str  # the watch without these delimiters
    context: int
    captures: tuple[tuple[str, Constant], ...]  # label -> the pattern that reads its named groups

    def sources(self) -> tuple[str, ...]:
        """Every pattern and wait of the watch."""
        patterns = (line for pattern in self.patterns for line in pattern.lines)
        ties = (*self.rivals, *self.starts)
        rivals = (text for rival in ties for text in (rival.streaming, rival.final))
        sights = (text for _, texts in self.sights for text in texts)
        return (*patterns, *rivals, *sights, *(call for _, call in self.waits))

    def is_plain(self) -> bool:
        """Whether the final pattern alone finds a delimiter as it is."""
        arguments = {pattern.keyword for pattern in self.patterns} | dict(self.options).keys()
        ties = self.rivals or self.starts
        return not ties and arguments.isdisjoint({"spaced_final", "trailing"})


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
    search = _by_marks(watched) or _everywhere(watched)
    engine = "regex" if any(each.derived.engine == "regex" for each in watched) else "re"
    return WatchView(
        name=name,
        comment=comment,
        engine=engine,
        marks=repr(search.marks),
        patterns=search.patterns,
        options=search.options,
        aliases=tuple(
            (repr(group), repr(label)) for group, label in search.groups if group != label
        ),
        waits=tuple((repr(wait.group), _wait_call(wait)) for wait in search.waits),
        rivals=search.rivals,
        starts=search.starts,
        sights=tuple(
            (repr(each.label), tuple(sight.source() for sight in each.derived.sights))
            for each in watched
            if each.derived.sights
        ),
        far=(),
        near="None",
        context=search.context,
        captures=tuple(
            (each.label, _capture(each))
            for each in watched
            if each.of_region and each.derived.captures
        ),
    )


@dataclass(frozen=True)
class _Search:
    """How the delimiters of a watch are searched for."""

    marks: str
    patterns: tuple[PatternView, ...]
    options: tuple[tuple[str, str], ...]
    groups: tuple[tuple[str, str], ...]  # done groups, and the labels that they stand for
    waits: tuple[Wait, ...]
    context: int
    rivals: tuple[RivalView, ...] = ()
    starts: tuple[RivalView, ...] = ()


def _by_marks(watched: list[Watched]) -> _Search | None:
    """By the characters that they start with behind white space; None if that does not do."""
    found_by = [each.derived.by_marks for each in watched]
    spaces = frozenset[Space]().union(*(each.spaces if each else () for each in found_by))
    marks = frozenset[str]().union(*(each.marks if each else () for each in found_by))
    is_ambiguous = any(marks & set(space.characters) for space in spaces) or len(spaces) > 1
    if None in found_by or is_ambiguous or (len(marks) > 1 and any(map(str.isspace, marks))):
        return None
    spaced, plain = (
        [
            (each, part)
            for each in watched
            for part in each.parts()
            if (part.kind == "plain") is is_plain
        ]
        for is_plain in (False, True)
    )
    found = [*spaced, *plain]
    tied = {
        each.label
        for (a, p), (b, q) in combinations(found, 2)
        if a is not b and may_tie(p.node, q.node)
        for each in (a, b)
    }
    starting = _starting(watched)
    patterns = []
    for prefix, parts in (("", plain), ("spaced_", spaced)):
        if parts:
            finals = [_labelled(part.node, part.final, part.group) for _, part in parts]
            patterns.append(_pattern(f"{prefix}streaming", [part.streaming for _, part in parts]))
            patterns.append(_pattern(f"{prefix}final", finals))
    ranked = sorted((e for e in watched if e.label in tied), key=lambda each: each.rank)
    waits = (*(part.waits for _, part in found), *map(_start_waits, starting))
    whole = [(group, each.label) for each in starting for group in each.derived.done_groups]
    return _Search(
        marks="".join(sorted(marks)),
        patterns=tuple(patterns),
        options=tuple(_options(watched, marks, spaces)),
        groups=(*((g, each.label) for each, part in found for g in part.done_groups), *whole),
        waits=tuple(wait for group in waits for wait in group),
        context=max(each.context for each in found_by if each),
        rivals=tuple(map(_rival_of_parts, ranked)),
        starts=tuple(map(_start, starting)),
    )


def _starting(watched: list[Watched]) -> list[Watched]:
    """Those that may match at the start of the text only, and all that may tie there, by rank.

    So nothing that is left out ties with one of them. Of equal rank the first stays first.
    """
    starting = [each for each in watched if each.derived.at_start]
    for known in starting:  # it grows
        starting += [
            each for each in watched if each not in starting and may_tie(known.node, each.node)
        ]
    return [
        replace(each, derived=derive(each.node, f"{each.label}_START", f"{each.label}_START_WAIT"))
        for each in sorted(watched, key=lambda each: each.rank)
        if each in starting
    ]


def _start_waits(watched: Watched) -> tuple[Wait, ...]:
    derived = watched.derived
    return tuple(w for w in derived.waits if f"(?P<{w.group}>" in derived.streaming.template)


def _options(
    watched: list[Watched], marks: frozenset[str], spaces: frozenset[Space]
) -> Iterator[tuple[str, str]]:
    parts = [part for each in watched for part in each.parts()]
    before = [group for part in parts if part.kind == "before" for group in part.done_groups]
    if before:
        yield "before", repr(tuple(before))
    trailing = next((each.label for each in watched if each.is_trailing()), None)
    if trailing:
        yield "trailing", repr(trailing)
    for space in spaces:
        if not space.is_any():
            most = f", most={space.most}" if space.most else ""
            yield "space", f"Space({space.characters!r}{most})"
    # `re` is slower for one of several texts, but text is full of letters to leap to.
    are_rare = len(marks) > 1 and not any(map(str.isalnum, marks))
    if are_rare or not all(part.starts_plainly for part in parts):
        yield "leap", "True"
    if any(part.looks_back for part in parts):
        yield "looks_back", "True"


def _everywhere(watched: list[Watched]) -> _Search:
    """By trying every place, or every start of a run."""
    # Rivals in the order that breaks ties of equal length: open before close, then the name.
    ranked = sorted(watched, key=lambda each: each.rank)
    tied = any(may_tie(a.node, b.node) for a, b in combinations(watched, 2))
    each_final = [_labelled(e.node, e.derived.final_search, e.label) for e in watched]
    patterns = [
        _pattern("streaming", [each.derived.streaming_search for each in watched]),
        _pattern("final", each_final),
    ]
    if any(each.derived.guarded or each.derived.at_start for each in watched):
        here_final = [_labelled(e.node, e.derived.final_match, e.label) for e in watched]
        patterns.append(_pattern("here_streaming", [each.derived.streaming for each in watched]))
        patterns.append(_pattern("here_final", here_final))
    looks_back = any(each.derived.looks_back for each in watched)
    return _Search(
        marks="",
        patterns=tuple(patterns),
        options=(("looks_back", "True"),) if looks_back else (),
        groups=tuple((group, each.label) for each in watched for group in each.derived.done_groups),
        waits=tuple(wait for each in watched for wait in each.derived.waits),
        context=max(each.derived.context for each in watched),
        rivals=tuple(
            _rival(e.node, e.derived.streaming, e.derived.final_match, e.label)
            for e in ranked
            if tied
        ),
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
        of_region=terminal.role in ("open", "whole", "close", "stop"),
        pointer=terminal.delimiter.pointer,
        node=node,
        derived=derive(node, terminal.name, f"{terminal.name}_WAIT"),
    )


def _labelled(node: Node, text: PatternText, group: str) -> PatternText:
    """The pattern, then an empty group: `re` looks for the literal that a pattern begins with."""
    pattern = text.template if isinstance(node, Text) else f"(?:{text.template})"
    return PatternText(f"{pattern}(?P<{group}>)")


def _rival(node: Node, streaming: PatternText, final: PatternText, group: str) -> RivalView:
    return RivalView(streaming.source(), _labelled(node, final, group).source())


def _rival_of_parts(watched: Watched) -> RivalView:
    parts = watched.parts()
    finals = [_labelled(part.node, part.final, part.group).template for part in parts]
    streaming = PatternText("|".join(part.streaming.template for part in parts))
    return RivalView(streaming.source(), PatternText("|".join(finals)).source())


def _start(watched: Watched) -> RivalView:
    derived, group = watched.derived, f"{watched.label}_START"
    return _rival(watched.node, derived.streaming, derived.final_match, group)


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
