"""Replays a fixture of `canitoolcall` through a parser, as a whole and in pieces.

The suite judges what an OpenAI client would have: of the whole text the message, of a stream what
its events add up to.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from canitoolcall.checks import case_status, run_checks
from canitoolcall.fixtures import Family, Fixture, load_families, load_fixtures
from canitoolcall.results import CheckResult, Observation, ParsedToolCall, ParseResult, Status

MakeParser = Callable[[str, str, Sequence[Any], str], Any]
FinishReason = str | None

_REASONING = ("reasoning_content", "thinking")
_RANDOM_RUNS = [(seed, size) for size in (3, 8, 40) for seed in range(3)]


@cache
def families() -> dict[str, Family]:
    """The suite's families by name."""
    return dict(load_families())


@cache
def fixtures() -> tuple[Fixture, ...]:
    """Every fixture of the suite."""
    return tuple(load_fixtures())


def add_choice(parser: argparse.ArgumentParser) -> None:
    """The options that `chosen` reads."""
    parser.add_argument("--family", choices=families(), metavar="NAME")
    parser.add_argument("--fixture", metavar="ID")


def chosen(options: argparse.Namespace) -> list[Fixture]:
    return [
        fixture
        for fixture in fixtures()
        if options.family in (None, fixture.family) and options.fixture in (None, fixture.id)
    ]


def judge(fixture: Fixture, make_parser: MakeParser) -> tuple[Status, list[CheckResult]]:
    """The status of a fixture over all its chunkings, and the checks behind it."""
    family = families()[fixture.family]
    reason = finish_reason_of(fixture)
    streams = {
        label: stream_of(fixture, make_parser, pieces, reason).result
        for label, pieces in chunkings(fixture)
    }
    whole = whole_result(fixture, make_parser, reason)
    observed = Observation(nonstream=whole, streams=streams)
    rows = list(run_checks(fixture, family, observed))
    return case_status(rows), rows


def chunkings(fixture: Fixture) -> Iterator[tuple[str, list[str]]]:
    """The text at once, by character, at every marker, and in random pieces.

    The names are none of the suite's own, so each counts.
    """
    text = fixture.raw_output
    yield "text-one", [text]
    yield "text-characters", list(text)
    markers = sorted(families()[fixture.family].markers, key=len, reverse=True)
    if markers:
        pieces = re.split(f"({'|'.join(map(re.escape, markers))})", text)
        yield "text-markers", [piece for piece in pieces if piece]
    for seed, size in _RANDOM_RUNS:
        yield f"text-random-{seed}-{size}", random_pieces(text, random.Random(seed), size)


def random_pieces(text: str, chance: random.Random, size: int) -> list[str]:
    """The text in pieces of 1 to `size` characters."""
    pieces = []
    position = 0
    while position < len(text):
        step = chance.randint(1, size)
        pieces.append(text[position : position + step])
        position += step
    return pieces


def prompt_of(fixture: Fixture) -> str:
    """The end of the prompt that the model continued."""
    if fixture.generation_prompt is not None:
        return fixture.generation_prompt
    reference = families()[fixture.family].reference_for(fixture.reference_model)
    return reference.default_generation_prompt if reference else ""


@dataclass(frozen=True)
class Stream:
    """What the parser's events add up to.

    `decided`: how many characters had been fed when each call was returned; one more than there
    are if only the end of the text decided.
    """

    result: ParseResult
    decided: tuple[int, ...]


def whole_result(
    fixture: Fixture, make_parser: MakeParser, finish_reason: FinishReason
) -> ParseResult:
    """What the parser's message says."""
    try:
        parser = _parser(fixture, make_parser)
        parser.feed(fixture.raw_output)
        message, _ = parser.finalize(finish_reason=finish_reason)
    except Exception as error:
        return ParseResult(exception=f"{type(error).__name__}: {error}")
    return ParseResult(
        content=message.get("content"),
        reasoning_content=next((message[key] for key in _REASONING if key in message), None),
        tool_calls=tuple(map(_call, message.get("tool_calls", ()))),
    )


def stream_of(
    fixture: Fixture,
    make_parser: MakeParser,
    pieces: Sequence[str],
    finish_reason: FinishReason,
) -> Stream:
    texts: dict[str, list[str]] = {}
    calls: list[ParsedToolCall] = []
    decided: list[int] = []
    failure = None
    try:
        for fed, event in _events(fixture, make_parser, pieces, finish_reason):
            if event["type"] == "region_chunk" and not event["dirty"]:
                texts.setdefault(event["field"], []).append(event["text"])
            elif event["type"] == "region_close" and event["field"] == "tool_calls":
                value = event["value"]
                calls += map(_call, value if isinstance(value, list) else [value])
                decided += [fed] * (len(calls) - len(decided))
    except Exception as error:
        failure = f"{type(error).__name__}: {error}"
    reasoning = "".join(piece for key in _REASONING for piece in texts.get(key, ()))
    content = "".join(texts.get("content", ()))
    return Stream(ParseResult(content, reasoning, tuple(calls), failure), tuple(decided))


def _events(
    fixture: Fixture,
    make_parser: MakeParser,
    pieces: Sequence[str],
    finish_reason: FinishReason,
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each event with how many characters had been fed."""
    parser = _parser(fixture, make_parser)
    fed = 0
    for event in parser.initial_events:
        yield fed, event
    for piece in pieces:
        fed += len(piece)
        for event in parser.feed(piece):
            yield fed, event
    for event in parser.finalize(finish_reason=finish_reason)[1]:
        yield fed + 1, event


def _parser(fixture: Fixture, make_parser: MakeParser) -> Any:
    return make_parser(fixture.family, fixture.reference_model, fixture.tools, prompt_of(fixture))


def finish_reason_of(fixture: Fixture) -> FinishReason:
    return "length" if fixture.truncated else "stop"


def _call(call: dict[str, Any]) -> ParsedToolCall:
    function = call["function"]
    return ParsedToolCall(
        function["name"], json.dumps(function.get("arguments"), ensure_ascii=False)
    )
