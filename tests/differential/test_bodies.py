"""Strings that hide closers, and regions that end with their value, against a slow reading.

Every text comes in every way: whole, a character at a time, in two pieces, partly in the prompt,
and with the parser saved and restored in between.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler import compile_template
from compiler.frontend.load import load
from compiler.pipeline import compile_source
from tests.differential.body_reference import OPENER, Body, StringKind, regions
from tests.differential.oracle import oracle_regions

QUOTE = StringKind('"', '"', escapes=True)
# name: ("strings" of the template, the kinds, pieces that texts are made of)
STRINGS: dict[str, tuple[Any, tuple[StringKind, ...], list[str]]] = {
    "json": ("json", (QUOTE,), ['"', "\\", '\\"']),
    "python": ("python", (QUOTE, StringKind("'", "'", True)), ['"', "'", "\\", "\\'"]),
    "long": ([["<|q|>", "<|q|>"]], (StringKind("<|q|>", "<|q|>", False),), ["<|q|>", "<|q", "|>"]),
    "several": (
        [["<=", ">>"], ["$", "%"], ["~", "~"]],
        (
            StringKind("<=", ">>", False),
            StringKind("$", "%", False),
            StringKind("~", "~", False),
        ),
        ["<=", "=", ">>", "$", "%", "~"],
    ),
    # The end of a string may have a closer in it.
    "around a closer": (
        [["~", "=</c>="]],
        (StringKind("~", "=</c>=", False),),
        ["~", "=", "=</c>="],
    ),
}
# name: (keys of the template, pattern)
CLOSERS: dict[str, tuple[dict[str, Any], str | None]] = {
    "literal": ({"close": "</c>"}, r"</c>"),
    "literals": ({"close": ["</c>", "</c>>"]}, r"</c>>|</c>"),
    "space before": ({"close": "</c>", "glue": {"close": [r"\s*", ""]}}, r"\s*</c>"),
    "space behind": ({"close": "</c>", "glue": {"close": ["", r"\s*"]}}, r"</c>\s*"),
    "opener": ({"close": "</c>", "closes_on": ["calls"]}, r"</c>|(?=<c>)"),
    "none": ({}, None),
}
PIECES = [OPENER, "</c>", "</", "<", "/", "c", ">", "{", "}", "[", "]", "(", ")", " ", "\n", "a"]
BODIES = [
    (strings, closer, value)
    for strings in STRINGS
    for closer in CLOSERS
    for value in (False, True)
    if value or closer != "none"
]


def template_of(strings: str, closer: str, value: bool) -> dict[str, Any]:
    call: dict[str, Any] = {"open": OPENER, "strings": STRINGS[strings][0], "repeats": True}
    call |= CLOSERS[closer][0]
    if value:
        call["closes_with"] = "value"
    return {
        "dialect": "extended-1",
        "start_anchor": "@",
        "fields": {"calls": call, "text": {"repeats": True}},
    }


def body_of(strings: str, closer: str, value: bool) -> Body:
    kinds, pattern = STRINGS[strings][1], CLOSERS[closer][1]
    if strings == "python":
        return Body(pattern, kinds, value, ("()", "[]", "{}"), has_names=True)
    return Body(pattern, kinds, value)


def texts(strings: str) -> st.SearchStrategy[str]:
    pieces = st.sampled_from([*PIECES, *STRINGS[strings][2] * 3])
    return st.lists(pieces, max_size=16).map(lambda found: OPENER + "".join(found))


def events_of(module: Any, chunks: list[str], prefix: str = "", saved: bool = False) -> list[Any]:
    parser = module.Parser(f"@{prefix}")
    events = list(parser.initial_events)
    for chunk in chunks:
        events += parser.feed(chunk)
        if saved:
            parser = module.Parser.from_state(json.loads(json.dumps(parser.state())))
    return events + parser.finalize("stop")[1]


def read(events: list[Any]) -> list[tuple[str, str]]:
    """The regions as the reference has them; their text is their value."""
    found: list[list[str]] = []
    for event in events:
        if event["type"] == "region_open":
            found.append([event["field"].rstrip("s"), ""])
        elif event["type"] == "region_chunk":
            found[-1][1] += event["text"]
        else:
            assert event["type"] == "region_close"
            assert event["value"] == found[-1][1]
    return [(field, text) for field, text in found]


def ways(module: Any, text: str) -> Iterator[list[Any]]:
    yield events_of(module, [text])
    yield events_of(module, list(text))
    yield events_of(module, list(text), saved=True)
    for cut in range(1, len(text)):
        yield events_of(module, [text[:cut], text[cut:]])
        yield events_of(module, [text[cut:]], prefix=text[:cut])


def check(strings: str, closer: str, value: bool, text: str) -> None:
    module = compile_template(template_of(strings, closer, value))
    expected = regions(body_of(strings, closer, value), text)
    for events in ways(module, text):
        assert read(events) == expected
    message = module.parse(text, prefix="", finish_reason="stop")
    for field, name in (("calls", "call"), ("text", "text")):
        assert message.get(field, []) == [found for key, found in expected if key == name]


@pytest.mark.parametrize(("strings", "closer", "value"), BODIES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_like_the_reference(strings: str, closer: str, value: bool, data: st.DataObject) -> None:
    check(strings, closer, value, data.draw(texts(strings)))


@pytest.mark.parametrize(("strings", "closer", "value"), [each for each in BODIES if not each[2]])
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_the_grammar_says_the_same(
    strings: str, closer: str, value: bool, data: st.DataObject
) -> None:
    """Where a value ends is no regular language: only strings are in the grammar's terminals."""
    stages = compile_source(load(template_of(strings, closer, value)))
    text = data.draw(texts(strings))
    found = oracle_regions(stages.grammar, stages.grammar_text, text)
    expected = regions(body_of(strings, closer, value), text)
    assert [(field.rstrip("s"), body) for field, body in found] == expected


