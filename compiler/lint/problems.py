"""What linting finds: a diagnostic, and the edits that would mend it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from compiler.diagnostics import Diagnostic, Finding, Location
from compiler.lint.rules import LINT_RULES


@dataclass(frozen=True)
class Edit:
    """`text[start:end]` of a file, in code points, becomes `replacement`."""

    start: int
    end: int
    replacement: str


@dataclass(frozen=True)
class Fix:
    """Edits that change nothing of what the template does, and what they do in a few words."""

    message: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class LintFinding(Finding):
    """A broken rule before it is located. A fix that may change what happens is a hint instead."""

    fix: Fix | None = None


@dataclass(frozen=True)
class Problem:
    """A broken rule with its place in a file."""

    diagnostic: Diagnostic
    fix: Fix | None = None


class Places(Protocol):
    """Where a template lies: `compiler.source.Source`, and a chat template's own."""

    @property
    def base_pointer(self) -> str: ...
    def locate(self, pointer: str, offset: int | None = None, on_key: bool = False) -> Location: ...


def located(places: Places, findings: Iterable[LintFinding]) -> tuple[Problem, ...]:
    """The findings as problems, in the order of the file."""
    problems = [
        Problem(
            Diagnostic(
                rule=finding.rule,
                severity=LINT_RULES[finding.rule].severity,
                message=finding.message,
                pointer=places.base_pointer + finding.pointer,
                hint=finding.hint,
                location=places.locate(finding.pointer, finding.offset, finding.on_key),
            ),
            finding.fix,
        )
        for finding in findings
    ]
    return tuple(sorted(problems, key=reading_order))


def reading_order(problem: Problem) -> tuple[int, int, str, str]:
    """What problems of one file are sorted by."""
    diagnostic = problem.diagnostic
    location = diagnostic.location
    return (location.line or 0, location.column or 0, diagnostic.rule, diagnostic.message)
