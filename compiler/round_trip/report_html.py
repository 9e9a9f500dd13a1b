"""The report as one page: no script, nothing loaded, everything in it escaped."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from compiler.round_trip.outcome import VERDICTS, Failure, NotChecked, Report, Row, Written
from compiler.round_trip.wording import (
    GIVEN,
    MEANINGS,
    PARTED,
    differences,
    failures,
    missing,
    one_line,
    prompt_end,
    shipped_summary,
    shown,
    summary,
)

_CLASSES = {"ok": "ok", "trimmed": "part", "not expressed": "part", "FAILED": "failed"}


def report_html(report: Report) -> str:
    """The page; the same bytes for the same report."""
    shipped = None if isinstance(report.shipped, NotChecked) else report.shipped
    return _template().render(
        title=one_line(report.name),
        round_trip=summary(report),
        shipped=shipped_summary(report),
        findings=shipped.differences if shipped else (),
        diff=shipped.diff if shipped else "",
        rows=report.rows,
        verdicts=[name for name in VERDICTS if any(row.verdict == name for row in report.rows)],
        meanings=MEANINGS,
        given=GIVEN,
        parted=PARTED,
        classes=_CLASSES,
        failures=lambda row: failures(report, row),
    )


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("compiler.round_trip", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        shown=_shown,
        lines=_lines,
        missing=missing,
        prompt_end=_prompt_end,
        differences=_differences,
        one_line=one_line,
    )
    return environment.get_template("page.html.j2")


def _shown(text: str) -> str:
    return "\n".join(shown(text))


def _lines(text: str) -> str:
    return "\n".join(map(one_line, text.split("\n")))


def _prompt_end(written: Written) -> str:
    return "\n".join(prompt_end(written))


def _differences(failure: Failure, row: Row) -> list[str]:
    assert row.written is not None
    return differences(failure, row.written.expressed.message)
