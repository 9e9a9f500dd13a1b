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


def seconds(run: Callable[[], object], repeats: int = 5) -> float:
    """The shortest of several runs."""
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
    return best


def feed_seconds(make: Callable[[], Any], chunks: Sequence[str], repeats: int = 5) -> float:
    """Shortest time to feed all chunks to a new parser; making it does not count."""
    best = float("inf")
    for _ in range(repeats):
        parser = make()
        start = time.perf_counter()
        for chunk in chunks:
            parser.feed(chunk)
        best = min(best, time.perf_counter() - start)
    return best
