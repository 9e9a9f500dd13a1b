"""Tables in Markdown, as docs/conformance.md has them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence


def print_counts(first: str, columns: Sequence[str], counts: Mapping[str, Counter[str]]) -> None:
    """A row for each name, and one for all; `first` is the title of the names."""
    total: Counter[str] = Counter()
    for count in counts.values():
        total.update(count)
    rows = [
        [first, *columns],
        *(_row(*each, columns) for each in (*counts.items(), ("all", total))),
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rows.insert(1, ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])])
    for name, *cells in rows:
        numbers = (cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True))
        print("| " + " | ".join([name.ljust(widths[0]), *numbers]) + " |")


def _row(name: str, count: Counter[str], columns: Sequence[str]) -> list[str]:
    return [name, *(f"{count[column]:,}" for column in columns)]
