"""Replays the public suite `canitoolcall` and prints a table of its verdicts.

make conformance ARGS="calls [--family NAME] [--fixture ID] [--failed]"
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence

from canitoolcall.fixtures import Fixture
from canitoolcall.results import CheckResult, Status

from tests.conformance.adapter import folders, make_parser
from tests.conformance.replay import add_choice, chosen, judge

_COLUMNS = ("strict", "soft", "failed", "no parser")
_VERDICTS = {Status.PASS: "strict", Status.SOFT_PASS: "soft"}


def main(arguments: Sequence[str]) -> bool:
    """Whether no fixture fails; prints the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance calls")
    add_choice(parser)
    parser.add_argument("--failed", action="store_true", help="print what did not pass strictly")
    options = parser.parse_args(arguments)
    counts: dict[str, Counter[str]] = {}
    for fixture in chosen(options):
        verdict, problems = verdict_of(fixture)
        counts.setdefault(fixture.family, Counter())[verdict] += 1
        if problems and (options.failed or options.fixture):
            _print_problems(fixture, verdict, problems)
    _print_table(counts)
    return not any(count["failed"] or count["no parser"] for count in counts.values())


def verdict_of(fixture: Fixture) -> tuple[str, list[CheckResult]]:
    """The column of the table that the fixture belongs to, and the checks that did not pass."""
    if fixture.reference_model not in folders():
        return "no parser", []
    status, rows = judge(fixture, make_parser)
    return _VERDICTS.get(status, "failed"), [row for row in rows if row.status != Status.PASS]


def _print_problems(fixture: Fixture, verdict: str, rows: list[CheckResult]) -> None:
    print(f"{verdict}: {fixture.id} ({fixture.reference_model})")
    seen: set[tuple[str, str | None]] = set()
    for row in rows:
        if (row.check, row.detail) not in seen:
            seen.add((row.check, row.detail))
            print(f"    {row.check} [{row.strategy}] {row.detail}")


def _print_table(counts: dict[str, Counter[str]]) -> None:
    print(f"{'family':<14}{'fixtures':>10}" + "".join(f"{column:>10}" for column in _COLUMNS))
    for family, count in sorted(counts.items()):
        _print_row(family, count)
    _print_row("all", sum(counts.values(), Counter()))


def _print_row(name: str, count: Counter[str]) -> None:
    numbers = (count.total(), *(count[column] for column in _COLUMNS))
    print(f"{name:<14}" + "".join(f"{number:>10}" for number in numbers))
