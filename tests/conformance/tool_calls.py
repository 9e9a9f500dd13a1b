"""Replays the public suite `canitoolcall` and prints a table of its verdicts.

make conformance-tools ARGS="[--family NAME] [--fixture ID] [--failed]"
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter

from canitoolcall.fixtures import Fixture
from canitoolcall.results import CheckResult, Status

from tests.conformance.adapter import NoParser, folders, make_parser
from tests.conformance.replay import fixtures, judge

_COLUMNS = ("strict", "soft", "failed", "no parser")
_VERDICTS = {Status.PASS: "strict", Status.SOFT_PASS: "soft"}


def main() -> None:
    """Print the table; exit code 1 if a fixture fails."""
    options = _options()
    counts: dict[str, Counter[str]] = {}
    for fixture in fixtures():
        if options.family not in (None, fixture.family) or options.fixture not in (
            None,
            fixture.id,
        ):
            continue
        verdict, problems = verdict_of(fixture)
        counts.setdefault(fixture.family, Counter())[verdict] += 1
        if problems and (options.failed or options.fixture):
            _print_problems(fixture, verdict, problems)
    _print_table(counts)
    sys.exit(any(count["failed"] for count in counts.values()))


def verdict_of(fixture: Fixture) -> tuple[str, list[CheckResult]]:
    """The column of the table that the fixture belongs to, and the checks that did not pass."""
    if fixture.reference_model not in folders():
        return "no parser", []
    try:
        status, rows = judge(fixture, make_parser)
    except NoParser:
        return "no parser", []
    return _VERDICTS.get(status, "failed"), [row for row in rows if row.status != Status.PASS]


def _print_problems(fixture: Fixture, verdict: str, rows: list[CheckResult]) -> None:
    print(f"{verdict}: {fixture.id} ({fixture.reference_model})")
    seen: set[tuple[str, str | None]] = set()
    for row in rows:
        if (row.check, row.detail) not in seen:
            seen.add((row.check, row.detail))
            print(f"    {row.check} [{row.strategy}] {row.detail}")


def _print_table(counts: dict[str, Counter[str]]) -> None:
    print(f"{'family':<14}" + "".join(f"{column:>10}" for column in _COLUMNS))
    total: Counter[str] = Counter()
    for family, count in sorted(counts.items()):
        total += count
        print(f"{family:<14}" + "".join(f"{count[column]:>10}" for column in _COLUMNS))
    print(f"{'all':<14}" + "".join(f"{total[column]:>10}" for column in _COLUMNS))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.tool_calls")
    parser.add_argument("--family")
    parser.add_argument("--fixture")
    parser.add_argument("--failed", action="store_true", help="print what did not pass strictly")
    return parser.parse_args()


if __name__ == "__main__":
    main()
