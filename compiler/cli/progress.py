"""A progress bar on stderr, for people who wait."""

from __future__ import annotations

from collections.abc import Generator, Iterable

from compiler.cli.rows import Row

_STEP = 100  # rows between two looks at the bar


def with_progress(rows: Iterable[Row], size: int | None) -> Generator[Row]:
    """The same rows, with a bar for the rows so far; `size`: bytes of input, if known."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), TextColumn("{task.fields[rows]} rows"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=size, rows=0)
        read = 0
        for number, row in enumerate(rows, start=1):
            read += row.size
            if number % _STEP == 0:
                progress.update(task, completed=read, rows=number)
            yield row
