from __future__ import annotations

import re
from typing import Any
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler import compile_template
from compiler.delimiters.derive import content_pattern
from compiler.delimiters.pattern import parse_pattern
from runtime.content.integer import parse_int
from runtime.content.json_text import parse_json
from runtime.content.xml_inline import find_tag_parts, find_tags
from runtime.content.xml_tags import parse_tags, parse_typed_tags, unescape_xml

TAG = re.compile('<p k="(?P<key>[^"]*)"(?: t="(?P<type>[^"]*)")?(?:/>|>(?P<value>.*?)</p>)', re.S)
TYPES = {"string": None, "*": parse_json}

# What docs/dialect.md recommends where a model forgets closing tags.
LINES = (
    r"<parameter=(?P<key>[^>\n]+)>(\n?)(?P<value>.*?)(?:\2(?:</parameter>|(?=<parameter=))|\n?\Z)"
)
PAIRS = (
    r"<arg_key>(?P<key>[^<]*)</arg_key>\s*(?:<arg_value>)?(?P<value>.*?)" r"(?:</arg_value>|\n?\Z)"
)


def tags(body: str, **options: Any) -> dict[str, Any]:
    return parse_tags(find_tags(body, TAG), **options)


def typed(body: str, **options: Any) -> tuple[dict[str, Any], frozenset[str]]:
    return parse_typed_tags(find_tags(body, TAG), TYPES, **options)


def test_tags_become_entries() -> None:
    assert tags('<p k="a"> 1 </p>x<p k="b"/>') == {"a": " 1 ", "b": ""}
    assert tags('<p k="a">1</p>', value=parse_int) == {"a": 1}
    assert tags('<p k="a">1</p><p k="a">2</p>') == {"a": "2"}
    merged = tags('<p k="a">1</p><p k="b">2</p><p k="a">3</p>', merge_duplicates=True)
    assert merged == {"a": ["1", "3"], "b": "2"}


def test_parts_are_found_as_well() -> None:
    found = find_tag_parts("<a>1</a><b>2</b>", re.compile("<(?P<key>.)>"), PARTS)
    assert parse_tags(found) == {"a": "1", "b": "2"}


PARTS = [("value", None, re.compile("</.>"))]


def test_a_type_makes_the_value() -> None:
    body = '<p k="a" t="string"> 7 </p><p k="b" t="int">7</p><p k="c" t="">[1]</p><p k="d">7</p>'
    assert typed(body) == ({"a": " 7 ", "b": 7, "c": [1], "d": "7"}, {"a", "b", "c"})
    assert typed(body, value=parse_int)[0]["d"] == 7


def test_the_last_of_equal_keys_says_whether_it_has_a_type() -> None:
    assert typed('<p k="a" t="int">1</p><p k="a">2</p>') == ({"a": "2"}, frozenset())
    assert typed('<p k="a">1</p><p k="a" t="int">2</p>') == ({"a": 2}, {"a"})


def test_a_value_that_is_not_of_its_type_is_an_error() -> None:
    with pytest.raises(ValueError, match="not JSON"):
        typed('<p k="a" t="int">x</p>')


def test_an_unknown_type_is_an_error() -> None:
    with pytest.raises(ValueError, match="no type 'int'"):
        parse_typed_tags(find_tags('<p k="a" t="int">1</p>', TAG), {"string": None})


def test_a_tag_without_a_key_is_an_error() -> None:
    with pytest.raises(ValueError, match="'key'"):
        parse_tags(find_tags("<a>", re.compile("<(?P<key>b)?a>")))


def test_keys_and_types_are_unescaped_but_values_are_not() -> None:
    body = '<p k="q&amp;a" t="st&#114;ing">&lt;</p><p k="say &quot;hi&quot;">&amp;</p>'
    assert typed(body, unescape=True) == (
        {"q&a": "&lt;", 'say "hi"': "&amp;"},
        {"q&a"},
    )
    assert list(tags(body)) == ["q&amp;a", "say &quot;hi&quot;"]


def test_a_name_in_the_opener_is_unescaped_like_the_keys() -> None:
    field = {
        "open_pattern": '<f n="(?P<name>[^"]*)">',
        "close": "</f>",
        "content": "xml-inline",
        "content_args": {"tag_pattern": TAG.pattern, "unescape": "xml"},
        "transform": {"name": "{name|content.n}", "function": {"name": "{name}"}},
    }
    spec = {"dialect": "extended-1", "start_anchor": "A", "fields": {"call": field}}
    message = compile_template(spec).parse('<f n="a&amp;b"><p k="n">&lt;</p></f>', prefix="")
    assert message["call"] == {"name": "a&b", "function": {"name": "a&b"}}


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("&lt;&gt;&amp;&quot;&apos;&#65;&#x1F600;", "<>&\"'A😀"),
        ("&amp;lt;", "&lt;"),
        (
            "& &; &copy; &amp &#x110000; &#9999999; &#;",
            "& &; &copy; &amp &#x110000; &#9999999; &#;",
        ),
    ],
)
def test_entities(text: str, plain: str) -> None:
    assert unescape_xml(text) == plain


@given(st.text())
def test_what_xml_escapes_is_unescaped(text: str) -> None:
    assert unescape_xml(escape(text, {'"': "&quot;", "'": "&apos;"})) == text


def by_pattern(pattern: str, body: str) -> dict[str, Any]:
    derived = content_pattern(parse_pattern(pattern))
    assert derived.engine == "re"
    compiled = re.compile(eval(derived.final.source(), SPACES), re.DOTALL)
    return parse_tags(find_tags(body, compiled, derived.ends_with))


SPACES = {"SPACE": r"\s"}


def test_a_closer_at_the_start_of_a_line_only() -> None:
    body = (
        "\n<parameter=a>\nx </parameter> <parameter=z> y\n\n</parameter>\n"
        "<parameter=b>1</parameter>\n<parameter=c>\n  2\n<parameter=d>\n{}\n"
    )
    assert by_pattern(LINES, body) == {
        "a": "x </parameter> <parameter=z> y\n",
        "b": "1",
        "c": "  2",
        "d": "{}",
    }


def test_pairs_that_are_not_closed() -> None:
    body = (
        "<arg_key>a</arg_key><arg_value>in <arg_key> </arg_value>\n"
        "<arg_key>b</arg_key>\n1</arg_value><arg_key>c</arg_key><arg_value> 2"
    )
    assert by_pattern(PAIRS, body) == {"a": "in <arg_key> ", "b": "1", "c": " 2"}


@pytest.mark.parametrize("pattern", [LINES, PAIRS])
@pytest.mark.parametrize(
    "piece", ["<parameter=a>\n", "<parameter=a>", "\n", "<arg_key>a</arg_key>", "<arg_key>", "x"]
)
def test_finding_tags_that_are_not_closed_takes_linear_time(pattern: str, piece: str) -> None:
    """Of quadratic time this much text would take minutes."""
    by_pattern(pattern, piece * (200_000 // len(piece)))


def test_of_merged_values_each_says_whether_it_has_a_type() -> None:
    body = '<p k="a" t="string">1</p><p k="a">2</p><p k="b" t="int">1</p><p k="b" t="int">2</p>'
    entries = {"a": ["1", "2"], "b": [1, 2]}
    assert typed(body, merge_duplicates=True) == (entries, {("a", 0), "b"})
    assert typed('<p k="a">1</p><p k="a" t="int">2</p>', merge_duplicates=True)[1] == {("a", 1)}
