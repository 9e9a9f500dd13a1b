from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.content.xml_tree import parse_xml_tree

NS = "]<]minimax[>["

texts = st.text(st.sampled_from("ab<>/ \n]["), max_size=8).filter(lambda text: NS not in text)
names = st.text(st.sampled_from("abcxyz_-. "), min_size=1).filter(
    lambda name: name != "item" and not name[0].isspace()
)
trees = st.dictionaries(
    names,
    st.recursive(
        texts,
        lambda inner: (st.lists(inner, min_size=1) | st.dictionaries(names, inner, min_size=1)),
        max_leaves=15,
    ),
)


def written(value: Any, space: str) -> str:
    """As MiniMax M3's chat template writes it, with white space where it does not matter."""
    if isinstance(value, str):
        return value
    items = value.items() if isinstance(value, dict) else (("item", each) for each in value)
    return (
        space
        + space.join(f"{NS}<{name}>{written(each, space)}{NS}</{name}>" for name, each in items)
        + space
    )


@given(trees, st.sampled_from(["", "\n", " \t"]))
def test_what_was_written_is_read(tree: dict[str, Any], space: str) -> None:
    assert parse_xml_tree(written(tree, space), tag_prefix=NS, item_tag="item") == tree


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("", {}),
        (" \n", {}),
        ("<a> x </a>", {"a": " x "}),
        ("<a></a>", {"a": ""}),
        ("<a><b>1</b></a>", {"a": {"b": "1"}}),
        ("<a><item>1</item></a>", {"a": ["1"]}),
        ("<a><item>1</item><b>2</b></a>", {"a": {"item": "1", "b": "2"}}),
        ("<item>1</item>", {"item": "1"}),
        ("<a>1</a><a>2</a><b>3</b>", {"a": ["1", "2"], "b": "3"}),
        ("<a><b>1</b><b>2</b></a>", {"a": {"b": ["1", "2"]}}),
        ("<a>1 < 2, <>, < b>, a/b></a>", {"a": "1 < 2, <>, < b>, a/b>"}),
    ],
)
def test_elements(body: str, value: Any) -> None:
    assert parse_xml_tree(body, item_tag="item") == value


def test_without_an_item_tag_there_are_only_repeated_names() -> None:
    assert parse_xml_tree("<a><item>1</item></a>") == {"a": {"item": "1"}}


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("<a>", "'a' is not closed"),
        ("</a>", "closes nothing"),
        ("<a><b></a></b>", "closes nothing"),
        ("<a>x<b>1</b></a>", "text next to elements: 'x'"),
        ("<a><b>1</b>x</a>", "text next to elements: 'x'"),
        ("x<a></a>", "text next to elements: 'x'"),
        ("<a></a>x", "text next to elements: 'x'"),
    ],
)
def test_what_is_no_tree(body: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_xml_tree(body)


def test_depth_is_limited() -> None:
    assert parse_xml_tree("<a>" * 100 + "</a>" * 100)
    with pytest.raises(ValueError, match="more than 100"):
        parse_xml_tree("<a>" * 101 + "</a>" * 101)
    with pytest.raises(ValueError, match="more than 100"):
        parse_xml_tree("<a>" * 300_000)


@pytest.mark.parametrize("piece", ["<", "<a", "<a></a>", "<a>x</a>", ">", "</", " "])
def test_reading_takes_linear_time(piece: str) -> None:
    """Of quadratic time this much text would take minutes."""
    body = f"<b>{piece * (200_000 // len(piece))}"
    with pytest.raises(ValueError):
        parse_xml_tree(body)
    for prefix in ("<", NS):
        with pytest.raises(ValueError):
            parse_xml_tree(f"{prefix}<b>{body}", tag_prefix=prefix)
