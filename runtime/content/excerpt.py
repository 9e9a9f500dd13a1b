"""A short piece of a long text, for error messages."""

from __future__ import annotations

_EXCERPT_SIDE = 24  # characters shown before and after the position


def excerpt(text: str, position: int = 0) -> str:
    """The text around a position as a Python literal; `...` stands where it was cut.

    >>> excerpt("a" * 100, 50)
    "...'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'..."
    """
    start = max(position - _EXCERPT_SIDE, 0)
    end = position + _EXCERPT_SIDE
    before = "..." if start else ""
    after = "..." if end < len(text) else ""
    return f"{before}{text[start:end]!r}{after}"
