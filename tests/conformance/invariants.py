"""What must hold of replies that no message is published for: as texts, a line for each problem.

The message of a changed or split reply is known. Of a cut one it is: nothing is raised; the calls
that are complete are returned, as they are in the whole reply, and no others; content and reasoning
are those of the whole reply, as far as they go, and behind that at most the end of the text as it
stands, without a marker.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from canitoolcall.checks import canonical, compare, describe_difference, expected_as_result
from canitoolcall.fixtures import Fixture
from canitoolcall.results import ParseResult, Status

from tests.conformance.adapter import make_parser
from tests.conformance.replay import families, finish_reason_of, stream_of, whole_result
from tests.conformance.tool_calls import SOFT

# What ends a call. Where nothing does, it ends with its value.
_CLOSERS = re.compile(
    r"<｜tool▁call▁end｜>|</｜DSML｜ ?invoke>|<｜DSML｜ ?invoke [^<>]*/>|<tool_call\|>|</tool_call>"
    r"|<\|tool_call_end\|>|<\|close\|>call<\|sep\|>|<\|(?:call|end)\|>"
)
# Values between tags do not tell that they are complete.
_TAGS = re.compile(r"<function=|<arg_value>|<｜DSML｜ ?parameter |<\|open\|>call ")
_LATE = 30  # characters behind its end at which a call is decided at last
_LAST = 50  # characters of a cut reply that come one by one
CUT_REASONS = ("length", None)


@dataclass(frozen=True)
class Whole:
    """A reply that ends as it should, and what it means.

    `complete`: how many characters each call takes to be complete, without and with its closer;
    `decided`: how many it took until it was returned.
    """

    fixture: Fixture
    wanted: ParseResult
    complete: tuple[tuple[int, int], ...]
    decided: tuple[int, ...]
    problems: tuple[str, ...]  # of the reply itself, by characters


def whole_of(fixture: Fixture) -> Whole:
    """Reads the reply at once and by character; what is wrong then are its `problems`."""
    text, reason = fixture.raw_output, finish_reason_of(fixture)
    whole = whole_result(fixture, make_parser, reason)
    stream = stream_of(fixture, make_parser, list(text), reason)
    wanted = wanted_of(fixture, whole)
    complete: dict[int, tuple[int, int]] = {}
    start = 0
    for end in stream.decided:  # calls of one list have one end
        complete[end] = complete.get(end) or _complete(fixture, text[:end], start)
        start = complete[end][1]
    problems = (
        *_differences(wanted, whole),
        *_streamed_otherwise(whole, stream.result),
        *_early(text, stream.decided),
        *_late(fixture, stream.decided),
    )
    return Whole(
        fixture, wanted, tuple(complete[end] for end in stream.decided), stream.decided, problems
    )


def _complete(fixture: Fixture, text: str, start: int) -> tuple[int, int]:
    """Where a call ends that is the last thing in the text: its value, and its closer."""
    value = 1 + text.rfind("]" if _is_list(fixture) else "}", start)
    closer = max((found.end() for found in _CLOSERS.finditer(text, start)), default=0)
    opener = re.compile("<tool_call>|<function=").search(text, start)
    if opener and opener[0] == "<function=":  # it has lost its wrapper, and may at its end, too
        closer = text.rindex("</function>") + len("</function>")
    if fixture.family == "glm" or _TAGS.search(fixture.raw_output):
        return closer, closer
    return value or closer, max(value, closer)


def _is_list(fixture: Fixture) -> bool:
    """Calls are a list in Python's notation, and there when all of it is."""
    return "Llama-4" in fixture.reference_model


def wanted_of(fixture: Fixture, whole: ParseResult) -> ParseResult:
    """The message that is expected. Where any without calls will do, it is the one of the text."""
    if fixture.expected is None:
        return replace(whole, tool_calls=())
    wanted = expected_as_result(fixture.expected)
    return replace(wanted, content=whole.content) if fixture.id in SOFT else wanted