# `(` opens a string, `)` ends it; the other characters stand for themselves.
SHAPES = [
    *(
        "[()]a",
        "[(])]a",
        "[(]</c>)]</c>a",
        "(</c>)</c>a",
        "[(]))]a",
        "(</c>a",
        "[(]</c>a",
        "[()(]a",
    ),
    *("[(]a()", "(</c>()</c>", "[()]</c>()a", "](</c>)]</c>a", "a[(])]</c>a", "[[(])](])](</c>)a"),
]


@pytest.mark.parametrize(("strings", "closer", "value"), BODIES)
def test_shapes(strings: str, closer: str, value: bool) -> None:
    for kind in STRINGS[strings][1]:
        for shape in SHAPES:
            text = shape.replace("(", kind.opener).replace(")", kind.closer)
            check(strings, closer, value, OPENER + text)
            check(strings, closer, value, OPENER + text + OPENER + text)


@pytest.mark.parametrize("value", [False, True], ids=["closer", "value"])
@pytest.mark.parametrize("strings", STRINGS)
def test_more_strings_and_escapes_than_one_match_reads(strings: str, value: bool) -> None:
    opener, closer = STRINGS[strings][1][0].opener, STRINGS[strings][1][0].closer
    inside = "\\\\" * 40 if STRINGS[strings][1][0].escapes else closer[:-1] * 40
    text = f"{OPENER}[{f'{opener}</c>]{inside}{closer}' * 2100}]</c>]"
    module = compile_template(template_of(strings, "literal", value))
    expected = regions(body_of(strings, "literal", value), text)
    assert [field for field, _ in expected] == ["call", "text"]
    for size in (len(text), 7, 4096):
        chunks = [text[start : start + size] for start in range(0, len(text), size)]
        assert read(events_of(module, chunks)) == expected
    assert module.parse(text, prefix="")["calls"] == [expected[0][1]]


def test_a_closer_that_an_escape_reaches_into() -> None:
    """Between the two backslashes of the string nothing is read from anew."""
    pattern = r"(?<=\\)\\"
    spec = template_of("json", "literal", False)
    del spec["fields"]["calls"]["close"]
    spec["fields"]["calls"]["close_pattern"] = pattern
    text = OPENER + r'"a\\"b\\c"'
    expected = [("call", '"a' + r'\\"b' + "\\"), ("text", 'c"')]
    assert regions(Body(pattern, (QUOTE,), False), text) == expected
    for events in ways(compile_template(spec), text):
        assert read(events) == expected
