"""What reports say of rows and failures, and how they show texts, whatever the texts hold."""

from __future__ import annotations

import difflib
import json
import shlex
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from compiler.round_trip.comparing import alike
from compiler.round_trip.outcome import VERDICTS, Cell, Failure, NotChecked, Report, Row, Written
from compiler.round_trip.shapes import QUESTION, Message

MEANINGS = {
    "ok": "The message came back.",
    "trimmed": "The message came back without the white space around its texts, which the response "
    "template takes for layout.",
    "not expressed": "The chat template writes the same text without a part of the message, or "
    "refuses it. No parser can give back what is not written; all that is written came back.",
    "FAILED": "Another message came back, or none.",
}

PARTED = (
    "The conversation does not begin with the whole generation prompt. It was cut where they part, "
    "so the parser was not told the end of the prompt:"
)

GIVEN = "The chat template takes a conversation, or shows more of it, in another form:"

_PROMPT_END = 80  # characters shown of a prompt that does not hold the question


@dataclass(frozen=True)
class FailedAlike:
    """Cells of a row that failed in the same way, and the command that shows it again."""

    failure: Failure
    cells: tuple[Cell, ...]
    command: str

    @property
    def chunkings(self) -> str:
        """`whole, random (seed 3)`."""
        cells = self.cells
        return ", ".join(f"{c.chunking} ({c.where})" if c.where else c.chunking for c in cells)


def failures(report: Report, row: Row) -> list[FailedAlike]:
    """The failures of a row, each way of failing once."""
    groups: list[tuple[Failure, list[Cell]]] = []
    for cell in row.cells:
        if cell.failure is None:
            continue
        group = next((cells for failure, cells in groups if failure == cell.failure), None)
        if group is None:
            groups.append((cell.failure, [cell]))
        else:
            group.append(cell)
    return [
        FailedAlike(failure, tuple(cells), command(report, row, cells[0].chunking))
        for failure, cells in groups
    ]


def command(report: Report, row: Row, chunking: str) -> str:
    """What to run to see one cell again."""
    target = shlex.quote(report.target)
    return f"chatc verify {target} --shape {row.shape.name} --chunking {chunking}"


def summary(report: Report) -> str:
    """The round trip in a line: `17 shapes: 16 ok, 1 trimmed`."""
    if isinstance(report.round_trip, NotChecked):
        return f"not checked: {one_line(report.round_trip.reason)}"
    number = len(report.rows)
    counts = Counter(row.verdict for row in report.rows)
    told = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict])
    return f"{number} shape{'' if number == 1 else 's'}: {told}"


def shipped_summary(report: Report) -> str:
    """The shipped parser in a line."""
    if isinstance(report.shipped, NotChecked):
        return f"not checked: {one_line(report.shipped.reason)}"
    count = len(report.shipped.differences)
    if count:
        return f"{count} finding{'' if count == 1 else 's'}"
    return "the parser is what its template compiles to"


def missing(row: Row) -> str:
    """Which parts of a message are not expressed, by their paths."""
    assert row.written is not None
    parts = row.written.expressed
    if not parts.lost:
        return "content and reasoning_content are written alike"
    return ", ".join(parts.lost)


def differences(failure: Failure, expected: Message) -> list[str]:
    """What came back (+) of the message expected (-), a field or a call a line."""
    assert failure.found is not None
    found, expected = alike(failure.found, expected)
    lines = [*difflib.unified_diff([*_fields(expected)], [*_fields(found)], n=99, lineterm="")]
    return [f"{line[0]} {one_line(line[1:])}" for line in lines[3:]]  # without the header


def _fields(message: Message) -> Iterator[str]:
    for name, value in sorted(message.items()):
        if isinstance(value, list):
            yield from (f"{name}[{number}]: {_json(item)}" for number, item in enumerate(value))
        else:
            yield f"{name}: {_json(value)}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def prompt_end(written: Written) -> list[str]:
    """What the prompt has behind the question, or else its last characters."""
    _, question, end = written.prompt.rpartition(QUESTION["content"])
    return shown(end if question else written.prompt[-_PROMPT_END:])


def shown(text: str) -> list[str]:
    """A text as JSON strings, one a line of it; nothing in it is invisible."""
    return [one_line(_json(line)) for line in _lines(text)] or ['""']


def one_line(text: str) -> str:
    """Text without control characters: a template or a reply may hold any."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def _lines(text: str) -> Iterator[str]:
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end
