from __future__ import annotations

from typing import Any

import pytest

from runtime.transform import (
    Scope,
    TransformError,
    UndefinedPlaceholder,
    descend,
    each_scope,
    join_text,
)


def test_a_scope_gives_what_it_holds() -> None:
    assert Scope({"name": "f"})["name"] == "f"


@pytest.mark.parametrize(
    ("scope", "message"),
    [
        ({"b": 1, "a": 2}, "placeholder {name} is not defined; defined are: a, b"),
        ({}, "placeholder {name} is not defined; defined are: none"),
    ],
)
def test_a_missing_name_is_a_readable_key_error(scope: dict[str, Any], message: str) -> None:
    with pytest.raises(UndefinedPlaceholder) as caught:
        Scope(scope)["name"]
    assert isinstance(caught.value, KeyError)
    assert str(caught.value) == message


def test_descending_follows_keys() -> None:
    content = {"call": {"args": {"a": 1}}}
    assert descend(content, "content.call.args") is content["call"]["args"]
    assert descend(content, "content.call.args.a") == 1
    assert descend(content, "content") is content


@pytest.mark.parametrize(
    ("root", "path", "message"),
    [
        ({"b": 1, "a": 2}, "content.args", "{content.args}: no 'args' in a dict with: a, b"),
        ({"a": "text"}, "content.a.b", "{content.a.b}: no 'b' in str"),
        ([1], "content.a", "{content.a}: no 'a' in list"),
        (None, "content.a.b", "{content.a.b}: no 'a' in null"),
        (3, "content.a", "{content.a}: no 'a' in int"),
    ],
)
def test_a_path_that_leads_nowhere_is_an_error(root: Any, path: str, message: str) -> None:
    with pytest.raises(TransformError) as caught:
        descend(root, path)
    assert isinstance(caught.value, ValueError)
    assert str(caught.value) == f"placeholder {message}"


def test_messages_stay_short() -> None:
    with pytest.raises(TransformError) as caught:
        descend({f"key{number}": number for number in range(10_000)}, "content.args")
    assert len(str(caught.value)) < 300


def test_each_item_wins_over_captures() -> None:
    scopes = list(each_scope([{"a": 1}, {"b": 2}], {"a": "x", "c": "y"}))
    assert scopes == [{"a": 1, "c": "y"}, {"a": "x", "b": 2, "c": "y"}]
    with pytest.raises(UndefinedPlaceholder):
        scopes[0]["b"]


def test_each_scope_leaves_items_and_captures_alone() -> None:
    item, captures = {"a": 1}, {"c": "y"}
    (scope,) = each_scope([item], captures)
    scope["new"] = 1
    assert (item, captures) == ({"a": 1}, {"c": "y"})


def test_each_scope_needs_a_list_of_dicts() -> None:
    with pytest.raises(TransformError, match="needs a list, not dict"):
        list(each_scope({"a": 1}, {}))
    with pytest.raises(TransformError, match="item 1 is null"):
        list(each_scope([{}, None], {}))


def test_each_scope_reaches_a_bad_item_only_after_the_good_ones() -> None:
    scopes = each_scope([{"a": 1}, 2], {})
    assert next(scopes) == {"a": 1}
    with pytest.raises(TransformError):
        next(scopes)


def test_join_takes_text_only() -> None:
    assert join_text("a") == "a"
    with pytest.raises(TransformError, match="join needs a string, not list"):
        join_text(["a"])
