"""What transformers refuses to load is refused; what it loads is accepted or could never work."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from transformers.utils.chat_parsing.content_parsers import process_field
from transformers.utils.chat_parsing.response_templates import load_response_template

from compiler.diagnostics import TemplateError
from compiler.frontend.load import load
from compiler.frontend.syntax import Template
from compiler.frontend.validate import Checked, validate

ODD = st.sampled_from(
    [None, True, False, 0, 1, 1.0, 2, "", "x", [], ["a"], ["a", ""], ["a", 1], {}, {"a": "b"}]
)
LITERALS = st.sampled_from(["<a>", "</a>", ["<a>", "<b>", "<a>"], "\n", ["<", "<a>"]])
PATTERNS = st.sampled_from(
    [r"<a>\s*", r"<(?P<name>\w+)>", r"$", r"(?=<a>)", r"(?P<key>\w)=(?P<value>.*?);", "(", "[a", ""]
)
CONTENTS = st.sampled_from(
    ["text", "int", "bool", "json", "xml-inline", "kv-lines", "python-call-list", "xml", "JSON"]
)
TRANSFORMS = st.sampled_from(
    [
        "{content}",
        "{name}",
        "{content.a}",
        {"f": "{content}", "n": ["{name}"]},
        "{content} and more",
        {"deep": [{"x": "{a}{b}"}]},
        {"{content} key": "{ content }"},
        7,
    ]
)
VALUE_PARSERS = st.fixed_dictionaries(
    {}, optional={"name": CONTENTS | ODD, "args": ODD, "arg": ODD}
)
CONTENT_ARGS = st.fixed_dictionaries(
    {},
    optional={
        "strip": ODD,
        "unquoted_keys": ODD,
        "string_delims": ODD | st.sampled_from([[["<", ">"]], ["<>"], [["<"]], [["<", 1]]]),
        "allow_non_json": ODD,
        "tag_pattern": PATTERNS | ODD,
        "value_parser": VALUE_PARSERS | ODD,
        "merge_duplicates": ODD,
        "line_sep": ODD,
        "kv_sep": ODD,
        "other": ODD,
    },
)
FLAGS = st.sampled_from([True, False, 1, 0, None, "yes"])
FIELD_VALUES = {
    "open": LITERALS | ODD,
    "open_pattern": PATTERNS | ODD,
    "close": LITERALS | ODD,
    "close_pattern": PATTERNS | ODD,
    "content": CONTENTS | ODD,
    "content_args": CONTENT_ARGS | ODD,
    "repeats": FLAGS,
    "join": st.sampled_from(["", ", ", None, 5]),
    "optional": FLAGS,
    "transform": TRANSFORMS | ODD,
    "transform_each": FLAGS,
    "opens": ODD,
}
TEMPLATE_VALUES = {
    "version": ODD,
    "defaults": st.dictionaries(st.sampled_from("abc"), ODD) | ODD,
    "fields": ODD,
    "start_anchor": LITERALS | ODD,
    "start_anchor_pattern": PATTERNS | ODD,
    "extra": ODD,
}
SOUND_FIELDS: list[dict[str, Any]] = [
    {},
    {"open": "<a>", "close": "</a>", "content": "json"},
    {"open": ["<b>"], "close_pattern": "</b>\\s*", "repeats": True, "join": ""},
    {"open_pattern": "<(?P<name>\\w+)>", "transform": {"n": "{name}"}},
    {
        "open": "<x>",
        "content": "xml-inline",
        "content_args": {"tag_pattern": "(?P<key>a)(?P<value>b)"},
    },
    {"open": "<k>", "content": "kv-lines", "transform": "{content}"},
    {"open": "<l>", "content": "python-call-list", "transform_each": True, "transform": "{name}"},
]


@st.composite
def templates(draw: st.DrawFn) -> dict[str, Any]:
    """A sound template in which up to three values are replaced, added or removed."""
    kinds = draw(st.lists(st.sampled_from(SOUND_FIELDS), min_size=1, max_size=3, unique_by=id))
    fields = {name: dict(kind) for name, kind in zip("abc", kinds, strict=False)}
    spec: dict[str, Any] = {"start_anchor": "A", "fields": fields}
    for _ in range(draw(st.integers(0, 3))):
        in_template = draw(st.integers(0, 3)) == 0
        values = TEMPLATE_VALUES if in_template else FIELD_VALUES
        part = spec if in_template else draw(st.sampled_from(list(fields.values())))
        key = draw(st.sampled_from(sorted(values)))
        if key in part and draw(st.integers(0, 4)) == 0:
            del part[key]
        else:
            part[key] = draw(values[key])
    return spec


# Rules about content arguments, which transformers looks at only when a region closes.
WHEN_A_REGION_CLOSES = {"RT301", "RT302", "RT303", "RT304", "RT305", "RT203", "RT207"}
# Texts that each parser can read with sound arguments.
BODIES = {
    "text": ["x"],
    "int": ["1"],
    "bool": ["true"],
    "json": ['{"a": 1}'],
    "xml-inline": ["a=1;", "<a> ", "<n>", "x"],
    "kv-lines": ["a=1", "k: v", "x"],
    "python-call-list": ["[f(a=1)]"],
}


def reference_loads(spec: Any) -> bool:
    try:
        load_response_template(copy.deepcopy(spec))
    except Exception:
        return False
    return True


def check(spec: Any) -> Checked | list[tuple[str, str]]:
    """The checked template, or the rules that its errors break, with their pointers."""
    try:
        return validate(load(spec))
    except TemplateError as error:
        assert str(error)
        return [(d.rule, d.pointer) for d in error.diagnostics if d.severity == "error"]


@given(templates())
@example({"version": True, "start_anchor": "A", "fields": {"a": {}}})
@example({"start_anchor": "A", "fields": {"a": {"open": "<", "open_pattern": None}}})
@example({"start_anchor": "A", "fields": {"a": {"content_args": None}}})
@example({"start_anchor": "A", "fields": {"a": {"open": "<", "repeats": 1, "join": ""}}})
@example({"start_anchor": "A", "fields": {"a": {"repeats": 0, "join": None}}})
@settings(deadline=None, max_examples=400)
def test_the_same_templates_are_accepted(spec: Any) -> None:
    checked = check(spec)
    if isinstance(checked, Checked):
        assert reference_loads(spec)
        assert_same_template(checked.template, spec)
    elif all("/content_args" in pointer for _, pointer in checked):
        assert {rule for rule, _ in checked} <= WHEN_A_REGION_CLOSES
        assert reference_loads(spec)
    else:
        assert not reference_loads(spec)


def assert_same_template(template: Template, spec: Any) -> None:
    """The frozen template says what the loaded one of transformers says."""
    reference = load_response_template(copy.deepcopy(spec))
    assert template.defaults == reference.defaults
    assert (template.implicit.name if template.implicit else None) == reference.implicit
    assert [field.name for field in template.fields] == list(reference.fields)
    for field, other in zip(template.fields, reference.fields.values(), strict=True):
        for name in ("content", "join", "transform", "transform_each"):
            assert getattr(field, name) == getattr(other, name)
        assert field.repeats is bool(other.repeats)
        assert field.optional is bool(other.optional)
        for delimiter, compiled, literals in (
            (field.opener, other.open_re, other.open_literals),
            (field.closer, other.close_re, other.close_literals),
        ):
            assert (delimiter is None) == (compiled is None)
            if delimiter is not None and literals is None:
                assert delimiter.pattern == compiled.pattern
            elif delimiter is not None:
                assert list(delimiter.literals or ()) == literals


@given(st.sampled_from(sorted(BODIES)), CONTENT_ARGS | ODD)
@settings(deadline=None, max_examples=300)
def test_content_arguments_are_refused_only_if_they_fail_when_used(name: str, args: Any) -> None:
    field = {"open": "<a>", "content": name, "content_args": args}
    spec = {"start_anchor": "A", "fields": {"a": field}}
    checked = check(spec)
    failures = [failure(spec, body) for body in BODIES[name]]
    if isinstance(checked, Checked):
        # ValueError is about the text, such as "v" for a nested int.
        assert all(e is None or isinstance(e, ValueError) for e in failures)
    else:
        assert any(failures)


def failure(spec: Any, body: str) -> Exception | None:
    """Why transformers cannot make a value of a region with this text."""
    (field,) = load_response_template(copy.deepcopy(spec)).fields.values()
    try:
        process_field(body, field, {})
    except Exception as error:
        return error
    return None


@pytest.mark.parametrize(
    ("content", "args"),
    [
        ("json", None),
        ("text", ["strip"]),
        ("json", {"string_delims": None}),
        ("json", {"string_delims": ["abc"]}),
        ("json", {"string_delims": [["<", 1]]}),
        ("xml-inline", {}),
        ("xml-inline", {"tag_pattern": None}),
        ("xml-inline", {"tag_pattern": "("}),
        ("xml-inline", {"tag_pattern": 5}),
        ("xml-inline", {"tag_pattern": "(?P<name>a)(?P<value>=1)"}),
        ("xml-inline", {"tag_pattern": "(?P<key>a)=(?P<value>1)", "value_parser": "int"}),
        ("xml-inline", {"tag_pattern": "(?P<key>a)=(?P<value>1)", "value_parser": {"name": "in"}}),
        ("kv-lines", {"kv_sep": ""}),
        ("kv-lines", {"kv_sep": None}),
        ("kv-lines", {"line_sep": ""}),
        ("kv-lines", {"kv_sep": "=", "value_parser": {"name": None}}),
        ("kv-lines", {"kv_sep": "=", "value_parser": {"name": "json", "args": None}}),
        ("kv-lines", {"kv_sep": "=", "value_parser": False}),
    ],
)
def test_arguments_that_fail_at_the_first_region_are_refused(content: str, args: Any) -> None:
    field = {"open": "<a>", "content": content, "content_args": args}
    spec = {"start_anchor": "A", "fields": {"a": field}}
    assert not isinstance(check(spec), Checked)
    assert failure(spec, "{}" if content == "json" else "a=1")
