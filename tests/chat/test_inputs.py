"""What a template sees of what a caller passes."""

from __future__ import annotations

import subprocess
import sys
from collections import OrderedDict, UserDict
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime.chat import inputs
from runtime.chat.inputs import conversation_messages, plain_data, plain_documents, tool_schemas


class Role(str, Enum):
    USER = "user"


class Level(IntEnum):
    HIGH = 3


class Loud(str):
    def __str__(self) -> str:
        return "changed"

    def shout(self) -> str:
        return self.upper()


@dataclass
class Part:
    type: str
    text: str | None = None


@dataclass
class Turn:
    role: str
    content: Any = None
    parts: list[Part] = field(default_factory=list)


class Dumped:
    """As the message objects of client libraries."""

    def __init__(self, **fields: Any) -> None:
        self.fields = fields

    def model_dump(self) -> dict[str, Any]:
        return self.fields


class DumpedAsMapping(Dumped):
    def model_dump(self) -> Any:
        return UserDict(self.fields)


@pytest.mark.parametrize(
    ("message", "seen"),
    [
        ({"role": "user", "content": None, "x": {"y": None}}, {"role": "user", "x": {"y": None}}),
        (UserDict({"role": "user", "content": None}), {"role": "user"}),
        (OrderedDict(role="user"), {"role": "user"}),
        (MappingProxyType({"role": Role.USER}), {"role": "user"}),
        (Turn("user"), {"role": "user", "parts": []}),
        (
            Turn("user", "a", [Part("text")]),
            {"role": "user", "content": "a", "parts": [{"type": "text", "text": None}]},
        ),
        (Dumped(role="user", content=None, deep=Turn("b")), None),
        (
            {"role": "user", "call": Dumped(a=Dumped(b=1))},
            {"role": "user", "call": {"a": {"b": 1}}},
        ),
        ({"role": "user", 5: 1}, {"role": "user", 5: 1}),
        ({"role": "user", "image": object()}, {"role": "user", "image": "<object>"}),
        ({"role": "user", "gone": Dumped()}, {"role": "user", "gone": {}}),
        (DumpedAsMapping(role="user", content=None), {"role": "user"}),
    ],
)
def test_messages(message: Any, seen: Any) -> None:
    if seen is None:
        seen = {"role": "user", "deep": {"role": "b", "content": None, "parts": []}}
    assert conversation_messages([message]) == [seen]
    assert conversation_messages((message,)) == [seen]
    assert conversation_messages(SimpleNamespace(messages=[message])) == [seen]


@pytest.mark.parametrize("message", ["text", 5, None, ["role"], object])
def test_what_is_no_message(message: Any) -> None:
    with pytest.raises(TypeError, match="Chat messages should be dicts, dataclasses or pydantic"):
        conversation_messages([{"role": "user"}, message])


@pytest.mark.parametrize(
    ("message", "seen"),
    [
        ({"role": "a"}, {"role": "a"}),
        ({"reasoning": "r"}, {"thinking": "r", "reasoning": "r", "reasoning_content": "r"}),
        ({"role": "a", "thinking": "r"}, {"role": "a", "thinking": "r", "reasoning_content": "r"}),
        ({"reasoning_content": "r"}, {"thinking": "r", "reasoning_content": "r"}),
        ({"reasoning": None, "thinking": None}, {}),
        ({"reasoning_content": ""}, {"thinking": "", "reasoning_content": ""}),
    ],
)
def test_reasoning_goes_by_each_name(message: dict[str, Any], seen: dict[str, Any]) -> None:
    assert conversation_messages([message]) == [seen]


def test_where_the_names_of_reasoning_stand() -> None:
    """The order of keys shows where a template prints a message whole."""
    (added,) = conversation_messages([{"role": "a", "reasoning": "r"}])
    assert list(added) == ["thinking", "role", "reasoning", "reasoning_content"]
    (own,) = conversation_messages([{"reasoning_content": "r", "role": "a", "thinking": "t"}])
    assert list(own) == ["thinking", "reasoning_content", "role"]


def test_the_first_reasoning_wins() -> None:
    (found,) = conversation_messages(
        [{"reasoning": "c", "thinking": "b", "reasoning_content": "a"}]
    )
    assert found == {"reasoning": "c", "thinking": "b", "reasoning_content": "a"}
    (found,) = conversation_messages([{"reasoning": "c", "thinking": "b"}])
    assert found == {"reasoning": "c", "thinking": "b", "reasoning_content": "b"}


