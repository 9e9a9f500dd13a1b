from __future__ import annotations

from typing import Any

import pytest

from runtime.transform import (
    ABSENT,
    Scope,
    TransformError,
    UndefinedPlaceholder,
    descend,
    each_scope,
    first_of,
    join_text,
    require_call,
    without_absent,
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


def test_the_first_that_is_there_counts() -> None:
    content = {"a": {"b": 1}, "none": None, "text": "x"}
    scope = {"content": content, "name": "f"}
    assert first_of(scope, "content.b", "content.a.b", "name") == 1
    assert first_of(scope, "content.a") is content["a"]
    assert first_of(scope, "id", "content.none", "name") is None  # null is there
    assert first_of(scope, "content.text.x", "content.a.b.c", "name") == "f"
    assert first_of(Scope(scope), "id", "name") == "f"


def test_where_none_is_there() -> None:
    assert first_of({}, "a", "b.c", otherwise=[{}]) == {}
    assert first_of({}, "a", otherwise=[None]) is None
    assert first_of({}, "a", otherwise=[ABSENT]) is ABSENT
    with pytest.raises(UndefinedPlaceholder) as caught:
        first_of({"x": 1}, "a", "b.c")
    assert str(caught.value) == "placeholder {a|b.c}: none is there; defined are: x"


def test_what_is_absent_is_left_out() -> None:
    assert without_absent({"a": ABSENT, "b": None, "c": [ABSENT]}) == {"b": None, "c": [ABSENT]}
    assert without_absent([ABSENT, 0, ABSENT, ""]) == [0, ""]


@pytest.mark.parametrize("arguments", [{}, {"a": None}])
def test_a_call_has_a_name_and_arguments(arguments: dict[str, Any]) -> None:
    require_call({"type": "function", "function": {"name": "f", "arguments": arguments}, "id": 1})


@pytest.mark.parametrize(
    ("function", "message"),
    [
        ({"name": "f", "arguments": '{"a": 1}'}, "an object, not str"),
        ({"name": "f", "arguments": [1]}, "an object, not list"),
        ({"name": "f", "arguments": 5}, "an object, not int"),
        ({"name": "f", "arguments": None}, "an object, not null"),
        ({"name": "f"}, "an object, not null"),
        ({"name": "", "arguments": {}}, "a name, not empty text"),
        ({"name": None, "arguments": {}}, "a name, not null"),
        ({"name": 5, "arguments": {}}, "a name, not int"),
        ({"name": ["f"], "arguments": {}}, "a name, not list"),
        ({"arguments": {}}, "a name, not null"),
        ("f", "a function, not str"),
    ],
)
def test_what_is_no_call(function: Any, message: str) -> None:
    with pytest.raises(TransformError, match=message):
        require_call({"function": function})
