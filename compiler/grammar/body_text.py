"""What a region's text is made of, in the grammar: strings, and the end of a value."""

from __future__ import annotations

from compiler.delimiters.printer import escape_character
from compiler.frontend.syntax import Strings

VALUE_END = "behind the bracket that closes the first one; brackets in strings do not count"
_QUOTES = {"json": '"', "python": "\"'"}


def string_pattern(strings: Strings) -> str:
    """A pattern of one string; where it has no end it matches nothing, and its opener is text."""
    ways = [
        rf"{quote}(?:[^{quote}\\]|\\.)*{quote}" for quote in _QUOTES.get(strings.grammar or "", "")
    ]
    ways += [f"{_escaped(opener)}.*?{_escaped(closer)}" for opener, closer in strings.pairs]
    return "|".join(ways)


def _escaped(text: str) -> str:
    return "".join(map(escape_character, text))
