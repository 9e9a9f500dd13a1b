r"""Derive from a delimiter's tree everything that finding it in a stream takes.

derive(parse_pattern(r"</think>\s*"), "THINK_CLOSE", "THINK_CLOSE_WAIT")
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from compiler.delimiters.endings import ending, looks_at_end, needed
from compiler.delimiters.engine import engine_of
from compiler.delimiters.hold_back import HoldBack, Wait, hold_back
from compiler.delimiters.landmarks import Kind, Part, Space, landmarks
from compiler.delimiters.linear import guarded
from compiler.delimiters.lowered import lower
from compiler.delimiters.nodes import (
    Any,
    Backreference,
    Capture,
    Node,
    Repeat,
    Sequence,
    Text,
    walk,
)
from compiler.delimiters.pattern_text import PatternText
from compiler.delimiters.printer import Engine, Printer
from compiler.delimiters.sights import capture_sights
from compiler.delimiters.slowness import Slowness, slow_parts
from compiler.delimiters.starting import NOTHING, starts_plainly, without_start
from compiler.delimiters.widths import reach

NEVER = PatternText("(?!)")

__all__ = ["ContentPattern", "DerivedDelimiter", "PatternText", "Wait", "content_pattern", "derive"]


@dataclass(frozen=True)
class DerivedPart:
    """A part of a delimiter (see landmarks.py) with its patterns; a done group tells it apart."""

    kind: Kind
    node: Node
    group: str  # its first done group, or the only one of the final pattern
    final: PatternText
    streaming: PatternText
    done_groups: tuple[str, ...]
    waits: tuple[Wait, ...]
    starts_plainly: bool  # every way starts with a literal, so that `re` skips to it
    looks_back: bool


@dataclass(frozen=True)
class DerivedMarks:
    """What finding a delimiter by its marks takes (see landmarks.py)."""

    parts: tuple[DerivedPart, ...]
    trailing: bool
    spaces: frozenset[Space]
    marks: frozenset[str]
    context: int  # characters before a match's start that it may look at


@dataclass(frozen=True)
class DerivedDelimiter:
    """What finding one delimiter takes. Patterns are for `engine`, with the flag DOTALL.

    A search from a place `p` is: match the pattern at `p`; if that fails, search with the `_search`
    pattern from `p`. The first step is needed only if `guarded`, or if `at_start` and `p` is 0.

    A streaming match says: a done group is last (`m.lastgroup`): this delimiter is complete from
    `m.start()` to `m.end()`, whatever follows. A wait group is last: it is pending, and stays so
    while the `Wait` holds. Else: it is pending. A match that starts at the end of the text says
    nothing. Only these groups and, for backreferences, ones that start with `_` are in it.
    """

    final: PatternText  # the delimiter as written, its named groups kept: what was captured
    final_match: PatternText  # the same without groups
    final_search: PatternText  # the same, to be searched
    streaming: PatternText
    streaming_search: PatternText  # to be searched
    sights: tuple[PatternText, ...]  # each must reach a group `done` too before captures are read
    guarded: bool  # the searched patterns look at the start of a run only
    at_start: bool  # they leave out what can match only at the start of the text
    captures: tuple[str, ...]  # names of groups
    done_groups: tuple[str, ...]
    waits: tuple[Wait, ...]
    engine: Engine
    engine_reason: str | None  # why it is `regex`
    by_marks: DerivedMarks | None  # the same delimiter, but for what can match only at the start
    context: int  # characters before a match's start that it may look at
    looks_back: bool  # the searched patterns do
    needs: str | None  # a text that every match contains
    far: bool  # looking for it may take the rest of the text, wherever that is begun
    prefix: str  # a text that every match starts with; "" if unknown
    nonlinear: tuple[Slowness, ...]


@dataclass(frozen=True)
class ContentPattern:
    """A content parser's pattern; `ends_with` is a text at the end of every match, if known.

    It is known only of patterns that do not look at what follows a match: they match the same
    with the text cut off after the last `ends_with`.
    """

    final: PatternText
    engine: Engine
    ends_with: str | None


def derive(node: Node, done: str, wait: str) -> DerivedDelimiter:
    """Derive a delimiter from its tree; names of groups start with `done` and `wait`."""
    whole = lower(node)
    engine, reason = engine_of(whole)
    captures = _captures(whole)
    internal = {number: f"_{done}_group{number}" for number in _referred(whole)}
    bare = lower(node, captures=internal)
    away = without_start(bare)
    guard = guarded(away)
    printer = Printer(engine, internal)
    match = PatternText(printer.text(bare))
    bodies = {inner.number: inner.body for inner in walk(bare) if isinstance(inner, Capture)}
    streaming = hold_back(bare, printer, bodies, done, wait)
    search, final_search = streaming, match
    if guard == NOTHING:
        search, final_search = HoldBack(NEVER, (), ()), NEVER
    elif guard != bare:
        search = hold_back(guard, printer, bodies, done, wait if away == bare else f"{wait}_AWAY")
        final_search = PatternText(printer.text(guard))
    return DerivedDelimiter(
        final=_final(whole, engine) if captures else match,
        final_match=match,
        final_search=final_search,
        streaming=streaming.text,
        streaming_search=search.text,
        sights=tuple(_sight(sight, printer, bodies, done, wait) for sight in capture_sights(whole)),
        guarded=guard != away,
        at_start=away != bare,
        captures=captures,
        done_groups=streaming.done_groups,
        waits=tuple(dict.fromkeys((*streaming.waits, *search.waits))),
        engine=engine,
        engine_reason=reason,
        by_marks=_by_marks(away, reach(bare), printer, bodies, done, wait),
        context=max(reach(guard), reach(bare)),
        looks_back=reach(guard) > 0,
        needs=needed(bare),
        far=any(map(_is_endless, walk(bare))),
        prefix=_prefix(bare),
        nonlinear=slow_parts(bare),
    )


def _by_marks(
    away: Node, context: int, printer: Printer, bodies: Mapping[int, Node], done: str, wait: str
) -> DerivedMarks | None:
    found = landmarks(away)
    if found is None:
        return None
    alone = len(found.parts) == 1
    parts = []
    for part in found.parts:
        suffix = "" if alone or part.kind == "plain" else f"_{part.kind.upper()}"
        streaming = hold_back(part.node, printer, bodies, done + suffix, wait + suffix)
        parts.append(_derived_part(part, printer, streaming, done + suffix))
    return DerivedMarks(tuple(parts), found.trailing, found.spaces, found.marks, context)


def _derived_part(part: Part, printer: Printer, streaming: HoldBack, group: str) -> DerivedPart:
    return DerivedPart(
        kind=part.kind,
        node=part.node,
        group=group,
        final=PatternText(printer.text(part.node)),
        streaming=streaming.text,
        done_groups=streaming.done_groups,
        waits=streaming.waits,
        starts_plainly=starts_plainly(part.node),
        looks_back=reach(part.node) > 0,
    )


def _prefix(node: Node) -> str:
    first = node.items[0] if isinstance(node, Sequence) and node.items else node
    return first.text if isinstance(first, Text) and not first.fold else ""


def _is_endless(node: Node) -> bool:
    return isinstance(node, Repeat) and node.high is None and isinstance(node.body, Any)


def _sight(
    sight: Node, printer: Printer, bodies: Mapping[int, Node], done: str, wait: str
) -> PatternText:
    if sight == NOTHING:
        return NEVER
    return hold_back(lower(sight, captures=printer.groups), printer, bodies, done, wait).text


def content_pattern(node: Node) -> ContentPattern:
    """The pattern of a content parser, with its groups."""
    whole = lower(node)
    engine, _ = engine_of(whole)
    bare = lower(node, captures=())
    text = "" if looks_at_end(bare) else ending(bare)
    return ContentPattern(_final(whole, engine), engine, text or None)


def _final(whole: Node, engine: Engine) -> PatternText:
    """The pattern as written; groups that are neither named nor referred to do not capture."""
    named = {i.number: i.name for i in walk(whole) if isinstance(i, Capture) and i.name}
    groups = dict.fromkeys(_referred(whole), "") | named
    return PatternText(Printer(engine, groups).text(whole))


def _captures(whole: Node) -> tuple[str, ...]:
    names = (i.name for i in walk(whole) if isinstance(i, Capture) and i.name)
    return tuple(dict.fromkeys(names))


def _referred(whole: Node) -> list[int]:
    return sorted({i.number for i in walk(whole) if isinstance(i, Backreference)})
