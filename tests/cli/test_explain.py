"""`chatc explain` says what a parser watches for, and what a stream waits for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from compiler.backends.python.slow_tags import slow_tag_parts
from compiler.cli.held import held_for
from compiler.delimiters.pattern import literals_node, parse_pattern
from tests.cli.small_model import TINY, Chatc, write_model


@pytest.mark.parametrize(
    ("pattern", "phrases"),
    [
        (r"</think>\s*", [r"from any beginning of </think>, then while \s follows"]),
        (r"(?=.*?</x>)", ["until it is known whether .*?</x> follows"]),
        (
            r"<a>\s*<f=(?P<n>\w+)>",
            [
                r"from any beginning of <a>, then while \s follows, then up to "
                r"<f=, then while \w follows, then up to >"
            ],
        ),
        (
            r"(?:<a>|<bc>)\s*|$",
            [
                r"from any beginning of <a> or <bc>, then while \s follows",
                "until the text goes on or ends",
            ],
        ),
        (r"^\s+|x", [r"at the start of the text only, then while \s follows"]),
        (r"ab(?:cd)?", ["from any beginning of ab, then until it is known whether cd follows"]),
        (r"(?<=a)bc", ["only where a stands before, then from any beginning of bc"]),
        (r"to=.*?<m>", ["from any beginning of to=, then over any text, then up to <m>"]),
        (r"a.*", ["from a, then to the end of the text"]),
        (r"ab\s*?|ab", ["from any beginning of ab"]),
        (r"(?i:end)", ["from any beginning of (?i:end)"]),
        (r"<(?:\w+\s)+>", [r"from <, then until (?:\w+\s)+ is complete, then up to >"]),
        (r"(?:a\[|,\s*)n\(", [r"from any beginning of a\[|,\s*, then up to n("]),
        (r"x", []),
    ],
)
def test_what_is_held(pattern: str, phrases: list[str]) -> None:
    assert list(held_for(parse_pattern(pattern))) == phrases


def test_what_is_held_for_literals() -> None:
    assert held_for(literals_node((">",))) == ()
    assert held_for(literals_node(("<b\n", "<abc"))) == (r"from any beginning of <abc or <b\n",)


def explained(chatc: Chatc, **fields: Any) -> dict[str, Any]:
    template = json.loads(json.dumps(TINY))
    template["fields"] |= fields
    write_model("tiny", template)
    ran = chatc("explain", "tiny", "--json")
    assert ran.code == 0
    result: dict[str, Any] = ran.json
    return result


def test_states(tiny: Path, chatc: Chatc) -> None:
    ran = chatc("explain", "tiny")
    assert (ran.code, ran.err) == (0, "")
    assert "tiny: starts after the last <bot> of the prefix\n" in ran.out
    assert (
        "\nin_thinking: text of thinking\n"
        "  </think>\\s*  closes thinking -> in_content\n"
        "      held back from any beginning of </think>, then while \\s follows\n"
        "      while held, nothing is decided while \\s follows\n"
    ) in ran.out


def test_data(chatc: Chatc) -> None:
    data = explained(chatc)
    assert data["model"] == "tiny"
    assert [state["name"] for state in data["states"]] == [
        "in_content",
        "in_thinking",
        "in_tool_calls",
    ]
    watches = data["states"][0]["watches"]
    assert [(watch["shown"], watch["role"], watch["next"]) for watch in watches] == [
        ("<think>", "open", "in_thinking"),
        ("<call>", "open", "in_tool_calls"),
        ("<end>", "close", "in_content"),
    ]
    assert watches[0]["pointer"] == "/fields/thinking/open"
    assert data["needs_regex"] == []


def test_ties_name_the_winner_first(chatc: Chatc) -> None:
    another = {"open_pattern": "<t\\w+>", "close": "</x>"}
    data = explained(chatc, another=another, content={"close_pattern": "<cal+>"})
    assert data["states"][0]["ties"] == [["<t\\w+>", "<think>"], ["<call>", "<cal+>"]]
    line = "  <call> and <cal+> may match at one place: the longer wins, <call> if equal\n"
    assert line in chatc("explain", "tiny").out


def test_reasons(chatc: Chatc) -> None:
    data = explained(
        chatc,
        thinking={"open_pattern": "(?<=\\n)<(?i:think)>", "close_pattern": "a\\S*\\S*b"},
    )
    opener = data["states"][0]["watches"][0]
    assert (opener["engine"], opener["engine_reason"]) == ("regex", "letter case is ignored")
    assert opener["context"] == 1
    assert data["needs_regex"] == [["(?<=\\n)<(?i:think)>", "letter case is ignored"]]
    slow, *_ = data["states"][1]["watches"][0]["slow"]
    assert slow == "a loop that a match may start inside of: \\S*"
    text = chatc("explain", "tiny").out
    assert "found with the regex package: letter case is ignored\n" in text
    assert "looks back at 1 character\n" in text
    assert f"may take more than linear time: {slow}\n" in text


def test_content_patterns_may_need_regex_too(chatc: Chatc) -> None:
    tag = "<(?P<key>\\w++)>(?P<value>.*?)</>"
    inner = {"name": "xml-inline", "args": {"tag_pattern": tag}}
    call = {"open": "<c>", "close": "</c>", "content": "kv-lines"}
    data = explained(chatc, tool_calls={**call, "content_args": {"value_parser": inner}})
    assert data["needs_regex"] == [[tag, "an atomic group or possessive quantifier"]]


def test_control_characters_are_shown_escaped(chatc: Chatc) -> None:
    explained(chatc, **{"evil\x1b[2J": {"open_pattern": "a.*?\n\n", "close": "\n"}})
    out = chatc("explain", "tiny").out
    assert "text of evil\\x1b[2J\n" in out
    assert "nothing is decided until \\n\\n comes\n" in out
    assert "\x1b" not in out


def test_slow_parts_are_shown(chatc: Chatc) -> None:
    data = explained(chatc, thinking={"open": "<t>", "close_pattern": "x(?=.*?<end)|y"})
    (slow,) = data["states"][1]["watches"][0]["slow"]
    assert slow.endswith(": (?=.*?<end)")


def reasons(pattern: str) -> list[str]:
    slow = slow_tag_parts(parse_pattern(pattern))
    return [f"{each.reason}: {pattern[slice(*each.span)]}" for each in slow]


@pytest.mark.parametrize(
    "pattern",
    [
        r"<p (?P<key>\w+)>\s*(?P<value>.*?)\s*</p>",
        r"<(?P<key>.*?)=(?P<value>.*?)>",
        r"<k>(?P<key>[^<]+)</k>\s*(?:<v>)?(?P<value>.*?)(?:</v>|\Z)",
        r"<p=(?P<key>[^<>]+)>\n?(?P<value>.*?)\n?(?:</p>(?=\s*(?:<p=|(?:</f>\s*)?\Z))|\Z)",
        r"<p=(?P<key>[^<>\n]+)>(\n?)(?P<value>.*?)(?:\2(?:</p>|(?=<p=))|\n?\Z)",
        r'<p k="(?P<key>[^"]*)"(?: t="(?P<type>\w+)")?(?:/>|>(?P<value>[^<]*)</p>)',
    ],
)
def test_tags_that_are_found_in_linear_time(pattern: str) -> None:
    assert reasons(pattern) == []


@pytest.mark.parametrize(
    ("pattern", "slow"),
    [
        (r"<p=(?P<key>[^>]+)>(?P<value>.*?)</p>", "[^>]+"),
        (r"<k>(?P<key>.*?)</k>(?P<value>.*?)(?:</v>|\Z)", ".*?"),
        (r"<(?P<key>\w+)>(?P<value>.*?)\s*(?:</p>|\Z)", r"\s*"),
        (r"\s*<(?P<key>\w+)>(?P<value>.*?)</p>", r"\s*"),
        (r"<(?P<key>\w+)>(?P<value>.*?)(?:</p>(?=[^/]*/)|\Z)", r"(?=[^/]*/)"),
        (r"<(?P<key>\w+)>(?P<value>.*?)</(?P=key)>", "(?P=key)"),
        (r"<(?P<key>\w+)>(?P<value>(?<=A>).*?(?=</A>)|.*?(?=</p>))(?:</A>|</p>)", ".*?"),
    ],
)
def test_tags_that_may_take_more(pattern: str, slow: str) -> None:
    assert any(reason.endswith(f": {slow}") for reason in reasons(pattern))


def test_slow_tag_patterns_are_named(chatc: Chatc) -> None:
    slow = "<p=(?P<key>[^>]+)>(?P<value>.*?)</p>"
    inner = {"name": "xml-inline", "args": {"tag_pattern": slow}}
    call = {"open": "<c>", "close": "</c>", "content": "kv-lines"}
    data = explained(chatc, tool_calls={**call, "content_args": {"value_parser": inner}})
    reason = "a loop that a match may start inside of: [^>]+"
    assert data["slow_tags"] == {slow: [reason]}
    lines = f"  finds tags by {slow}\n      may take more than linear time: {reason}\n"
    assert lines in chatc("explain", "tiny").out


def test_a_region_without_closer(chatc: Chatc) -> None:
    explained(chatc, content={"open": "<rest>"})
    out = chatc("explain", "tiny").out
    assert "between_regions: text is dropped\n" in out
    assert "in_content: text of content\n  runs to the end of the text\n" in out


def test_captures(chatc: Chatc) -> None:
    call = {
        "open_pattern": "<(?P<name>\\w+)>",
        "close": "</c>",
        "transform": {"name": "{name}", "text": "{content}"},
    }
    data = explained(chatc, tool_calls=call)
    assert data["states"][0]["watches"][1]["captures"] == ["name"]
    assert "captures name\n" in chatc("explain", "tiny").out


def test_mistakes_and_unknown_models(tiny: Path, chatc: Chatc) -> None:
    write_model("bad", {"start_anchor": "A", "fields": {}})
    ran = chatc("explain", "bad")
    assert (ran.code, ran.out) == (1, "")
    assert "error[" in ran.err
    as_json = chatc("explain", "bad", "--json")
    assert (as_json.code, as_json.err) == (1, ran.err)
    assert [each["rule"] for each in as_json.json["diagnostics"]] == ["RT105"]
    assert chatc("explain", "nope").code == 2
    assert chatc("explain", "grammars").code == 2
    assert chatc("explain", "grammars/tiny").out == chatc("explain", "tiny").out
