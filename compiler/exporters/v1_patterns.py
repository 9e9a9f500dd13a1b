r"""Patterns of v1 made of others: one of several, or several in a row.

Groups that are referred to keep their meaning: `(a|b)\1` as the second of two ways is `(a|b)\2` if
the first one has a group.
"""

from __future__ import annotations

from collections.abc import Iterator

import regex

_TOKEN = regex.compile(
    r"""
    \\[1-7][0-7]{2}                                      # a character
  | \\(?P<reference>[1-9]\d?)
  | \\g<(?P<reference>\w+)> | \(\?P=(?P<reference>\w+)\)
  | (?P<opener>\(\?P?<[^\W\d]\w*>)
  | \\[\s\S]
  | \[\^?\]?(?:\\[\s\S]|\[:[^\]]*:\]|[^\]\\])*\]         # a set
    """,
    regex.VERBOSE,
)


def either(*patterns: str) -> str:
    """Any of the patterns; of those that are not empty."""
    return "|".join(_numbered(patterns))


def in_a_row(*patterns: str) -> str:
    """The patterns one after another."""
    return "".join(f"(?:{pattern})" for pattern in _numbered(patterns))


def before(pattern: str) -> str:
    """The place in front of the pattern."""
    return f"(?={unnamed(pattern)})"


def unnamed(pattern: str) -> str:
    """The pattern with groups that have numbers only: names are for the transform."""
    return _moved(pattern, 0, named=False)


def _numbered(patterns: tuple[str, ...]) -> Iterator[str]:
    taken = 0
    for pattern in filter(None, patterns):
        yield _moved(pattern, taken) if taken else pattern
        taken += regex.compile(pattern).groups


def _moved(pattern: str, taken: int, named: bool = True) -> str:
    """The pattern behind so many groups of others."""
    numbers = regex.compile(pattern).groupindex

    def token(found: regex.Match[str]) -> str:
        reference: str | None = found["reference"]
        if found["opener"]:
            return str(found[0]) if named else "("
        if reference is None or (named and reference in numbers):
            return str(found[0])
        number = int(reference) if reference.isdigit() else numbers[reference]
        return rf"(?:\{number + taken})"  # a digit may follow

    return str(_TOKEN.sub(token, pattern))
