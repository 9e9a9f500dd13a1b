"""Mistakes in a template: what is wrong, where, and how to put it right.

A stage *finds* (`Finding`: a rule, a JSON pointer, a sentence), `frontend/diagnose.py` *locates*
(`Diagnostic`: file, line, column), and `render` prints all mistakes of a run as one report:

    grammars/demo/response_template.json:4:31: error[RT203] /fields/calls/open_pattern: missing )
      4 |     "calls": {"open_pattern": "<(call>", "close": "</call>"},
        |                                ^
      help: write "\\(" for a literal parenthesis
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Severity = Literal["error", "warning"]

_ANSI_CODES = {"error": "1;31", "warning": "1;33", "help": "36"}  # bold red, bold yellow, cyan
_LINE_WIDTH = 96  # columns of source shown; longer lines are cut around the caret


@dataclass(frozen=True)
class Location:
    """A place in a file. Lines and columns count from 1, columns in code points.

    `line` and `column` are None when the file as a whole is meant.
    """

    file: str
    line: int | None = None
    column: int | None = None
    line_text: str = ""


@dataclass(frozen=True)
class Finding:
    """A broken rule before it is located.

    `pointer` is relative to the template. The place is the value there, its key if `on_key`, or
    the character number `offset` of the string value there.
    """

    rule: str
    pointer: str
    message: str
    hint: str | None = None
    offset: int | None = None
    on_key: bool = False


@dataclass(frozen=True)
class Diagnostic:
    """A broken rule with its place. `pointer` is relative to the whole file."""

    rule: str
    severity: Severity
    message: str
    pointer: str
    hint: str | None
    location: Location

    def as_json(self) -> dict[str, Any]:
        """A flat JSON object; `line` and `column` are null when the file as a whole is meant."""
        return {
            "rule": self.rule,
            "severity": self.severity,
            "message": self.message,
            "pointer": self.pointer,
            "hint": self.hint,
            "file": self.location.file,
            "line": self.location.line,
            "column": self.location.column,
        }


class TemplateError(ValueError):
    """A template that cannot be compiled. `str()` is the report of all its mistakes."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__(tuple(diagnostics))
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)

    def __str__(self) -> str:
        return render(self.diagnostics)


def render(diagnostics: Sequence[Diagnostic], color: bool = False) -> str:
    """The report for people: each diagnostic with its source line, then a count."""
    paint = _ansi if color else _plain
    entries = ["\n".join(_entry(diagnostic, paint)) for diagnostic in diagnostics]
    return "\n\n".join([*entries, _summary(diagnostics)])


def _plain(text: str, role: str) -> str:
    return text


def _ansi(text: str, role: str) -> str:
    return f"\x1b[{_ANSI_CODES[role]}m{text}\x1b[0m"


def _entry(diagnostic: Diagnostic, paint: Callable[[str, str], str]) -> Iterator[str]:
    location = diagnostic.location
    place = ":".join(str(part) for part in (location.file, location.line, location.column) if part)
    label = paint(f"{diagnostic.severity}[{diagnostic.rule}]", diagnostic.severity)
    pointer = f" {_visible(diagnostic.pointer)}" if diagnostic.pointer else ""
    yield f"{_visible(place)}: {label}{pointer}: {_visible(diagnostic.message)}"
    if location.line is not None and location.column is not None:
        line, indent = _excerpt(location.line_text, location.column - 1)
        gutter = f"{location.line:>3} |"
        yield f"{gutter} {line}".rstrip()
        yield f"{'|':>{len(gutter)}} {' ' * indent}{paint('^', diagnostic.severity)}"
    if diagnostic.hint is not None:
        yield f"  {paint('help', 'help')}: {_visible(diagnostic.hint)}"


def _excerpt(line: str, caret: int) -> tuple[str, int]:
    """The part of `line` around index `caret`, and the columns before the caret in it."""
    start, end = 0, len(line)
    if end > _LINE_WIDTH:
        start = max(0, min(caret - _LINE_WIDTH // 2, end - _LINE_WIDTH))
        end = min(end, start + _LINE_WIDTH)
    before = ("..." if start else "") + _visible(line[start:caret])
    after = _visible(line[caret:end]) + ("..." if end < len(line) else "")
    return before + after, _width(before)


def _visible(text: str) -> str:
    """`text` with what a terminal cannot show on one line (controls, lone surrogates) escaped."""
    return "".join(
        char if char.isprintable() else " " if char == "\t" else ascii(char)[1:-1] for char in text
    )


def _width(text: str) -> int:
    """Terminal columns of `text`: wide characters take two, combining marks none."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )


def _summary(diagnostics: Sequence[Diagnostic]) -> str:
    errors = sum(diagnostic.severity == "error" for diagnostic in diagnostics)
    return f"{_count(errors, 'error')}, {_count(len(diagnostics) - errors, 'warning')}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
