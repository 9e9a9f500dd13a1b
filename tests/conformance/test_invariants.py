"""What the variants are held against finds parsers that are wrong, each in one way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from canitoolcall.checks import expected_as_result
from canitoolcall.fixtures import Fixture
from canitoolcall.results import ParsedToolCall, ParseResult

from tests.conformance import invariants, replay
from tests.conformance.replay import Stream, fixtures

Wrong = Callable[[Fixture, ParseResult], ParseResult]  # what a wrong parser makes of a reply

FIXTURES = {fixture.id: fixture for fixture in fixtures()}
PARALLEL = FIXTURES["qwen3-hermes/parallel-three-calls-no-thinking"]
HERMES = FIXTURES["qwen3-hermes/text-before-call-no-thinking"]
GLM = FIXTURES["glm/glm47-single-call"]


def _calls(fixture: Fixture) -> tuple[ParsedToolCall, ...]:
    expected = FIXTURES[fixture.id].expected
    assert expected
    return expected_as_result(expected).tool_calls


def without_calls(fixture: Fixture, result: ParseResult) -> ParseResult:
    return replace(result, tool_calls=())


def without_calls_if_cut(fixture: Fixture, result: ParseResult) -> ParseResult:
    return replace(result, tool_calls=()) if is_cut(fixture) else result


def with_the_call_that_is_cut(fixture: Fixture, result: ParseResult) -> ParseResult:
    """As soon as its arguments are there, though not its end."""
    arguments_are_there = fixture.raw_output.endswith(("celsius", '"London"'))
    return replace(result, tool_calls=_calls(fixture)) if arguments_are_there else result


def with_a_marker(fixture: Fixture, result: ParseResult) -> ParseResult:
    return replace(result, content=f"{result.content or ''}</tool_call>")


def with_other_texts_if_cut(fixture: Fixture, result: ParseResult) -> ParseResult:
    return replace(result, content="other") if is_cut(fixture) else result


def is_cut(fixture: Fixture) -> bool:
    return fixture.raw_output != FIXTURES[fixture.id].raw_output


def make_wrong(monkeypatch: pytest.MonkeyPatch, wrong: Wrong) -> None:
    """Both ways to read a reply are wrong alike."""

    def whole_result(fixture: Fixture, *others: Any) -> ParseResult:
        return wrong(fixture, replay.whole_result(fixture, *others))

    def stream_of(fixture: Fixture, *others: Any) -> Stream:
        stream = replay.stream_of(fixture, *others)
        result = wrong(fixture, stream.result)
        return Stream(result, stream.decided[: len(result.tool_calls)])

    monkeypatch.setattr(invariants, "whole_result", whole_result)
    monkeypatch.setattr(invariants, "stream_of", stream_of)


def kinds_found(fixture: Fixture) -> Iterator[str]:
    """The kinds of variants that are found wrong."""
    whole = invariants.whole_of(fixture)
    text = fixture.raw_output
    if whole.problems:
        yield "whole"
    if any(list(invariants.cut_problems(whole, end)) for end in range(len(text))):
        yield "cut"
    if any(list(invariants.split_problems(whole, at)) for at in range(1, len(text))):
        yield "split"


@pytest.mark.parametrize(
    ("fixture", "wrong", "kinds"),
    [
        (PARALLEL, without_calls, ["whole", "split"]),
        (PARALLEL, without_calls_if_cut, ["cut"]),
        (HERMES, with_the_call_that_is_cut, ["cut"]),
        (GLM, with_the_call_that_is_cut, ["cut"]),
        (HERMES, with_a_marker, ["whole", "cut", "split"]),
        (HERMES, with_other_texts_if_cut, ["cut"]),
    ],
)
def test_wrong_parsers_are_found(
    monkeypatch: pytest.MonkeyPatch, fixture: Fixture, wrong: Wrong, kinds: list[str]
) -> None:
    assert list(kinds_found(fixture)) == []
    make_wrong(monkeypatch, wrong)
    assert list(kinds_found(fixture)) == kinds


def test_calls_that_come_late_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def stream_of(fixture: Fixture, *others: Any) -> Stream:
        stream = replay.stream_of(fixture, *others)
        return replace(stream, decided=(len(fixture.raw_output) + 1,) * len(stream.decided))

    monkeypatch.setattr(invariants, "stream_of", stream_of)
    assert "whole" in kinds_found(PARALLEL)
