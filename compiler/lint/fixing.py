"""Mend a file: the fixes of its problems, applied until there is nothing left to apply."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from compiler.lint.files import TemplateFile, lint
from compiler.lint.problems import Edit, Problem
from compiler.lint.selection import Selection


@dataclass(frozen=True)
class Linted:
    """A file before and after fixes, the problems that they are of, and those that are left."""

    before: TemplateFile
    file: TemplateFile
    fixed: tuple[Problem, ...]
    left: tuple[Problem, ...]


def inspect(file: TemplateFile, selection: Selection) -> Linted:
    """Fix nothing."""
    return Linted(file, file, (), selection.of(lint(file)))


def mend(before: TemplateFile, selection: Selection) -> Linted:
    """Apply the fixes of the selected problems. One may make room for another, so several times."""
    file = before
    fixed: tuple[Problem, ...] = ()
    while True:
        problems = selection.of(lint(file))
        chosen = _apart(problems)
        if not chosen:
            return Linted(before, file, fixed, problems)
        fixed += tuple(chosen)
        edits = [edit for problem in chosen for edit in _edits(problem)]
        file = replace(file, text=apply_edits(file.text, edits))


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with edits made, which do not overlap."""
    pieces, position = [], 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        pieces += [text[position : edit.start], edit.replacement]
        position = edit.end
    return "".join([*pieces, text[position:]])


def _apart(problems: Sequence[Problem]) -> list[Problem]:
    """Problems whose fixes touch no later one.

    So x.strip().lower() becomes x.strip()|lower and then x|trim|lower, without brackets.
    """
    chosen: list[Problem] = []
    later: list[Edit] = []
    for problem in reversed(problems):
        edits = _edits(problem)
        if edits and not any(_touch(edit, other) for edit in edits for other in later):
            chosen.insert(0, problem)
        later += edits
    return chosen


def _edits(problem: Problem) -> tuple[Edit, ...]:
    return problem.fix.edits if problem.fix else ()


def _touch(one: Edit, other: Edit) -> bool:
    return one.start <= other.end and other.start <= one.end
