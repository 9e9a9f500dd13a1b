"""Check a template against every rule of v1 and freeze it.

What transformers 5.24.0 refuses to load is refused here. Beyond that only what cannot work is
refused: patterns the compiler does not read (RT204), content arguments that fail at every use
(RT3xx), and values that JSON does not have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from compiler.diagnostics import Diagnostic, Finding, TemplateError
from compiler.frontend.checks.shape import check_template
from compiler.frontend.diagnose import diagnose
from compiler.frontend.json_positions import child_pointer
from compiler.frontend.syntax import Delimiter, Field, Template
from compiler.source import Source


@dataclass(frozen=True)
class Checked:
    """A valid template, and what is likely a mistake in it all the same."""

    template: Template
    warnings: tuple[Diagnostic, ...]


def validate(source: Source) -> Checked:
    """The template of `source`. Raises TemplateError with all mistakes, warnings included."""
    findings = (*source.noticed, *_new_findings(check_template(source.spec), source.noticed))
    diagnostics = diagnose(source, findings)
    if any(diagnostic.severity == "error" for diagnostic in diagnostics):
        raise TemplateError(diagnostics)
    assert isinstance(source.spec, dict)  # RT101
    return Checked(_template(source.spec), diagnostics)


def _new_findings(found: Iterable[Finding], noticed: Iterable[Finding]) -> Iterator[Finding]:
    """Without those about a value that reading has already called impossible."""
    replaced = [finding.pointer for finding in noticed if finding.rule in ("RT005", "RT006")]
    for finding in found:
        if not any(f"{finding.pointer}/".startswith(f"{pointer}/") for pointer in replaced):
            yield finding


def _template(spec: Mapping[str, Any]) -> Template:
    anchor = _delimiter(spec, "start_anchor", "")
    assert anchor is not None  # RT206
    return Template(
        fields=tuple(_field(name, field) for name, field in spec["fields"].items()),
        defaults=spec.get("defaults", {}),
        anchor=anchor,
    )


def _field(name: str, spec: Mapping[str, Any]) -> Field:
    pointer = child_pointer("/fields", name)
    arguments = spec.get("content_args", {})
    return Field(
        name=name,
        opener=_delimiter(spec, "open", pointer),
        closer=_delimiter(spec, "close", pointer),
        content=spec.get("content", "text"),
        content_args=arguments if isinstance(arguments, dict) else {},  # RT902: ignored
        repeats=bool(spec.get("repeats", False)),
        join=spec.get("join"),
        optional=bool(spec.get("optional", True)),
        transform=spec.get("transform"),
        transform_each=spec.get("transform_each", False),
        pointer=pointer,
    )


def _delimiter(spec: Mapping[str, Any], literal_key: str, pointer: str) -> Delimiter | None:
    pattern_key = f"{literal_key}_pattern"
    if literal_key in spec:
        raw = spec[literal_key]
        literals = tuple(dict.fromkeys([raw] if isinstance(raw, str) else raw))  # each once
        return Delimiter(literals, None, child_pointer(pointer, literal_key))
    if pattern_key in spec:
        return Delimiter(None, spec[pattern_key], child_pointer(pointer, pattern_key))
    return None
