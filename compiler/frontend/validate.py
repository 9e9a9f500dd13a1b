"""Check a template against every rule of v1, and of the dialect if it is written in it; freeze it.

What transformers 5.24.0 refuses to load is refused here. Beyond that only what cannot work is
refused: patterns the compiler does not read (RT204), content arguments that fail at every use
(RT3xx), and values that JSON does not have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from compiler.diagnostics import Diagnostic, Finding, TemplateError
from compiler.frontend.checks.blanks import check_blanks
from compiler.frontend.checks.shape import check_template
from compiler.frontend.checks.special import check_unused
from compiler.frontend.checks.strings import check_strings
from compiler.frontend.diagnose import diagnose, severity_of
from compiler.frontend.fields import template_of
from compiler.frontend.forms import is_extended
from compiler.frontend.syntax import Template
from compiler.source import Source


@dataclass(frozen=True)
class Checked:
    """A valid template, and what is likely a mistake in it all the same."""

    template: Template
    warnings: tuple[Diagnostic, ...]


def validate(source: Source) -> Checked:
    """The template of `source`. Raises TemplateError with all mistakes, warnings included."""
    findings = [*source.noticed, *_new_findings(check_template(source.spec), source.noticed)]
    findings += _of_right_parts(source.spec, findings)
    diagnostics = diagnose(source, findings)
    if any(diagnostic.severity == "error" for diagnostic in diagnostics):
        raise TemplateError(diagnostics)
    assert isinstance(source.spec, dict)  # RT101
    return Checked(template_of(source.spec), diagnostics)


def _of_right_parts(spec: object, found: Iterable[Finding]) -> Iterator[Finding]:
    """What only delimiters without mistakes can be asked."""
    mistakes = [finding.pointer for finding in found if severity_of(finding.rule) == "error"]
    if isinstance(spec, dict) and is_extended(spec):
        yield from check_strings(spec, mistakes)
        yield from check_blanks(spec, mistakes)
        if not mistakes:
            yield from check_unused(template_of(spec))


def _new_findings(found: Iterable[Finding], noticed: Iterable[Finding]) -> Iterator[Finding]:
    """Without those about a value that reading has already called impossible."""
    replaced = [finding.pointer for finding in noticed if finding.rule in ("RT005", "RT006")]
    for finding in found:
        if not any(f"{finding.pointer}/".startswith(f"{pointer}/") for pointer in replaced):
            yield finding
