from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
import regex

from runtime.content.integer import parse_int
from runtime.content.kv_lines import parse_kv_lines
from runtime.content.text import parse_text
from runtime.content.xml_inline import (
    parse_xml_inline,
    parse_xml_parts,
    trim_newline,
    trim_space,
)
from runtime.unicode_classes import SPACE

TAG = re.compile(r"<p=(?P<key>\w+)>(?P<value>.*?)</p>", re.DOTALL)
OPENER = re.compile(r"<p=(?P<key>\w+)>")
CLOSER = re.compile("</p>")

Tags = Callable[..., dict[str, Any]]


def by_pattern(body: str, **options: Any) -> dict[str, Any]:
    return parse_xml_inline(body, TAG, "</p>", **options)


def by_parts(body: str, **options: Any) -> dict[str, Any]:
    return parse_xml_parts(body, OPENER, [("value", None, CLOSER)], **options)


both = pytest.mark.parametrize("tags", [by_pattern, by_parts])


@both
@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("", {}),
        ("no tags", {}),
        ("<p=a>1</p> and <p=b>\n2\n</p>", {"a": "1", "b": "\n2\n"}),
        ("<p=a></p>", {"a": ""}),
        ("<p=a>1<p=b>2</p>", {"a": "1<p=b>2"}),
        ("<p=a>1</p><p=b>2", {"a": "1"}),
        ("</p><p=a>1</p>", {"a": "1"}),
        ("<p=a>1</p><p=b>2</p><p=a>3</p>", {"a": "3", "b": "2"}),
    ],
)
def test_tags_become_entries(tags: Tags, body: str, value: dict[str, str]) -> None:
    result = tags(body)
    assert result == value
    assert list(result) == list(value)


@both
def test_merged_duplicates_become_a_list(tags: Tags) -> None:
    body = "<p=a>1</p><p=b>2</p><p=a>3</p><p=a>4</p>"
    assert tags(body, merge_duplicates=True) == {"a": ["1", "3", "4"], "b": "2"}
    assert tags(body, merge_duplicates=True, value=lambda text: [text])["b"] == ["2"]


@both
def test_values_go_through_the_value_parser(tags: Tags) -> None:
    assert tags("<p=a> 1 </p>", value=parse_int) == {"a": 1}
    with pytest.raises(ValueError):
        tags("<p=a>x</p>", value=parse_int)


def test_a_pattern_without_a_value_group_gives_empty_texts() -> None:
    assert parse_xml_inline("<a><b>", re.compile("<(?P<key>.)>")) == {"a": "", "b": ""}


def test_a_value_group_that_took_no_part_gives_none() -> None:
    tag = re.compile("<(?P<key>.)(?:=(?P<value>.))?>")
    assert parse_xml_inline("<a=1><b>", tag) == {"a": "1", "b": None}
    with pytest.raises(AttributeError):
        parse_xml_inline("<b>", tag, value=parse_text)


@pytest.mark.parametrize("pattern", ["<(?P<value>.)>", "<(?P<key>x)?(?P<value>.)>"])
def test_a_tag_without_a_key_is_an_error(pattern: str) -> None:
    with pytest.raises(ValueError, match="'key'"):
        parse_xml_inline("<a>", re.compile(pattern))
    assert parse_xml_inline("a", re.compile(pattern)) == {}


def test_a_key_may_be_empty() -> None:
    assert parse_xml_inline("<=1>", re.compile("<(?P<key>.?)=(?P<value>.)>")) == {"": "1"}


def test_patterns_of_the_regex_package_do_as_well() -> None:
    tag = regex.compile(r"<p=(?P<key>\w++)>(?P<value>.*?)</p>", regex.DOTALL)
    assert parse_xml_inline("<p=a>1</p>", tag, "</p>") == {"a": "1"}


def test_trims_drop_what_the_pattern_would_have_matched() -> None:
    assert trim_space("a \n\u3000") == "a"
    assert trim_space("a\x1c ") == "a\x1c"
    assert trim_newline("a\n\n") == "a\n"
    assert trim_newline("a ") == "a "


def test_trim_space_knows_every_space_of_the_class() -> None:
    spaces = re.findall(f"[{SPACE}]", "".join(map(chr, range(0x110000))))
    assert trim_space("a" + "".join(spaces)) == "a"
    others = [chr(code) for code in range(0x300) if chr(code) not in spaces]
    assert trim_space("".join(others)) == "".join(others)


def test_parts_may_name_the_key_as_well() -> None:
    parts = [
        ("key", trim_space, re.compile("</k>[ \n]*<v>")),
        ("value", trim_newline, re.compile("</v>")),
    ]
    body = "<k> a </k>\n<v>1\n</v><k>b</k>x</k><v>2</v> <k>c</k><v>3"
    assert parse_xml_parts(body, re.compile("<k>[ \n]*"), parts) == {"a": "1", "b</k>x": "2"}


def test_a_closer_may_have_groups() -> None:
    parts = [("value", None, re.compile(r"</(?P<key>\w)>"))]
    assert parse_xml_parts("<1</a><2</b>", re.compile("<"), parts) == {"a": "1", "b": "2"}


def test_lines_become_entries() -> None:
    body = "name: alice\n\nage : 30 : x\nno separator\n name:bob \n"
    assert parse_kv_lines(body) == {"name": "bob", "age": "30 : x"}


def test_lines_without_strip_keep_white_space() -> None:
    assert parse_kv_lines(" a : 1 \n", strip=False) == {" a ": " 1 "}


def test_lines_with_other_separators_and_a_value_parser() -> None:
    assert parse_kv_lines("a=1;b==2", line_sep=";", kv_sep="=") == {"a": "1", "b": "=2"}
    assert parse_kv_lines("a: 1\nb: 2", value=parse_int) == {"a": 1, "b": 2}
    with pytest.raises(ValueError):
        parse_kv_lines("a: x", value=parse_int)


def test_a_separator_that_stripping_removes_is_not_there() -> None:
    assert parse_kv_lines("a \nb c", kv_sep=" ") == {"b": "c"}


def test_empty_separators_are_errors() -> None:
    with pytest.raises(ValueError):
        parse_kv_lines("a: 1", line_sep="")
    with pytest.raises(ValueError):
        parse_kv_lines("a: 1", kv_sep="")
    assert parse_kv_lines("\n", kv_sep="") == {}
