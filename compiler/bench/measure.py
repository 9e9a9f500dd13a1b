"""Measuring: the best of several runs, and the reference beside us in the same process."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Row:
    """One measurement: ours, and how many times longer the reference takes (None: not measured)."""

    what: str
    ours: float
    unit: str
    ratio: float | None = None
    goal: float | None = None
    note: str = ""

    def as_json(self) -> dict[str, Any]:
        """The row as plain data."""
        return asdict(self)


class Reference:
    """transformers' own parser, if it is installed."""

    def __init__(self, spec: dict[str, Any]) -> None:
        parsing = importlib.import_module("transformers.utils.chat_parsing")
        templates = importlib.import_module("transformers.utils.chat_parsing.response_templates")
        self._parser_class = parsing.ResponseParser
        self.parse_response = parsing.parse_response
        self.template = templates.load_response_template(spec)

    def parser(self, prefix: str = "") -> Any:
        """A new streaming parser."""
        return self._parser_class(self.template, prefix=prefix)


def reference_of(spec: dict[str, Any]) -> Reference | None:
    """The reference for a template; None where transformers is not installed."""
    try:
        return Reference(spec)
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
    rounds = [[_timed(prepare()) for prepare in prepared] for _ in range(repeats)]
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


def _timed(run: Run) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start