def cut_problems(whole: Whole, end: int) -> Iterator[str]:
    """The text ends after some character, as where generation was cut off."""
    cut = replace(whole.fixture, raw_output=whole.fixture.raw_output[:end])
    # What is before has come by character already, in the stream of the whole reply.
    pieces = [cut.raw_output[:-_LAST], *cut.raw_output[-_LAST:]]
    for reason in CUT_REASONS:
        result = whole_result(cut, make_parser, reason)
        stream = stream_of(cut, make_parser, pieces, reason).result
        for problem in (
            *_cut_calls(whole, end, result, may_lack_closer=reason is None),
            *_cut_texts(whole, cut.raw_output, result),
            *_streamed_otherwise(result, stream),
        ):
            yield f"{problem} (finish_reason {reason!r})"


def split_problems(whole: Whole, at: int) -> Iterator[str]:
    """The text comes in two pieces."""
    text, reason = whole.fixture.raw_output, finish_reason_of(whole.fixture)
    pieces = [text[:at], text[at:]]
    yield from _differences(
        whole.wanted, stream_of(whole.fixture, make_parser, pieces, reason).result
    )


def _cut_calls(whole: Whole, end: int, result: ParseResult, may_lack_closer: bool) -> Iterator[str]:
    if result.exception:
        yield result.exception
    calls = canonical(whole.wanted, soft=False)["tool_calls"]
    returned = canonical(result, soft=False)["tool_calls"]
    surely = sum(decided <= end for decided in whole.decided)
    at_most = sum((value if may_lack_closer else closer) <= end for value, closer in whole.complete)
    if not (surely <= len(returned) <= max(surely, at_most)):
        yield f"returns {len(returned)} calls, where {surely} to {at_most} are complete"
    if returned != calls[: len(returned)]:
        yield f"returns {returned}"


def _cut_texts(whole: Whole, text: str, result: ParseResult) -> Iterator[str]:
    for name in ("content", "reasoning_content"):
        got, wanted = getattr(result, name) or "", getattr(whole.wanted, name) or ""
        added = got[common_length(got, wanted) :]
        if not text.rstrip().endswith(added.rstrip()):  # white space at an end may belong to none
            yield f"{name} {got!r}"
        for marker in families()[whole.fixture.family].markers:
            if marker in got and marker not in wanted:
                yield f"{marker!r} leaks"


def common_length(one: str, other: str) -> int:
    """How many characters two texts have in common at their start."""
    return next(
        (at for at, pair in enumerate(zip(one, other, strict=False)) if len(set(pair)) > 1),
        min(len(one), len(other)),
    )


def _differences(wanted: ParseResult, got: ParseResult) -> Iterator[str]:
    """Of two messages; that calls, texts and all in them are equal leaves no marker to leak."""
    if got.exception:
        yield got.exception
    elif compare(wanted, got) != Status.PASS:
        yield describe_difference(wanted, got)


def _streamed_otherwise(whole: ParseResult, streamed: ParseResult) -> Iterator[str]:
    if compare(whole, streamed) != Status.PASS:
        yield "streamed: " + describe_difference(whole, streamed, want_label="whole")


def _early(text: str, decided: tuple[int, ...]) -> Iterator[str]:
    """Calls that are returned though what ends calls in this reply has not come."""
    starts = (0, *decided)
    for start, end in zip(starts, decided, strict=False):
        is_closed = start == end or _CLOSERS.search(text, start, end)
        if end <= len(text) and not is_closed and _CLOSERS.search(text, end):
            yield f"a call is returned after {end} characters, before its end"


def _late(fixture: Fixture, decided: tuple[int, ...]) -> Iterator[str]:
    """Calls that are returned long after the name of the next one has been there."""
    names = [call.name for call in fixture.expected.tool_calls] if fixture.expected else []
    if _is_list(fixture):
        return
    position = len(fixture.raw_output)
    for index in range(len(names) - 1, 0, -1):
        position = fixture.raw_output.rfind(names[index], 0, position)
        if decided[index - 1 : index] > (position + len(names[index]) + _LATE,):
            yield f"call {index - 1} is returned after {decided[index - 1]} characters"
