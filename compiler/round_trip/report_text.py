"""The report as text for a terminal, which is Markdown for a pull request as well."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compiler.round_trip.outcome import VERDICTS, Report, Row, Verdict
from compiler.round_trip.wording import (
    GIVEN,
    MEANINGS,
    PARTED,
    FailedAlike,
    differences,
    failures,
    missing,
    prompt_end,
    shipped_summary,
    shown,
    summary,
)


def report_text(report: Report) -> str:
    """Both results in a line each; then the table, and what is to say of verdicts but ok.

    Texts of templates and replies stand in indented blocks, which nothing in them can end.
    """
    return "\n".join(_paragraphs(report))


def _paragraphs(report: Report) -> Iterator[str]:
    yield "# Verified by chatc\n"
    yield f"* Round trip: {summary(report)}\n* Shipped parser: {shipped_summary(report)}\n"
    if not report.rows:
        return
    yield _table(report.rows)
    for verdict in VERDICTS[1:-1]:
        rows = [row for row in report.rows if row.verdict == verdict]
        if rows:
            yield from _section(verdict, rows)
    yield from _given(report.rows)
    yield from _cut_early(report.rows)
    yield from _warned(report.rows)
    for row in report.rows:
        for failed in failures(report, row):
            yield from _failure(row, failed)


def _table(rows: Sequence[Row]) -> str:
    head = ["shape", *(cell.chunking for cell in rows[0].cells)]
    body = [[row.shape.name, *(cell.verdict for cell in row.cells)] for row in rows]
    widths = [max(map(len, column)) for column in zip(head, *body, strict=True)]
    lines = [head, ["-" * width for width in widths], *body]
    return "".join("| " + " | ".join(map(str.ljust, line, widths)) + " |\n" for line in lines)


def _section(verdict: Verdict, rows: Sequence[Row]) -> Iterator[str]:
    yield f"## {verdict.capitalize()}\n"
    yield f"{MEANINGS[verdict]}\n"
    yield "".join(f"* {row.shape.name}{_detail(row)}\n" for row in rows)


def _detail(row: Row) -> str:
    if row.written is None:
        return f": refused\n\n{_block(shown(row.refusal), 6)}".removesuffix("\n")
    return f": {missing(row)}" if row.verdict == "not expressed" else ""


def _given(rows: Sequence[Row]) -> Iterator[str]:
    forms = [(", ".join(row.written.form.words), row.shape.name) for row in rows if row.written]
    told = dict.fromkeys(form for form, _ in forms if form)
    if told:
        yield "## Given in another form\n"
        yield f"{GIVEN}\n"
        for form in told:
            names = ", ".join(name for other, name in forms if other == form)
            yield f"* {form}: {names}\n"


def _cut_early(rows: Sequence[Row]) -> Iterator[str]:
    ends = [(row.shape.name, row.written.ahead) for row in rows if row.written]
    ends = [(name, end) for name, end in ends if end]
    if ends:
        yield "## Cut before the end of the prompt\n"
        yield f"{PARTED}\n"
        yield from _by_text(ends)


def _warned(rows: Sequence[Row]) -> Iterator[str]:
    told = [(row.shape.name, warning) for row in rows for warning in row.warnings]
    if told:
        yield "## Warnings of the parser\n"
        yield from _by_text(told)


def _by_text(named: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Each text once, under the names of the shapes that have it."""
    for text in dict.fromkeys(text for _, text in named):
        names = ", ".join(name for name, other in named if other == text)
        yield f"* {names}\n\n{_block(shown(text), 6)}"


def _failure(row: Row, failed: FailedAlike) -> Iterator[str]:
    assert row.written is not None
    yield f"## FAILED: {row.shape.name}: {failed.chunkings}\n"
    yield _block([failed.command])
    yield "The prompt ends with\n"
    yield _block(prompt_end(row.written))
    yield "and the reply is\n"
    yield _block(shown(row.written.reply))
    if failed.failure.found is None:
        yield "It could not be parsed:\n"
        yield _block(shown(failed.failure.error))
    else:
        yield "Of the message (-) this came back (+):\n"
        yield _block(differences(failed.failure, row.written.expressed.message))


def _block(lines: Sequence[str], indent: int = 4) -> str:
    return "".join(f"{' ' * indent}{line}\n" for line in lines)
