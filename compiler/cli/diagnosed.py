"""Mistakes of templates on the command line: the report, and the exit code."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from compiler.cli.terminal import data_json, has_color, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compiler.diagnostics import Diagnostic, TemplateError

_UNREADABLE = {"RT001", "RT002", "RT003"}  # there is no template to find mistakes in


def report(diagnostics: Sequence[Diagnostic]) -> None:
    """Print the report on stderr."""
    from compiler.diagnostics import render

    if diagnostics:
        say(render(diagnostics, has_color(sys.stderr)))


def refused(error: TemplateError, as_json: bool) -> int:
    """Tell why nothing came of a template, as JSON on stdout too; return the exit code."""
    if as_json:
        data_json({"diagnostics": [each.as_json() for each in error.diagnostics]}, indent=2)
    report(error.diagnostics)
    return exit_code(error.diagnostics)


def exit_code(diagnostics: Sequence[Diagnostic]) -> int:
    """1 for a template with mistakes, 2 where no template could be read."""
    return 2 if {diagnostic.rule for diagnostic in diagnostics} & _UNREADABLE else 1
