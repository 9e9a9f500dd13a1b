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
from tests.conformance.tables import print_counts

# It wants the blank before a call removed, where gemma4/sglang-text-before-call wants it kept.
SOFT = {"gemma4/vllm-text-before-call"}

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
        counts.setdefault(fixture.family, Counter()).update(("fixtures", verdict))
        if problems and (options.failed or options.fixture):
            _print_problems(fixture, verdict, problems)
    print_counts("family", ("fixtures", *_COLUMNS), dict(sorted(counts.items())))
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
