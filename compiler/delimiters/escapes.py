r"""What a backslash escape means in the delimiter language, outside a set and inside one."""

from __future__ import annotations

import unicodedata

from compiler.delimiters.nodes import (
    Anchor,
    Boundary,
    Category,
    Class,
    ClassMember,
    Node,
    Property,
    Range,
    Span,
    Text,
)

_CONTROLS = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_PLACES: dict[str, Node] = {
    "A": Anchor("start"),
    "Z": Anchor("end"),
    "z": Anchor("end"),
    "b": Boundary("edge"),
    "B": Boundary("no edge"),
    "m": Boundary("word start"),
    "M": Boundary("word end"),
}
_CATEGORIES: dict[str, ClassMember] = {
    "s": Category("SPACE"),
    "S": Category("SPACE", negated=True),
    "d": Category("DIGIT"),
    "D": Category("DIGIT", negated=True),
    "w": Category("WORD"),
    "W": Category("WORD", negated=True),
    "h": Property(r"\h"),
}
_UNSUPPORTED = {
    "G": "the search anchor",
    "K": "resetting the start of the match",
    "L": "a named list",
    "R": "the line ending",
    "X": "the grapheme",
}


class EscapeError(ValueError):
    """An escape without a meaning here; the message says why."""


def place(escape: str) -> Node | None:
    r"""The anchor or boundary that `\A`, `\b` and their like stand for; None for other escapes."""
    return _PLACES.get(escape[1:])


def member(escape: str, *, in_set: bool) -> ClassMember:
    r"""The characters that an escape such as `\n`, `\d`, `\x41` or `\p{L}` stands for.

    Raises EscapeError for an escape that is none, or whose meaning is no single character.
    """
    letter = escape[1:2]
    if letter in _CATEGORIES:
        return _CATEGORIES[letter]
    if letter in ("p", "P") and len(escape) > 2:
        return Property(escape)
    character = _character(escape, in_set)
    return Range(character, character)


def atom(escape: str, fold: bool, span: Span) -> Node:
    """The node of an escape outside a set, backreferences and places apart."""
    found = member(escape, in_set=False)
    if isinstance(found, Range):
        return Text(found.first, fold, span)
    return Class((found,), fold=fold, span=span)


def group_reference(escape: str) -> str | None:
    r"""The group that `\1`, `\12` or `\g<name>` refers to; None for other escapes."""
    if escape.startswith(r"\g<"):
        return escape[3:-1]
    digits = escape[1:]
    if digits.isdecimal() and digits[0] != "0" and len(digits) <= 2:
        return digits
    return None


def _character(escape: str, in_set: bool) -> str:
    letter, rest = escape[1:2], escape[2:]
    if letter == "b" and in_set:
        return "\b"
    if letter in _CONTROLS:
        return _CONTROLS[letter]
    if letter in ("x", "u", "U"):
        return _hexadecimal(escape)
    if letter in "01234567" and not (in_set and escape[1] in "89"):
        return chr(int(escape[1:], 8))
    if letter == "N" and rest:
        return _named(rest[1:-1])
    if letter in ("p", "P", "N") or (letter == "g" and not in_set):
        return letter  # without the braces or brackets they need, these stand for themselves
    if letter in _UNSUPPORTED and not in_set:
        raise EscapeError(f"{_UNSUPPORTED[letter]} \\{letter} is not supported")
    if letter.isascii() and letter.isalnum():
        raise EscapeError(f"\\{letter} has no meaning{' in a set' if in_set else ''}")
    return letter


def _hexadecimal(escape: str) -> str:
    if len(escape) == 2:
        digits = {"x": 2, "u": 4, "U": 8}[escape[1]]
        raise EscapeError(f"{escape} needs {digits} hexadecimal digits")
    code = int(escape[2:], 16)
    if code > 0x10FFFF:
        raise EscapeError(f"{escape} is beyond the last code point")
    return chr(code)


def _named(name: str) -> str:
    try:
        return unicodedata.lookup(name)
    except KeyError:
        raise EscapeError(f"no character is named {name!r}") from None
