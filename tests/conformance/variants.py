"""Variants of the fixtures of `canitoolcall`, and what must hold of any of them.

    make conformance ARGS="variants [--family NAME] [--fixture ID]"

A fixture is cut at every character, split in two at every position, and changed; what is changed is
cut and split at some positions, most of them where the change is. What must hold is in
`invariants`, and what is changed in `changed`.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from multiprocessing import Pool

from canitoolcall.fixtures import Fixture

from tests.conformance.changed import KINDS as CHANGES
from tests.conformance.changed import changed, stop_tokens
from tests.conformance.invariants import (
    Whole,
    common_length,
    cut_problems,
    split_problems,
    whole_of,
)
from tests.conformance.replay import add_choice, chosen
from tests.conformance.tables import print_counts

KINDS = ("cut", "split", *CHANGES, "changed, cut", "changed, split")
_POSITIONS = 3  # at which what is changed is cut and split
_SHOWN = 20  # problems of a family


@dataclass(frozen=True)
class Variant:
    """`problems`: what is wrong with it; nothing is parsed before it is called."""

    kind: str
    name: str
    problems: Callable[[], Iterator[str]]


def variants_of(fixture: Fixture) -> Iterator[Variant]:
    """All variants of a fixture."""
    text = fixture.raw_output
    whole = cache(partial(whole_of, fixture))
    yield from _cuts("cut", "", whole, range(len(text)))
    yield from _splits("split", "", whole, range(1, len(text)))
    for kind, name, other in changed(fixture):
        whole = cache(partial(whole_of, other))
        yield Variant(kind, name, partial(_whole_problems, whole))
        positions = _some_positions(text, other.raw_output)
        # Behind a stop token the reply has ended; it is not cut.
        stops = stop_tokens(fixture)
        ends = [at for at in positions if not other.raw_output[:at].rstrip().endswith(stops)]
        yield from _cuts("changed, cut", name, whole, ends)
        yield from _splits("changed, split", name, whole, positions)


def _cuts(
    kind: str, name: str, whole: Callable[[], Whole], ends: Sequence[int]
) -> Iterator[Variant]:
    for end in ends:
        yield Variant(
            kind, f"{name} cut at {end}".strip(), partial(_problems, cut_problems, whole, end)
        )


def _splits(
    kind: str, name: str, whole: Callable[[], Whole], positions: Sequence[int]
) -> Iterator[Variant]:
    for at in positions:
        yield Variant(
            kind, f"{name} split at {at}".strip(), partial(_problems, split_problems, whole, at)
        )


def _problems(
    check: Callable[[Whole, int], Iterator[str]], whole: Callable[[], Whole], at: int
) -> Iterator[str]:
    return check(whole(), at)


def _whole_problems(whole: Callable[[], Whole]) -> Iterator[str]:
    yield from whole().problems


def _some_positions(text: str, other: str) -> list[int]:
    """Positions from where the texts begin to differ on; the same in every run."""
    first = max(1, common_length(text, other))
    chance = random.Random(other)
    return sorted(chance.randrange(first, len(other)) for _ in range(_POSITIONS))


def main(arguments: Sequence[str]) -> bool:
    """Whether nothing is wrong; prints what is, and how many variants there are."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance variants")
    add_choice(parser)
    fixtures = chosen(parser.parse_args(arguments))
    counts = {fixture.family: Counter[str]() for fixture in fixtures}
    with Pool() as processes:
        checked = processes.imap(_checked, fixtures, chunksize=4)
        for fixture, (count, problems) in zip(fixtures, checked, strict=True):
            shown = max(0, _SHOWN - counts[fixture.family]["wrong"])
            print(*(f"{fixture.id}: {problem}\n" for problem in problems[:shown]), sep="", end="")
            counts[fixture.family].update(count)
    print_counts("family", (*KINDS, "wrong"), dict(sorted(counts.items())))
    return not any(count["wrong"] for count in counts.values())


def _checked(fixture: Fixture) -> tuple[Counter[str], list[str]]:
    """How many variants of each kind a fixture has, and what is wrong with them."""
    count: Counter[str] = Counter()
    problems = []
    for variant in variants_of(fixture):
        wrong = [f"{variant.name}: {problem}" for problem in variant.problems()]
        count.update({variant.kind: 1, "wrong": bool(wrong)})
        problems += wrong
    return count, problems
