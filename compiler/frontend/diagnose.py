"""Turn findings into diagnostics: give each its severity and its place in the file."""

from __future__ import annotations

from collections.abc import Iterable

from compiler.diagnostics import Diagnostic, Finding, Severity
from compiler.source import Source


def diagnose(source: Source, findings: Iterable[Finding]) -> tuple[Diagnostic, ...]:
    """The findings located in `source`, in the order of the file."""
    diagnostics = [
        Diagnostic(
            rule=finding.rule,
            severity=severity_of(finding.rule),
            message=finding.message,
            pointer=source.base_pointer + finding.pointer,
            hint=finding.hint,
            location=source.locate(finding.pointer, finding.offset, finding.on_key),
        )
        for finding in findings
    ]
    return tuple(sorted(diagnostics, key=_reading_order))


def severity_of(rule: str) -> Severity:
    """Rules RT9xx warn; all others refuse the template."""
    return "warning" if rule.startswith("RT9") else "error"


def _reading_order(diagnostic: Diagnostic) -> tuple[int, int, str, str]:
    location = diagnostic.location
    return (location.line or 0, location.column or 0, diagnostic.rule, diagnostic.message)
