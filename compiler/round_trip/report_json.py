"""The report as data."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from compiler.round_trip.outcome import NotChecked, Report, Row
from compiler.round_trip.wording import failures


def report_json(report: Report) -> dict[str, Any]:
    """JSON data: `findings` and `diff` of the shipped parser, and the rows of the round trip.

    `not_checked` has the reason for each of the two that was not checked.
    """
    parts = {"shipped_parser": report.shipped, "round_trip": report.round_trip}
    shipped = None if isinstance(report.shipped, NotChecked) else report.shipped
    return {
        "ok": report.is_well,
        "not_checked": {
            name: part.reason for name, part in parts.items() if isinstance(part, NotChecked)
        },
        "findings": [asdict(difference) for difference in shipped.differences] if shipped else [],
        "diff": shipped.diff if shipped else "",
        "round_trip": [_row(report, row) for row in report.rows],
    }


def _row(report: Report, row: Row) -> dict[str, Any]:
    written = row.written
    return {
        "shape": row.shape.name,
        "message": row.shape.message,
        "variables": dict(row.shape.variables),
        "verdict": row.verdict,
        "chunkings": {cell.chunking: cell.verdict for cell in row.cells},
        "given": list(written.form.words) if written else None,
        "refusal": row.refusal or None,
        "prompt": written and written.prompt,
        "reply": written and written.reply,
        "prompt_ahead": written and written.ahead,
        "not_expressed": list(written.expressed.lost) if written else None,
        "warnings": list(row.warnings),
        "failures": [
            {
                "chunkings": {cell.chunking: cell.where for cell in failed.cells},
                "found": failed.failure.found,
                "error": failed.failure.error or None,
                "command": failed.command,
            }
            for failed in failures(report, row)
        ],
    }
