"""What `chatc lint` found, for people, for programs, and for GitHub's annotations."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from difflib import unified_diff
from typing import Any

from compiler.cli.terminal import data, data_json, has_color, printable, say
from compiler.diagnostics import Diagnostic, render
from compiler.lint.fixing import Linted
from compiler.lint.problems import Problem

# https://docs.github.com/actions/reference/workflow-commands-for-github-actions
_ESCAPES = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY_ESCAPES = {**_ESCAPES, ":": "%3A", ",": "%2C"}


def report_text(problems: Sequence[Problem]) -> None:
    """Each problem with its line, on stdout; nothing if there is none."""
    if problems:
        found = [problem.diagnostic for problem in problems]
        data(f"{render(found, has_color(sys.stdout))}\n")


def report_json(problems: Sequence[Problem], fixed: Sequence[Problem]) -> None:
    """One JSON object, on stdout."""
    found = {"diagnostics": problems, "fixed": fixed}
    data_json({key: [_as_json(each) for each in value] for key, value in found.items()}, indent=2)


def report_github(problems: Iterable[Problem]) -> None:
    """One workflow command a problem, on stdout."""
    for problem in problems:
        data(f"{_annotation(problem.diagnostic)}\n")


def report_fixed(fixed: Iterable[Problem], done: str) -> None:
    """A line for each fix, on stderr; places are those before it."""
    for problem in fixed:
        assert problem.fix is not None
        place, rule = problem.diagnostic.location, problem.diagnostic.rule
        what = f"{done}[{rule}]: {problem.fix.message}"
        say(printable(f"{place.file}:{place.line}:{place.column}: {what}"))


def report_diffs(linted: Iterable[Linted]) -> None:
    """What the fixes change as a unified diff, on stdout."""
    for each in linted:
        texts = (
            each.before.text.splitlines(keepends=True),
            each.file.text.splitlines(keepends=True),
        )
        for line in unified_diff(*texts, f"a/{each.file.display}", f"b/{each.file.display}"):
            data(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")


def _as_json(problem: Problem) -> dict[str, Any]:
    fix = problem.fix
    edits = [vars(edit) for edit in fix.edits] if fix else []
    return {
        **problem.diagnostic.as_json(),
        "fix": {"message": fix.message, "edits": edits} if fix else None,
    }


def _annotation(diagnostic: Diagnostic) -> str:
    place = diagnostic.location
    properties = {
        "file": place.file,
        "line": place.line,
        "col": place.column,
        "title": f"{diagnostic.rule} {diagnostic.pointer}".strip(),
    }
    shown = ",".join(
        f"{name}={_escaped(str(value), _PROPERTY_ESCAPES)}"
        for name, value in properties.items()
        if value is not None
    )
    hint = f"\nhelp: {diagnostic.hint}" if diagnostic.hint else ""
    return f"::{diagnostic.severity} {shown}::{_escaped(diagnostic.message + hint, _ESCAPES)}"


def _escaped(text: str, escapes: dict[str, str]) -> str:
    return "".join(escapes.get(char, char) for char in text)
