"""The extended dialect at run time: what is complete, what becomes of the rest, saved states."""

from __future__ import annotations

from typing import Any

import pytest

from compiler import CompiledTemplate, compile_template
from tests.runtime.feeding import feed_all, stream, whole, without_events
from tests.runtime.test_saved_state import through_json

TAGS = {"tag_pattern": r"<(?P<key>\w+)>(?P<value>.*?)</>"}


def of_fields(fields: dict[str, Any], **options: Any) -> CompiledTemplate:
    return compile_template(
        {"dialect": "extended-1", "start_anchor": "<s>", **options, "fields": fields}
    )


@pytest.mark.parametrize(
    ("content", "text", "value"),
    [
        ("text", "a", "a"),
        ("json", "[1]", [1]),
        ("python-call-list", "[f()]", [{"name": "f", "arguments": {}}]),
        ("int", "7", 7),
        ("kv-lines", "a: 1", {"a": "1"}),
        ({"name": "xml-inline", "args": TAGS}, "<a>1</>", {"a": "1"}),
    ],
    ids=str,
)
def test_when_the_end_of_the_text_completes_a_region(content: Any, text: str, value: Any) -> None:
    compiled = of_fields({"x": {"open": "{{", "close": "}}", "content": content}})
    tells_itself = content in ("text", "json", "python-call-list")
    complete = {"x": value}
    right = {
        "stop": complete,
        None: complete if tells_itself else {},
        "length": complete if content == "text" else {},
    }
    for reason, message in right.items():
        outcome = stream(compiled, "", ["{{", *text], "keep", finish_reason=reason)
        assert outcome.message == repr(message)
        assert (outcome.errors == "[]") == bool(message)
        assert not message or "unfinished" not in outcome.errors
        at_once = whole(compiled, "", f"{{{{{text}", "keep", finish_reason=reason)
        assert at_once == without_events(outcome)
        assert compiled.parse(f"{{{{{text}}}}}", prefix="", finish_reason=reason) == complete


def test_a_region_without_a_closer_is_complete_at_the_end() -> None:
    compiled = of_fields({"x": {"open": "{{", "content": "int"}})
    assert compiled.parse("{{7", prefix="") == {"x": 7}


def test_text_that_comes_back_is_where_it_was() -> None:
    """Also in the span of the region that it then belongs to."""
    compiled = of_fields(
        {
            "x": {"open": "<x>", "close": "</x>", "content": "int", "on_invalid": "text"},
            "content": {"content": "json", "on_invalid": "keep"},
        }
    )
    text = "1<x>2</x>3<x>a</x>b<x>4</x>"
    message, errors = compiled.parse_result(text, prefix="")
    assert message == {"content": 3, "x": 4}
    (error,) = errors
    start, end = error["span"]
    assert text[start:end] == error["raw"] == "<x>a</x>b"


def test_the_template_goes_before_the_caller() -> None:
    for policy, kept in (("keep", 1), ("drop", 0), ("text", 0)):
        compiled = of_fields(
            {"x": {"open": "<x>", "close": "</x>", "content": "int", "on_invalid": policy}}
        )
        message, errors = compiled.parse_result("<x>a</x>", prefix="")
        assert (message, len(errors)) == ({}, kept)
    compiled = of_fields(
        {"x": {"open": "<x>", "close": "</x>", "content": "int", "on_invalid": "raise"}}
    )
    assert "ParseError" in stream(compiled, "", ["<x>a</x>"], "keep").message


def test_text_of_a_region_inside_another_goes_on_in_that() -> None:
    x = {"open": "<x>", "close": "</x>", "content": "int", "on_invalid": "text", "inside": ["r"]}
    for section in ({}, {"section": {"open": "<s>", "close": "</s>"}}):
        compiled = of_fields(
            {"r": {"open": "<r>", "close": "</r>"}, "x": {**x, **section}, "c": {}}
        )
        inner = "<s><x>q</x></s>" if section else "<x>q</x>"
        assert compiled.parse(f"<r>a{inner}b</r>c", prefix="") == {"r": "a<x>q</x>b", "c": "c"}


def test_what_opens_goes_before_what_is_ignored() -> None:
    compiled = of_fields({"x": {"open": "<x>", "close": "</x>"}, "c": {}}, ignore=["<x>", "<y>"])
    assert compiled.parse("a<y>b<x>c</x>", prefix="") == {"c": "ab", "x": "c"}


def test_glue_alone_is_no_delimiter() -> None:
    glue = {"close": ["", "\\n\\n|\\n"]}
    compiled = of_fields({"x": {"open": "<x>", "close": "</x>", "glue": glue}, "c": {}})
    assert compiled.parse("<x>1\n2</x>\n\n3", prefix="") == {"x": "1\n2", "c": "3"}


def test_what_ends_a_region_opens() -> None:
    """In a section, in a region that it may be inside of, and in one that it ends as well."""
    tags = {name: {"open": f"<{name}>", "close": f"</{name}>"} for name in "rxn"}
    fields = {
        "r": tags["r"],
        "x": {**tags["x"], "inside": ["r"], "closes_on": ["n"]},
        "n": tags["n"],
        "c": {},
    }
    text = "<r>1<x>2<n>3</n>4</r>5"
    within = of_fields({**fields, "n": {**tags["n"], "inside": ["r"]}})
    assert within.parse(text, prefix="") == {"r": "14", "x": "2", "n": "3", "c": "5"}
    ending = of_fields({**fields, "r": {**tags["r"], "closes_on": ["n"]}})
    assert ending.parse(text, prefix="") == {"r": "1", "x": "2", "n": "3", "c": "4</r>5"}
    calls = {"section": {"open": "<s>", "close": "</s>"}, "repeats": True}
    listed = of_fields({"x": {**tags["x"], **calls, "closes_on": ["x"]}, "c": {}})
    assert listed.parse("<s><x>1<x>2</x></s>3", prefix="") == {"x": ["1", "2"], "c": "3"}


def test_saved_anywhere() -> None:
    compiled = of_fields(
        {
            "r": {"open": "<r>", "close": "</r>"},
            "x": {
                "open": "<x>",
                "close": "</x>",
                "content": "int",
                "on_invalid": "text",
                "section": {"open": "<s>", "close": "</s>"},
                "inside": ["r"],
                "repeats": True,
            },
            "c": {},
        },
        ignore="<y>",
    )
    text = "a<y>b<r>c<s>d<x>1</x>e<x>f</x></s>g<s><x>2</x></s></r>h<s><x>i</x>j</s>k<r><s><x>3"
    expected = stream(compiled, "", [text], "keep")
    assert "'x': [1, 2]" in expected.message
    for at in range(len(text) + 1):
        parser = compiled.Parser("", on_error="keep")
        parser.initial_events = [event for each in text[:at] for event in parser.feed(each)]
        twin = through_json(parser)
        assert feed_all(twin, text[at:]) == expected
        assert feed_all(parser, text[at:]) == expected
