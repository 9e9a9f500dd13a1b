r"""What `\s`, `\d` and `\w` match, asked of the installed `regex` package.

Stdlib `re` reads these classes with the Unicode tables of its own Python; response templates mean
those of `regex`. So generated code spells the classes out, as constants of
`runtime/unicode_classes.py`. Run this module to print that file:

    python -m compiler.delimiters.classes > runtime/unicode_classes.py
"""

from __future__ import annotations

import sys
from functools import cache

import regex

CLASSES = {"SPACE": r"\s", "DIGIT": r"\d", "WORD": r"\w"}
UNICODE_VERSION = "18.0.0"  # of the tables in the pinned versions of `regex`

_LINE = 88  # characters of class text a line: with quotes and indent, under 100

_HEADER = r'''r"""What `\s`, `\d` and `\w` match in `regex`, by Unicode {unicode}.

Each constant is the inside of a `[...]` set for stdlib `re`, whose own classes follow another
version of Unicode. Printed by `python -m compiler.delimiters.classes`; not edited by hand.
"""
'''


@cache
def spans(one_character: str) -> tuple[tuple[int, int], ...]:
    """The code points a one-character `regex` pattern matches: inclusive ranges, in order."""
    run = regex.compile(f"(?:{one_character})+", regex.DOTALL)
    return tuple((match.start(), match.end() - 1) for match in run.finditer(_every_character()))


def class_text(name: str) -> str:
    """The set text of one class, for the inside of `[...]`: SPACE, DIGIT or WORD."""
    return "".join(_pieces(name))


def module_text() -> str:
    """The text of `runtime/unicode_classes.py`."""
    header = _HEADER.format(unicode=UNICODE_VERSION)
    return header + "".join(_constant(name) for name in CLASSES)


@cache
def _every_character() -> str:
    return "".join(map(chr, range(sys.maxunicode + 1)))


def _pieces(name: str) -> list[str]:
    return [_range_text(first, last) for first, last in spans(CLASSES[name])]


def _range_text(first: int, last: int) -> str:
    if first == last:
        return _code_point(first)
    dash = "" if last == first + 1 else "-"
    return _code_point(first) + dash + _code_point(last)


def _code_point(code: int) -> str:
    if chr(code).isascii() and (chr(code).isalnum() or chr(code) == "_"):
        return chr(code)
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"


def _constant(name: str) -> str:
    lines = [""]
    for piece in _pieces(name):
        if len(lines[-1]) + len(piece) > _LINE:
            lines.append("")
        lines[-1] += piece
    if len(lines) == 1:
        return f'\n{name} = r"{lines[0]}"\n'
    quoted = "".join(f'    r"{line}"\n' for line in lines)
    return f"\n{name} = (\n{quoted})\n"


if __name__ == "__main__":
    sys.stdout.write(module_text())
