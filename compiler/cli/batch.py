"""Parsing the rows of a JSONL file, in this process or in several; their order is kept.

Rows are read, parsed and written a few at a time: a file of any size needs little memory.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import stat
import sys
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import IO

from compiler.cli.progress import with_progress
from compiler.cli.reporting import Reporting
from compiler.cli.rows import Batch, Row, parse_row
from compiler.cli.terminal import Unusable, counted, json_text, say

_TOGETHER = 64  # rows sent to a process at a time
_AHEAD = 3  # such lots read for each process before the first of them is written


@dataclass(frozen=True)
class Files:
    """Paths of the rows to read and to write; "-" is stdin or stdout."""

    input: str
    output: str


def parse_file(batch: Batch, files: Files, workers: int, reporting: Reporting) -> int:
    """Parse every row; return the exit code."""
    module = batch.source.load()
    outcomes: Counter[str] = Counter()
    started = perf_counter()
    with _opened(files) as (source, target):
        lines = (line for line in source if not line.isspace())
        if workers == 1:
            rows = (parse_row(module, batch, line) for line in lines)
        else:
            rows = _in_processes(batch, lines, workers)
        if sys.stderr.isatty() and not target.isatty():
            rows = with_progress(rows, _size(source))
        with closing(rows):
            for row in rows:
                target.write(f"{row.text}\n".encode())
                outcomes[row.outcome] += 1
        target.flush()
    _summarise(outcomes, perf_counter() - started, reporting.as_json)
    return 1 if reporting.strict and outcomes.keys() - {"parsed"} else 0


def _summarise(outcomes: Counter[str], seconds: float, as_json: bool) -> None:
    rows = outcomes.total()
    rate = round(rows / seconds)
    if as_json:
        counts = {"failed": outcomes["failed"], "kept": outcomes["kept"]}
        say(json_text({"rows": rows, **counts, "rows_per_second": rate}))
    else:
        failures = f"{outcomes['failed']} failed, {outcomes['kept']} with errors kept"
        say(f"{counted(rows, 'row')}: {failures}; {rate} rows/s")


@contextmanager
def _opened(files: Files) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """The two files; the output is not touched before the input is there."""
    with _opened_input(files.input) as source:
        if files.output == "-":
            yield source, sys.stdout.buffer
            return
        output = Path(files.output)
        if files.input != "-" and output.exists() and output.samefile(files.input):
            raise Unusable(f"{files.output}: the output would replace the input")
        with output.open("wb") as target:
            yield source, target


def _opened_input(path: str) -> AbstractContextManager[IO[bytes]]:
    return nullcontext(sys.stdin.buffer) if path == "-" else Path(path).open("rb")


def _size(source: IO[bytes]) -> int | None:
    """How many bytes there are to read, where that is known."""
    status = os.fstat(source.fileno())
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def _in_processes(batch: Batch, lines: Iterator[bytes], workers: int) -> Generator[Row]:
    """Parse in processes, each with a parser of its own."""
    spawn = multiprocessing.get_context("spawn")  # the same on every system
    pool = ProcessPoolExecutor(workers, spawn, _start_process, (batch,))
    lots = iter(lambda: list(islice(lines, _TOGETHER)), [])
    pending: deque[Future[list[Row]]] = deque()
    try:
        for lot in lots:
            pending.append(pool.submit(_parse_lot, lot))
            if len(pending) == workers * _AHEAD:
                yield from pending.popleft().result()
        while pending:
            yield from pending.popleft().result()
    except BrokenProcessPool:
        raise Unusable("a process died, perhaps for want of memory: try fewer --workers") from None
    finally:
        pool.shutdown(cancel_futures=True)


_parse_line: Callable[[bytes], Row]  # of this process, if it is one of several


def _start_process(batch: Batch) -> None:
    global _parse_line
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the first process, and it the others
    _parse_line = partial(parse_row, batch.source.load(), batch)


def _parse_lot(lines: list[bytes]) -> list[Row]:
    return [_parse_line(line) for line in lines]
