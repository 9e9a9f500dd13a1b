"""Variants of the fixtures of `canitoolcall`, and what must hold of any of them.

    make conformance-variants ARGS="[--family NAME] [--fixture ID]"

A fixture with calls is cut at every character, split in two at every position, given other names,
and given arguments with every marker of its family inside, bare and behind an escaped quote. Of
these no expected message is known, but: nothing is raised, a call that was cut is not returned, the
calls before it are, no marker shows in the text, and a stream adds up to what the whole text gives.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from canitoolcall.checks import compare, decode_arguments
from canitoolcall.fixtures import Expected, ExpectedToolCall, Fixture
from canitoolcall.results import ParseResult, Status

from tests.conformance.adapter import folders, make_parser
from tests.conformance.replay import families, fixtures, stream_result, whole_result

_SHOWN = 20  # problems of a family

Problem = tuple[str, str]  # which variant, what is wrong with it


def problems_of(fixture: Fixture) -> Iterator[Problem]:
    """What is wrong with any variant of a fixture."""
    yield from _cuts(fixture)
    yield from _splits(fixture)
    for variant, changed in _changed(fixture):
        result = whole_result(changed, make_parser)
        if wrong := _wrong_calls(changed, result):
            yield variant, wrong
        pieces = list(changed.raw_output)
        if compare(result, stream_result(changed, make_parser, pieces)) != Status.PASS:
            yield variant, "by character it is another message"


def _cuts(fixture: Fixture) -> Iterator[Problem]:
    """The text ends after each of its characters, as where generation was cut off."""
    calls = _calls_of(fixture)
    for end in range(len(fixture.raw_output)):
        cut = replace(
            fixture, raw_output=fixture.raw_output[:end], tags=(*fixture.tags, "truncated")
        )
        variant = f"cut at {end}"
        result = whole_result(cut, make_parser)
        if result.exception:
            yield variant, result.exception
            continue
        returned = _returned(result)
        if returned != calls[: len(returned)]:
            yield variant, f"returns {returned}"
        yield from ((variant, f"{leak!r} leaks") for leak in _leaks(fixture, result))
        if compare(result, stream_result(cut, make_parser, list(cut.raw_output))) != Status.PASS:
            yield variant, "by character it is another message"


def _splits(fixture: Fixture) -> Iterator[Problem]:
    """The text comes in two pieces, parted at each of its characters."""
    text = fixture.raw_output
    whole = whole_result(fixture, make_parser)
    for at in range(1, len(text)):
        if compare(whole, stream_result(fixture, make_parser, [text[:at], text[at:]])) != (
            Status.PASS
        ):
            yield f"split at {at}", "another message than of the whole text"


def _changed(fixture: Fixture) -> Iterator[tuple[str, Fixture]]:
    """The fixture with another function name, and with markers in its text arguments."""
    if fixture.expected is None or fixture.truncated:
        return
    calls = fixture.expected.tool_calls
    for name in dict.fromkeys(call.name for call in calls):
        other = f"{name}_2"
        if _is_alone(name, fixture.raw_output, len([c for c in calls if c.name == name])):
            yield f"name {other}", _renamed(fixture, name, other)
    for index, call in enumerate(calls):
        for key, value in call.arguments.items() if isinstance(call.arguments, dict) else ():
            if isinstance(value, str) and len(value) > 2:
                yield from _marked(fixture, index, key, value)


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


def main() -> None:
    """Print what is wrong, and how much of it there is in each family."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance.variants")
    parser.add_argument("--family")
    parser.add_argument("--fixture")
    options = parser.parse_args()
    wrong: Counter[str] = Counter()
    for fixture in fixtures():
        if options.family not in (None, fixture.family) or options.fixture not in (
            None,
            fixture.id,
        ):
            continue
        if fixture.reference_model not in folders():
            continue
        for variant, problem in problems_of(fixture):
            wrong[fixture.family] += 1
            if wrong[fixture.family] <= _SHOWN:
                print(f"{fixture.id}: {variant}: {problem}")
    print(dict(wrong) or "nothing is wrong")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
