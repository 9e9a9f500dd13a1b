"""Streaming in 4-character chunks with the reference's event dicts, by region and length."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from compiler.bench.measure import Reference, Row, feed, reference_of, seconds_each
from compiler.bench.texts import chunks, prose
from compiler.memory import compile_template

# Goals: how many times the reference's time, by length, where several delimiters are watched and
# where one is.
_GOALS = {
    "several": {10_000: 16.0, 100_000: 22.0, 1_000_000: 95.0},
    "one": {10_000: 10.0, 100_000: 15.0, 1_000_000: 80.0},
}


class Floor:
    """What no parser with these events can go below: a method call, one `find`, one dict."""

    def feed(self, text: str) -> list[dict[str, Any]]:
        text.find("<")
        return [{"type": "region_chunk", "field": "content", "text": text, "dirty": False}]


def streaming_rows(
    name: str, spec: dict[str, Any], v1: Mapping[str, Any], quick: bool
) -> Iterator[Row]:
    """Rows for one model: the text between its regions, and the region after `<think>`.

    `v1` is the template that the reference reads.
    """
    make: Callable[[str], Any] = compile_template(spec).Parser
    reference = reference_of(v1)
    regions = [("several", "")] if "content" in _implicit(spec) else []
    if spec["fields"].get("reasoning_content", {}).get("open") == "<think>":
        regions.append(("one", "<|im_start|>assistant\n<think>"))
    for region, start in regions:
        for length, goal in _GOALS[region].items():
            if not (quick and length == 1_000_000):
                yield _row(name, region, make, reference, start, length, goal)


def _row(
    name: str,
    region: str,
    make: Callable[[str], Any],
    reference: Reference | None,
    start: str,
    length: int,
    goal: float,
) -> Row:
    pieces = chunks(prose(length))
    runs = [feed(partial(make, start), pieces), feed(Floor, pieces)]
    if reference:
        runs.append(feed(partial(reference.parser, start), pieces))
    ours, floor, *theirs = seconds_each(runs, 7 if length == 10_000 else 3 if length < 10**6 else 1)
    watched = "several delimiters" if region == "several" else "one closer"
    return Row(
        f"{name}, {watched} watched, {length // 1000} KB",
        ours / len(pieces) * 1e9,
        "ns/chunk",
        theirs[0] / ours if theirs else None,
        goal,
        f"{ours / floor:.2f} of the floor",
    )


def _implicit(spec: dict[str, Any]) -> list[str]:
    return [n for n, f in spec["fields"].items() if not {"open", "open_pattern"} & f.keys()]
