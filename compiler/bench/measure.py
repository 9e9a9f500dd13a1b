"""Measuring: the best of several runs, and the reference beside us in the same process."""

from __future__ import annotations

import gc
import importlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

_ROUND = 0.002  # seconds: what is shorter is called several times in a row


@dataclass(frozen=True)
class Row:
    """One measurement: ours, and how many times longer the reference takes (None: not measured).

    `goal` is the least that the ratio may be, `limit` the most that ours may be.
    """

    what: str
    ours: float
    unit: str
    ratio: float | None = None
    goal: float | None = None
    note: str = ""
    limit: float | None = None

    def is_missed(self) -> bool:
        """Whether the goal or the limit is missed."""
        too_slow = self.goal is not None and self.ratio is not None and self.ratio < self.goal
        return too_slow or (self.limit is not None and self.ours > self.limit)

    def as_json(self) -> dict[str, Any]:
        """The row as plain data."""
        return asdict(self)


class Reference:
    """transformers' own parser, if it is installed."""

    def __init__(self, spec: Mapping[str, Any]) -> None:
        parsing = importlib.import_module("transformers.utils.chat_parsing")
        templates = importlib.import_module("transformers.utils.chat_parsing.response_templates")
        self._parser_class = parsing.ResponseParser
        self.parse_response = parsing.parse_response
        self.template = templates.load_response_template(spec)

    def parser(self, prefix: str = "") -> Any:
        """A new streaming parser."""
        return self._parser_class(self.template, prefix=prefix)


def reference_of(v1: Mapping[str, Any]) -> Reference | None:
    """The reference for a v1 template; None where transformers is not installed."""
    try:
        return Reference(v1)
    except ImportError:
        return None


Run = Callable[[], object]


def seconds(run: Run, repeats: int = 5) -> float:
    """The shortest of several runs."""
    return seconds_each([lambda: run], repeats)[0]


def seconds_each(prepared: Sequence[Callable[[], Run]], repeats: int = 5) -> list[float]:
    """The shortest of several runs of each, taken in turns: whatever slows one slows all.

    Each is prepared anew for every run; that does not count.
    """
    rounds = [[timed(prepare()) for prepare in prepared] for _ in range(repeats)]
    return [min(times) for times in zip(*rounds, strict=True)]


def feed(make: Callable[[], Any], chunks: Sequence[str]) -> Callable[[], Run]:
    """Makes a parser; the run feeds it all chunks."""

    def prepare() -> Run:
        take = make().feed

        def run() -> None:
            for chunk in chunks:
                take(chunk)

        return run

    return prepare


def compared(ours: Run, theirs: Run, rounds: int = 5) -> tuple[float, float]:
    """CPU seconds of ours, and how many times as many theirs takes: medians of rounds, by turns."""
    runs = []
    for run in (ours, theirs):
        run()  # warm
        runs.append((run, 1 + int(_ROUND / cpu_seconds(run))))
    with _no_collection():
        times = [[cpu_seconds(run, calls) for run, calls in runs] for _ in range(rounds)]
    ratio = median(their_time / our_time for our_time, their_time in times)
    return median(our_time for our_time, _ in times), ratio


def new_process(code: str, *arguments: str) -> str:
    """What a new interpreter prints when it runs some code; imports leave their bytecode behind."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-c", code, *arguments]
    ran = subprocess.run(command, capture_output=True, check=True, text=True, env=environment)
    return ran.stdout


@contextmanager
def _no_collection() -> Iterator[None]:
    """Garbage of earlier measurements is not collected during this one."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def cpu_seconds(run: Run, calls: int = 1) -> float:
    """What a call takes, of so many in a row, whatever else the machine does meanwhile."""
    start = time.process_time()
    for _ in range(calls):
        run()
    return (time.process_time() - start) / calls


def timed(run: Run) -> float:
    """Seconds until a call is back."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start
