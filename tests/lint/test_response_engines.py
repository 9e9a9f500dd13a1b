"""LT5xx: what other readers of response templates refuse, or read in another way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from compiler.catalogue import tomllib
from tests.lint.linting import CALL, CALLS, THINKING, caret, found, places, template

PYTHON_SERVERS = "vLLM 0.33 (Python frontend) and SGLang 0.5.23"
SERVERS = "vLLM 0.33 and SGLang 0.5.23"
RUST = tomllib.loads((Path(__file__).parent / "rust_patterns.toml").read_text("utf-8"))


def call(**keys: Any) -> dict[str, Any]:
    """A template whose calls have these keys as well."""
    return template(tool_calls={**CALLS, **keys})


def test_a_template_for_every_engine() -> None:
    spec = template(thinking=THINKING, tool_calls=CALLS)
    assert found({**spec, "defaults": {"role": "assistant"}}) == []


# -- LT501 to LT505: fields


@pytest.mark.parametrize(
    ("name", "who"), [("reasoning_content", PYTHON_SERVERS), ("reasoning", SERVERS)]
)
def test_the_name_of_the_reasoning(name: str, who: str) -> None:
    (finding,) = found(template(**{name: THINKING}))
    assert (finding.rule, finding.pointer) == ("LT501", f"/fields/{name}")
    assert finding.message == f'the name "{name}" is refused by {who}'
    assert finding.hint == 'every engine takes "thinking"; messages then have that key'
    assert caret(finding).startswith(f'"{name}"')


def test_other_fields_and_defaults() -> None:
    spec = {**template(notes=THINKING), "defaults": {"role": "assistant", "content": ""}}
    field, default = found(spec, "LT502")
    assert default.message == f'a default of "content" is refused by {PYTHON_SERVERS}'
    assert caret(default).startswith('"content"')
    assert field.message == f'a field "notes" is refused by {SERVERS}'
    assert caret(field).startswith('"notes"')


@pytest.mark.parametrize("name", ["thinking", "content", "reasoning_content"])
def test_joined_texts(name: str) -> None:
    field = {**THINKING, "repeats": True, "join": "\n"}
    (finding,) = found(template(**{name: field}), "LT503")
    assert finding.pointer == f"/fields/{name}/join"
    assert finding.message == (
        f'"join" is refused by {PYTHON_SERVERS}, and by transformers before 5.16'
    )


def test_other_joined_values() -> None:
    field = {**THINKING, "repeats": True, "join": "\n"}
    (finding,) = found(template(tool_calls=field), "LT503")
    assert finding.message == '"join" is refused by transformers before 5.16'
    assert finding.hint is None


def test_texts_that_are_more() -> None:
    field = {**THINKING, "content": "json", "transform": {"text": "{content}"}}
    content, transform = found(template(thinking=field), "LT504")
    assert content.message == f'"thinking" read by "json" is refused by {SERVERS}'
    assert caret(content).startswith('"json"')
    assert transform.message == f'a transform of "thinking" is refused by {SERVERS}'
    assert caret(transform).startswith('"transform"')


def test_calls_without_an_opener() -> None:
    spec = {"start_anchor": "A", "fields": {"tool_calls": {"content": "json", "repeats": True}}}
    assert places(spec) == [("LT505", "/fields/tool_calls")]
    assert places({"start_anchor": "A", "fields": {"content": {}}}) == []


# -- LT506 to LT510: features that transformers changed


def test_python_calls() -> None:
    (finding,) = found(call(content="python-call-list"))
    assert (finding.rule, finding.pointer) == ("LT506", "/fields/tool_calls/content")
    assert (
        finding.message == f'"python-call-list" is refused by transformers before 5.24, {SERVERS}'
    )


def test_python_calls_inside_of_values() -> None:
    inner = {"name": "python-call-list"}
    arguments = {"value_parser": {"name": "kv-lines", "args": {"value_parser": inner}}}
    place = "/fields/tool_calls/content_args/value_parser/args/value_parser/name"
    assert places(call(content="kv-lines", content_args=arguments)) == [("LT506", place)]


def test_a_group_of_the_closer() -> None:
    del_close = {key: value for key, value in CALLS.items() if key != "close"}
    transform = {"type": "function", "function": {"name": "{n}", "arguments": "{content}"}}
    field = {**del_close, "close_pattern": r"</(?P<n>\w+)>", "transform": transform}
    (finding,) = found(template(tool_calls=field), "LT507")
    assert finding.pointer == "/fields/tool_calls/transform/function/name"
    assert "a group of the closer, is not filled by transformers before 5.24" in finding.message
    del field["open"]
    (finding,) = found(template(tool_calls={**field, "open_pattern": "<(?P<n>call)>"}), "LT507")
    assert "a group of the closer, is taken from the opener by" in finding.message


def test_groups_of_the_opener_and_the_content_are_read_alike() -> None:
    transform = {"function": {"name": "{n}", "arguments": "{content}"}}
    field = {"open_pattern": "<(?P<n>call)>", "close_pattern": "</(?P<content>call)>"}
    spec = template(tool_calls={**field, "repeats": True, "transform": transform})
    assert places(spec, "LT507") == []


@pytest.mark.parametrize("value", [True, False])
def test_bare_keys(value: bool) -> None:
    rules = places(call(content_args={"unquoted_keys": value}))
    place = "/fields/tool_calls/content_args/unquoted_keys"
    assert rules == ([("LT508", place)] if value else [])


@pytest.mark.parametrize(
    ("value_parser", "is_other"),
    [({"name": "json"}, True), ({"name": "int"}, False), ({}, False), (None, False)],
)
def test_merged_values(value_parser: Any, is_other: bool) -> None:
    arguments = {
        "tag_pattern": "<(?P<key>a)>(?P<value>.*?)</a>",
        "merge_duplicates": True,
        "value_parser": value_parser,
    }
    rules = places(call(content="xml-inline", content_args=arguments))
    place = "/fields/tool_calls/content_args/merge_duplicates"
    assert rules == ([("LT509", place)] if is_other else [])
    arguments["merge_duplicates"] = False
    assert places(call(content="xml-inline", content_args=arguments)) == []


def test_paths() -> None:
    arguments = ["{content}", "{content.a}", "{a. b}", "a.b"]
    transform = {"function": {"name": "{content.name}", "arguments": arguments}}
    pointer = "/fields/tool_calls/transform/function"
    assert places(call(transform=transform)) == [
        ("LT510", f"{pointer}/name"),
        ("LT510", f"{pointer}/arguments/1"),
    ]


# -- LT511 and LT512: patterns, as vllm-rs 0.33.0 was seen to take or refuse them


def with_pattern(role: str, pattern: str) -> dict[str, Any]:
    """A template with the pattern in it. Its named groups, if any, are used."""
    transform = {"transform": CALL} if "<" in pattern and "(?" in pattern else {}
    if role == "start anchor":
        return {"start_anchor_pattern": pattern, "fields": {"content": {}}}
    if role == "tag":
        return call(content="xml-inline", content_args={"tag_pattern": pattern})
    field = {"repeats": True, **transform}
    if role == "open":
        return template(tool_calls={"open_pattern": pattern, "close": "</call>", **field})
    return template(tool_calls={"open": "<call>", "close_pattern": pattern, **field})


ROLES = [
    (role, outcome, RUST[role][outcome]["patterns"]) for role in RUST for outcome in RUST[role]
]
MEASURED = [(role, outcome, pattern) for role, outcome, all in ROLES for pattern in all]


@pytest.mark.parametrize(("role", "outcome", "pattern"), MEASURED)
def test_patterns_for_rust(role: str, outcome: str, pattern: str) -> None:
    rules = {finding.rule for finding in found(with_pattern(role, pattern), "LT511", "LT512")}
    assert bool(rules) == (outcome == "refused")


def test_there_are_measured_patterns() -> None:
    assert len(MEASURED) > 150


@pytest.mark.parametrize(
    ("pattern", "what", "rest"),
    [
        (r"<a>|(?=<b>)", "look-around", "(?=<b>)"),
        (r"<(a)>\1", "a backreference", r"\\1"),
        (r"<a>(?>b|bc)", "an atomic group", "(?>"),
        (r"<a>\Z", r"\Z", r"\\Z"),
        (r"<a>\m", r"\m", r"\\m"),
        (r"<a>[b\h]", r"\h", r"\\h"),
        (r"<a>{", "{ without a number after it", "{"),
        (r"<a>[b[c]", "[ in a set", "[c]"),
        (r"<a>(?#b)", "a comment", "(?#b)"),
    ],
)
def test_the_place_in_a_pattern(pattern: str, what: str, rest: str) -> None:
    (finding,) = found(with_pattern("close", pattern), "LT511")
    assert finding.message == f"{what} in a pattern is refused by vLLM 0.33 (Rust frontend)"
    assert caret(finding).startswith(rest)


def test_a_kind_is_told_once_a_pattern() -> None:
    assert len(found(with_pattern("close", "<a>(?=b)|<b>(?=c)"), "LT511")) == 1


def test_the_place_of_a_wide_start() -> None:
    (finding,) = found(with_pattern("close", r"<a>|^\s+"), "LT512")
    assert caret(finding).startswith(r"\\s+")
    assert found(with_pattern("close", r"\s*(?=<a>)"), "LT512") == []  # LT511


# -- LT513 and LT514: see tests/differential/test_lint_chunks.py


def test_the_place_of_the_end() -> None:
    (finding,) = found(with_pattern("close", r"(?:<a>|$)\s*"), "LT513")
    assert caret(finding).startswith("$")
    assert finding.message.startswith(f"streamed by transformers 5.24, {PYTHON_SERVERS}")


def test_the_place_of_an_optional_end() -> None:
    (finding,) = found(with_pattern("close", r"<a>(?:<b>)?\s*"), "LT514")
    assert caret(finding).startswith("<b>)?")


def test_literals_one_in_the_other() -> None:
    (finding,) = found(template(tool_calls={**CALLS, "close": ["</call>", "</call></a>"]}), "LT514")
    assert '"</call>" is found before "</call></a>" has arrived' in finding.message
    assert caret(finding).startswith("[")


# -- LT515


def test_the_dialect() -> None:
    spec = {"dialect": "extended-1", **template(reasoning=THINKING)}
    (finding,) = found(spec)
    assert (finding.rule, finding.pointer) == ("LT515", "/dialect")
    assert caret(finding).startswith('"dialect"')
