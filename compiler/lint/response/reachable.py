"""LT601 to LT603: delimiters that never count, and those that always do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import regex

from compiler.delimiters.lowered import lower
from compiler.delimiters.nodes import (
    EMPTY,
    Alternation,
    Anchor,
    Atomic,
    Boundary,
    Look,
    Node,
    Repeat,
    Sequence,
    walk,
)
from compiler.delimiters.trees import tree_of
from compiler.delimiters.widths import width
from compiler.frontend.json_positions import child_pointer
from compiler.frontend.syntax import Delimiter, Field
from compiler.frontend.wording import quoted
from compiler.lint.problems import LintFinding
from compiler.lint.response.literal_texts import literal_texts
from compiler.lint.response.subject import Subject, patterns

_INSIDE = "\ue000\ue000"  # a place between two characters that no template is about


@dataclass(frozen=True)
class _Watched:
    """A delimiter that is watched outside of regions."""

    delimiter: Delimiter
    field: Field
    is_opener: bool

    @property
    def rank(self) -> tuple[bool, str]:
        """Of two that match the same text at one place, the lower rank counts (v1)."""
        return not self.is_opener, self.field.name


def check_hidden(subject: Subject) -> Iterator[LintFinding]:
    """LT601: delimiters whose text another one, which wins, matches too. Equal ones are RT906."""
    watched = [*_watched(subject)]
    for each in watched:
        winners = [
            other for other in watched if other.rank < each.rank and not _is_conditional(other)
        ]
        texts = literal_texts(lower(tree_of(each.delimiter), ())) or ()
        hiding = {text: _winner(text, winners, each) for text in texts}
        if each.delimiter.literals is None:
            places = [(each.delimiter.pointer, text) for text in texts[:1] if all(hiding.values())]
        else:
            places = [*_places(each, subject)]
        for pointer, text in places:
            if winner := hiding.get(text):
                does = "opens a region" if each.is_opener else "closes a region"
                message = f"never {does}: {_described(winner)} matches the same text and wins"
                hint = "of equally long matches an opener wins, then the field with the lower name"
                yield LintFinding("LT601", pointer, message, hint)


def check_possible(subject: Subject) -> Iterator[LintFinding]:
    """LT602: patterns, and ways through them, that no text takes."""
    for pattern in patterns(subject.template):
        obstacle = _obstacle(lower(pattern.node, ()))
        if obstacle is not None:
            message = "no text gets past this place of the pattern"
            yield LintFinding("LT602", pattern.pointer, message, offset=obstacle.span[0])


def check_empty(subject: Subject) -> Iterator[LintFinding]:
    """LT603: delimiters that are found at every place."""
    for field in subject.template.fields:
        for delimiter, does in ((field.opener, "opens"), (field.closer, "closes")):
            if delimiter and delimiter.pattern and _matches_nothing(delimiter.pattern):
                message = f"{does} a region at every place: the pattern matches without any text"
                yield LintFinding("LT603", delimiter.pointer, message)


def _watched(subject: Subject) -> Iterator[_Watched]:
    for field in subject.template.fields:
        if field.opener is not None:
            yield _Watched(field.opener, field, True)
        elif field.closer is not None:
            yield _Watched(field.closer, field, False)


def _winner(text: str, winners: list[_Watched], hidden: _Watched) -> _Watched | None:
    """Who takes `text` away: a match of it goes on where it ends, or further, whatever follows."""
    for winner in winners:
        delimiter = winner.delimiter
        if delimiter.literals is not None:
            found = text in delimiter.literals and hidden.delimiter.literals is None
        else:
            match = regex.compile(delimiter.pattern or "", regex.DOTALL).match(text)
            found = match is not None and match.end() == len(text)
            found = found and delimiter.pattern != hidden.delimiter.pattern
        if found:
            return winner
    return None


def _is_conditional(watched: _Watched) -> bool:
    """Whether a match depends on what stands around it."""
    inside = walk(tree_of(watched.delimiter))
    return any(isinstance(node, Look | Anchor | Boundary) for node in inside)


def _places(watched: _Watched, subject: Subject) -> Iterator[tuple[str, str]]:
    """The place of each literal, and the literal."""
    written = subject.spec["fields"][watched.field.name]["open" if watched.is_opener else "close"]
    pointer = watched.delimiter.pointer
    if isinstance(written, str):
        yield pointer, written
    else:
        yield from ((child_pointer(pointer, i), text) for i, text in enumerate(written))


def _described(watched: _Watched) -> str:
    kind = "opener" if watched.is_opener else "closer"
    return f"the {kind} of {quoted(watched.field.name)}"


def _obstacle(node: Node) -> Node | None:
    """The first place in a node where every match fails."""
    match node:
        case Atomic() | Repeat() | Look(negated=False):
            return _obstacle(node.body)
        case Look(ahead=True, negated=True) if node.body == EMPTY:
            return node
        case Alternation():
            obstacles = map(_obstacle, node.branches)
            return next((each for each in obstacles if each is not None), None)
        case Sequence():
            return _obstacle_in_row(node.items)
    return None


def _obstacle_in_row(items: tuple[Node, ...]) -> Node | None:
    for index, item in enumerate(items):
        inner = _obstacle(item)
        if inner is not None:
            return inner
        if not isinstance(item, Anchor):
            continue
        before, after = (width(Sequence(part))[0] for part in (items[:index], items[index + 1 :]))
        if before if item.place == "start" else after > (item.place == "last line"):
            return item
    return None


def _matches_nothing(pattern: str) -> bool:
    match = regex.compile(pattern, regex.DOTALL).match(_INSIDE, 1)
    return match is not None and not match.group()