@pytest.mark.parametrize(
    ("value", "seen"),
    [
        (Loud("a"), "a"),
        (Role.USER, "user"),
        (Level.HIGH, 3),
        (Loud, "<type>"),
        (OrderedDict(a=(1, [True, None, 1.5])), {"a": (1, [True, None, 1.5])}),
        ({Role.USER: 1, (1, Role.USER): 2}, {"user": 1, (1, "user"): 2}),
        ({1, 2}, "<set>"),
        (b"bytes", "<bytes>"),
        (len, "<builtin_function_or_method>"),
        (Turn, "<type>"),
        ([Part("text", Loud("b"))], [{"type": "text", "text": "b"}]),
        (Dumped(a=b""), {"a": "<bytes>"}),
        (iter(()), "<tuple_iterator>"),
    ],
)
def test_plain_data(value: Any, seen: Any) -> None:
    found = plain_data(value)
    assert found == seen
    assert type(found) is type(seen)
    if type(found) is str:
        assert str(found) == seen  # nothing of a subclass is left


@pytest.mark.parametrize("message", [{Role.USER: "a"}, {"b": {Loud("user"): "a"}}])
def test_keys_are_plain_too(message: Any) -> None:
    (seen,) = conversation_messages([message])
    assert exactly(seen) in (exactly({"user": "a"}), exactly({"b": {"user": "a"}}))


def test_containers_are_never_shared_with_the_caller() -> None:
    message = {"role": "user", "content": [{"type": "text", "text": "a"}], "pair": ([1],)}
    (seen,) = conversation_messages([message])
    assert seen == message
    assert seen is not message
    assert seen["content"] is not message["content"]
    assert seen["content"][0] is not message["content"][0]
    assert seen["pair"][0] is not message["pair"][0]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["a", "thinking", "reasoning", "content"]), inner, max_size=3)
    | st.tuples(inner, inner)
    | inner.map(lambda value: OrderedDict(x=value))
    | st.text(max_size=2).map(Loud),
    max_leaves=8,
)


def exactly(value: Any) -> Any:
    """A value with the types inside it and the order of keys."""
    if isinstance(value, dict):
        return type(value), [(exactly(key), exactly(item)) for key, item in value.items()]
    if isinstance(value, (list, tuple)):
        return type(value), [exactly(item) for item in value]
    return type(value), repr(value)


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.dictionaries(st.sampled_from(["role", "content", "reasoning"]), JSON), max_size=3)
)
def test_the_quick_way_sees_what_the_general_way_sees(messages: list[dict[str, Any]]) -> None:
    quick = conversation_messages(messages)
    general = [inputs._converted(message) for message in inputs._message_dicts(messages)]
    assert exactly(quick) == exactly([inputs._with_reasoning(message) for message in general])
    assert exactly(plain_data(messages)) == exactly(inputs._converted(messages))


def weigh(item: str, grams: int = 1) -> str:
    """Weighs an item.

    Args:
        item: What to weigh.
        grams: The precision.
    """
    return f"{item}: {grams}"


def test_tools() -> None:
    assert tool_schemas(None) is None
    assert tool_schemas([]) == []
    assert tool_schemas(iter([{"name": Loud("t"), "x": object()}])) == [
        {"name": "t", "x": "<object>"}
    ]
    (schema,) = tool_schemas((weigh,))
    assert schema["function"]["name"] == "weigh"
    assert schema["function"]["parameters"]["required"] == ["item"]
    for wrong in ([len], ["weigh"], {"name": "t"}, [None], [Turn], [UserDict(name="t")]):
        with pytest.raises(ValueError, match="Tools should either be a JSON schema, or a callable"):
            tool_schemas(wrong)


def test_documents() -> None:
    assert plain_documents(None) is None
    assert plain_documents([{"title": Loud("t")}]) == [{"title": "t"}]
    assert plain_documents(({"title": "t"},)) == ({"title": "t"},)
    assert plain_documents({}) == {}
    for wrong in (["text"], {"title": "t"}, [UserDict(title="t")]):
        with pytest.raises(TypeError, match="a list of dicts with 'title' and 'text' keys!"):
            plain_documents(wrong)


def test_the_quick_way_imports_nothing() -> None:
    program = (
        "import sys; from runtime.chat.inputs import conversation_messages as see;"
        "see([{'role': 'user', 'content': [{'type': 'text', 'text': 'a'}]}]); see([{'a': b''}]);"
        "assert not {'dataclasses', 'inspect', 'numpy', 'jinja2'} & sys.modules.keys()"
    )
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-S", "-c", program], check=True, cwd=root)
