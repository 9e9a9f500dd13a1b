"""Variants of the fixtures of `canitoolcall`, and what must hold of any of them.

    make conformance ARGS="variants [--family NAME] [--fixture ID]"

A fixture is cut at every character, split in two at every position, given other names, and given
arguments with every marker of its family inside, bare and behind an escaped quote. Of these no
expected message is known, but: nothing is raised, a call that was cut is not returned, the calls
before it are, no marker shows in the text, and a stream adds up to what the whole text gives.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from multiprocessing import Pool
from typing import Any

from canitoolcall.checks import compare, decode_arguments
from canitoolcall.fixtures import Expected, ExpectedToolCall, Fixture
from canitoolcall.results import ParseResult, Status

from tests.conformance.adapter import make_parser
from tests.conformance.replay import add_choice, chosen, families, stream_result, whole_result
from tests.conformance.tables import print_counts

KINDS = ("cut", "split", "name", "argument")
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
    for end in range(len(text)):
        yield Variant("cut", f"cut at {end}", partial(_cut_problems, fixture, end))
    whole = cache(lambda: whole_result(fixture, make_parser))
    for at in range(1, len(text)):
        yield Variant("split", f"split at {at}", partial(_split_problems, fixture, at, whole))
    for kind, name, changed in _changed(fixture):
        yield Variant(kind, name, partial(_changed_problems, changed))


def _cut_problems(fixture: Fixture, end: int) -> Iterator[str]:
    """The text ends after some character, as where generation was cut off."""
    cut = replace(fixture, raw_output=fixture.raw_output[:end], tags=(*fixture.tags, "truncated"))
    result = whole_result(cut, make_parser)
    if result.exception:
        yield result.exception
        return
    returned = _returned(result)
    if returned != _calls_of(fixture)[: len(returned)]:
        yield f"returns {returned}"
    yield from (f"{leak!r} leaks" for leak in _leaks(fixture, result))
    yield from _streamed_otherwise(cut, list(cut.raw_output), result)


def _split_problems(fixture: Fixture, at: int, whole: Callable[[], ParseResult]) -> Iterator[str]:
    """The text comes in two pieces."""
    text = fixture.raw_output
    yield from _streamed_otherwise(fixture, [text[:at], text[at:]], whole())


def _changed_problems(changed: Fixture) -> Iterator[str]:
    result = whole_result(changed, make_parser)
    if wrong := _wrong_calls(changed, result):
        yield wrong
    yield from _streamed_otherwise(changed, list(changed.raw_output), result)


def _streamed_otherwise(
    fixture: Fixture, pieces: Sequence[str], whole: ParseResult
) -> Iterator[str]:
    if compare(whole, stream_result(fixture, make_parser, pieces)) != Status.PASS:
        yield "streamed it is another message than of the whole text"


def _changed(fixture: Fixture) -> Iterator[tuple[str, str, Fixture]]:
    """The fixture with another function name, and with markers in its text arguments."""
    if fixture.expected is None or fixture.truncated:
        return
    calls = fixture.expected.tool_calls
    for name in dict.fromkeys(call.name for call in calls):
        other = f"{name}_2"
        if _is_alone(name, fixture.raw_output, len([c for c in calls if c.name == name])):
            yield "name", f"name {other}", _renamed(fixture, name, other)
    for index, call in enumerate(calls):
        for key, value in call.arguments.items() if isinstance(call.arguments, dict) else ():
            if isinstance(value, str) and len(value) > 2:
                for variant, marked in _marked(fixture, index, key, value):
                    yield "argument", variant, marked


def _is_alone(name: str, text: str, times: int) -> bool:
    return text.count(name) == times


def _renamed(fixture: Fixture, name: str, other: str) -> Fixture:
    assert fixture.expected is not None
    calls = tuple(
        ExpectedToolCall(other if call.name == name else call.name, call.arguments)
        for call in fixture.expected.tool_calls
    )
    tools = json.loads(json.dumps(fixture.tools).replace(f'"{name}"', f'"{other}"'))
    return replace(
        fixture,
        raw_output=fixture.raw_output.replace(name, other),
        tools=tuple(tools),
        expected=replace(fixture.expected, tool_calls=calls),
    )


def _marked(fixture: Fixture, index: int, key: str, value: str) -> Iterator[tuple[str, Fixture]]:
    """Other values for an argument that is written as a JSON string in the text, and only once."""
    written = json.dumps(value, ensure_ascii=False)
    if fixture.raw_output.count(written) != 1:
        return
    for marker in families()[fixture.family].markers:
        for other in (f"{value} {marker} end", f'say "{marker}', f"{marker}\\", f'\\"}}{marker}'):
            text = fixture.raw_output.replace(written, json.dumps(other, ensure_ascii=False))
            yield f"{key} = {other!r}", _with_argument(fixture, text, index, key, other)


def _with_argument(fixture: Fixture, text: str, index: int, key: str, value: str) -> Fixture:
    assert fixture.expected is not None
    calls = list(fixture.expected.tool_calls)
    calls[index] = ExpectedToolCall(calls[index].name, {**calls[index].arguments, key: value})
    expected: Expected = replace(fixture.expected, tool_calls=tuple(calls))
    return replace(fixture, raw_output=text, expected=expected)


def _wrong_calls(fixture: Fixture, result: ParseResult) -> str:
    if result.exception:
        return result.exception
    returned, wanted = _returned(result), _calls_of(fixture)
    return "" if returned == wanted else f"returns {returned}, not {wanted}"


def _calls_of(fixture: Fixture) -> list[tuple[str, Any]]:
    calls = fixture.expected.tool_calls if fixture.expected else ()
    return [(call.name, call.arguments) for call in calls]


def _returned(result: ParseResult) -> list[tuple[str, Any]]:
    return [(call.name, decode_arguments(call.arguments_raw)) for call in result.tool_calls]


def _leaks(fixture: Fixture, result: ParseResult) -> Iterator[str]:
    """Markers in the text that the whole message does not have."""
    expected = fixture.expected
    if expected is None:
        return
    for got, wanted in (
        (result.content, expected.content),
        (result.reasoning_content, expected.reasoning_content),
    ):
        for marker in families()[fixture.family].markers:
            if marker in (got or "") and marker not in (wanted or ""):
                yield marker


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
