"""What a region with strings, or one that ends with its value, is: said once more, slowly.

One character after another of a complete text, and a whole string at a time: no streams, no
states, nothing of the runtime.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

OPENER = "<c>"


@dataclass(frozen=True)
class StringKind:
    opener: str
    closer: str
    escapes: bool


@dataclass(frozen=True)
class Body:
    """How regions from OPENER on end."""

    closer: str | None  # a pattern
    kinds: tuple[StringKind, ...]
    ends_with_value: bool
    brackets: tuple[str, ...] = ("{}", "[]")
    has_names: bool = False  # something may stand before the first bracket


def regions(body: Body, text: str) -> list[tuple[str, str]]:
    """The regions "call" and, between these, "text", with what is in them."""
    found: list[tuple[str, str]] = []
    endless: set[StringKind] = set()
    between, place = "", 0
    while place < len(text):
        if not text.startswith(OPENER, place):
            between += text[place]
            place += 1
            continue
        if between:
            found.append(("text", between))
            between = ""
        start = place + len(OPENER)
        end, place = _end(body, text, start, endless)
        found.append(("call", text[start:end]))
    return [*found, ("text", between)] if between else found


def _end(body: Body, text: str, place: int, endless: set[StringKind]) -> tuple[int, int]:
    """Where the region ends, and where its closer does; `endless` are kinds that end no more."""
    first, open_brackets = "", 0
    may_have_value, is_read = body.ends_with_value, False
    begun = body.has_names
    while place < len(text):
        closer = re.compile(body.closer, re.DOTALL).match(text, place) if body.closer else None
        if closer:
            return place, closer.end()
        if is_read:
            return place, place
        kinds = [kind for kind in body.kinds if kind not in endless]
        kind = next((kind for kind in kinds if text.startswith(kind.opener, place)), None)
        if kind:
            end = _string_end(kind, text, place + len(kind.opener))
            endless |= {kind} if end is None else set()
            may_have_value = may_have_value and begun and end is not None
            place = end or place + 1
            continue
        character = text[place]
        if may_have_value and first and character in first:
            open_brackets += 1 if character == first[0] else -1
            is_read = open_brackets == 0
        elif may_have_value and not first and any(character in pair for pair in body.brackets):
            first = next((pair for pair in body.brackets if pair[0] == character), "")
            open_brackets, begun = 1, True
            may_have_value = first != ""
        elif not begun and character not in " \n":
            may_have_value = False
        place += 1
    return place, place


def _string_end(kind: StringKind, text: str, place: int) -> int | None:
    while place < len(text):
        if kind.escapes and text[place] == "\\":
            place += 2
        elif text.startswith(kind.closer, place):
            return place + len(kind.closer)
        else:
            place += 1
    return None
