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


CALL = {
    "type": "function",
    "function": {"name": "{content.name}", "arguments": "{content.arguments}"},
}
CALL_OF_EACH = {"id": "{id?}", "function": {"name": "{name}", "arguments": "{arguments}"}}


@pytest.mark.parametrize(
    "call",
    [
        '{"name": "f", "arguments": "{\\"a\\": 1}"}',
        '{"name": "f", "arguments": [1]}',
        '{"name": "f", "arguments": 5}',
        '{"name": "f", "arguments": null}',
        '{"name": null, "arguments": {}}',
        '{"name": 5, "arguments": {}}',
        '{"name": ["f"], "arguments": {}}',
        '{"name": "", "arguments": {}}',
        '{"name": "f", "arguments": {"a": NaN}}',
        '{"name": "f", "arguments": {"a": [-Infinity]}}',
        '{"name": "f", "arguments": {"a": 1e999}}',
        '{"name": "f", "arguments": {"a": 1, "a": 2}}',
    ],
)
def test_what_is_no_call_is_not_returned_as_one(call: str) -> None:
    good = '{"name": "g", "arguments": {"a": 1}}'
    for options, text in (
        ({"content": "json", "transform": CALL}, call),
        ({"content": "json", "transform": {"type": "function", "function": "{content}"}}, call),
        (
            {"content": "json", "transform_each": True, "transform": CALL_OF_EACH},
            f"[{good}, {call}]",
        ),
    ):
        field = {"open": "<c>", "close": "</c>", "on_invalid": "keep", "repeats": True, **options}
        compiled = of_fields({"x": field})
        well = good if text == call else f"[{good}]"
        message, errors = compiled.parse_result(f"<c>{text}</c><c>{well}</c>", prefix="")
        (kept,) = message["x"]
        assert kept["function"] == {"name": "g", "arguments": {"a": 1}}
        (error,) = errors
        assert error["raw"] == text
        assert error["reason"] in ("content", "transform")
        outcome = stream(compiled, "", [*f"<c>{text}</c><c>{well}</c>"], "keep")
        assert outcome.message == repr(message)


def test_other_transforms_make_what_they_say() -> None:
    other = {
        "open": "<c>",
        "close": "</c>",
        "content": "json",
        "transform": {"function": "{content}"},
    }
    assert of_fields({"x": other}).parse("<c>5</c>", prefix="") == {"x": {"function": 5}}


def test_a_value_with_a_type_keeps_it_among_others_of_its_name() -> None:
    tags = {
        "tag_pattern": r"<(?P<key>\w+)(?: t=(?P<type>\w+))?>(?P<value>.*?)</>",
        "types": {"s": "text"},
        "merge_duplicates": True,
    }
    field = {
        "open": "{{",
        "close": "}}",
        "content": "xml-inline",
        "content_args": tags,
        "transform": {"function": {"name": "f", "arguments": "{content}"}},
    }
    integers = {"properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}
    text = "{{<a t=s>1</><a>2</><b>2</><b t=s>3</>}}"
    tools = [{"name": "f", "parameters": integers}]
    value = of_fields({"x": field}).parse(text, prefix="", tools=tools)["x"]
    assert value["function"]["arguments"] == {"a": ["1", 2], "b": [2, "3"]}


@pytest.mark.parametrize("args", [{}, {"brackets": True}, {"methods": True}])
def test_strings_of_calls_may_have_line_breaks(args: dict[str, Any]) -> None:
    field = {"open": "{{", "close": "}}", "content": "python-call-list", "content_args": args}
    value = of_fields({"x": field}).parse('{{[f(x="a\nb")]}}', prefix="")
    assert value == {"x": [{"name": "f", "arguments": {"x": "a\nb"}}]}


def test_what_is_no_call_is_not_offered() -> None:
    field = {
        "open": "<c>",
        "close": "</c>",
        "content": "json",
        "transform": "{content}",
        "offered": True,
        "on_invalid": "keep",
    }
    compiled = of_fields({"x": field})
    assert compiled.parse("<c>[1]</c>", prefix="", tools=[{"name": "f"}]) == {}
    assert compiled.parse("<c>[1]</c>", prefix="") == {"x": [1]}


@pytest.mark.parametrize(
    "args", [{}, {"unquoted_keys": True}, {"string_delims": [["<q>", "</q>"]]}]
)
def test_json_is_strict_with_every_argument(args: dict[str, Any]) -> None:
    field = {"open": "<c>", "close": "</c>", "content": "json", "content_args": args}
    with pytest.raises(ValueError, match="'a'"):
        of_fields({"x": field}).parse('<c>{"a": 1, "a": 2}</c>', prefix="")
    v1 = compile_template({"start_anchor": "<s>", "fields": {"x": field}})
    assert v1.parse('<c>{"a": 1, "a": 2}</c>', prefix="") == {"x": {"a": 2}}


@pytest.mark.parametrize("name", ["calls", "section", "section_text", "calls_outside"])
@pytest.mark.parametrize(("outside", "other"), [("", " "), ("x*", "xy")])
def test_text_in_a_section_is_kept_by_the_policy_of_the_field(
    name: str, outside: str, other: str
) -> None:
    """Not by that of its first form, and whatever the field is called."""
    field = {
        "section": {"open": "<s>", "close": "</s>", "outside_pattern": outside},
        "forms": [
            {"open": "<c>", "close": "</c>", "on_invalid": "drop"},
            {"open": "<d>", "close": "</d>"},
        ],
        "repeats": True,
        "on_invalid": "keep",
    }
    spec = {"dialect": "extended-1", "start_anchor": "A", "fields": {name: field, "content": {}}}
    compiled = compile_template(spec)
    text = f"<s><c>1</c>{other}<d>2</d></s>z"
    for chunks in ([text], list(text)):
        parser = compiled.Parser("")
        for chunk in chunks:
            parser = compiled.Parser.from_state(parser.state())
            parser.feed(chunk)
        assert parser.finalize()[0] == {name: ["1", "2"], "content": "z"}
        assert [(each["field"], each["raw"]) for each in parser.errors] == [(name, other)]
    assert compiled.parse_result(text, prefix="")[1] == parser.errors
