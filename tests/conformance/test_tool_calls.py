"""All of `canitoolcall`: every fixture, whole and in every chunking, by the suite's own checks."""

from __future__ import annotations

import pytest
from canitoolcall.fixtures import Fixture

from tests.conformance.replay import fixtures
from tests.conformance.tool_calls import SOFT, verdict_of


@pytest.mark.parametrize("fixture", fixtures(), ids=lambda fixture: fixture.id)
def test_a_fixture_passes(fixture: Fixture) -> None:
    verdict, problems = verdict_of(fixture)
    assert verdict == ("soft" if fixture.id in SOFT else "strict"), problems
