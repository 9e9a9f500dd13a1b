"""Streaming in 4-character chunks with the reference's event dicts, by region and length."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from compiler.bench.measure import Row, feed_seconds, reference_of
from compiler.bench.texts import chunks, prose
from compiler.memory import compile_template

# Goals: how many times the reference's time, by length, where several delimiters are watched and
# where one is.
_GOALS = {
    "several": {10_000: 16.0, 100_000: 22.0, 1_000_000: 95.0},
    "one": {10_000: 10.0, 100_000: 15.0, 1_000_000: 80.0},
}


class _Floor:
    """What no parser with these events can go below: a method call, one `find`, one dict."""

    def feed(self, text: str) -> list[dict[str, Any]]:
        text.find("<")
        return [{"type": "region_chunk", "field": "content", "text": text, "dirty": False}]


def streaming_rows(name: str, spec: dict[str, Any], quick: bool) -> Iterator[Row]:
    """Rows for one model: its implicit region, and its first region with a single closer."""
    make: Callable[[str], Any] = compile_template(spec).Parser
    reference = reference_of(spec)
    opener = spec["fields"]["reasoning_content"]["open"]
    for region, start in (("several", ""), ("one", opener)):
        for length, goal in _GOALS[region].items():
            if quick and length == 1_000_000:
                continue
            pieces = chunks(prose(length))
            ours = feed_seconds(partial(make, start), pieces)
            floor = feed_seconds(_Floor, pieces)
            theirs = None
            if reference:
                repeats = 1 if length > 10_000 else 3
                theirs = feed_seconds(partial(reference.parser, start), pieces, repeats)
            watched = "several delimiters" if region == "several" else "one closer"
            yield Row(
                f"{name}, {watched} watched, {length // 1000} KB",
                ours / len(pieces) * 1e9,
                "ns/chunk",
                theirs / ours if theirs else None,
                goal,
                f"{ours / floor:.2f} of the floor",
            )
