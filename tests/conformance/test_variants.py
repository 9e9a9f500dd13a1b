"""A sample of the variants; `make conformance ARGS=variants` checks all."""

from __future__ import annotations

import pytest

from tests.conformance.replay import families, fixtures
from tests.conformance.variants import KINDS, variants_of

EACH = 29  # which of a family's variants


@pytest.mark.parametrize("family", families())
def test_nothing_is_wrong(family: str) -> None:
    chosen = [fixture for fixture in fixtures() if fixture.family == family]
    variants = [(fixture.id, each) for fixture in chosen for each in variants_of(fixture)]
    wrong = [
        (fixture, variant.name, problem)
        for fixture, variant in variants[::EACH]
        for problem in variant.problems()
    ]
    assert wrong == []


def test_there_are_variants_of_every_kind() -> None:
    kinds = {variant.kind for fixture in fixtures()[::EACH] for variant in variants_of(fixture)}
    assert kinds == set(KINDS)
