"""What templates see of a caller's data, as transformers shows it: printed whole."""

from __future__ import annotations

from collections import UserDict
from dataclasses import dataclass
from enum import Enum, IntEnum
from types import SimpleNamespace
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import PreTrainedTokenizerFast, ProcessorMixin
from transformers.utils.chat_template_utils import _get_control_token_patterns, mark_control_tokens

from runtime.chat import ChatTemplate
from runtime.chat.choice import processor_template, tokenizer_template
from runtime.chat.media import with_image_blocks
from runtime.chat.sanitize import render_sanitized
from tests.differential.chat_reference import outcome, own_text, reference_text

SHOW = "{{ messages }}|{{ tools }}|{{ documents }}|{{ add_generation_prompt }}|{{ x }}"
ASK = {"role": "user", "content": "Q"}


class Role(str, Enum):
    USER = "user"


class Level(IntEnum):
    HIGH = 3


@dataclass
class Turn:
    role: str
    content: Any = None
    reasoning: Any = None


class Dumped:
    def __init__(self, **fields: Any) -> None:
        self.fields = fields

    def model_dump(self) -> dict[str, Any]:
        return self.fields


def weigh(item: str, grams: int = 1) -> str:
    """Weighs an item.

    Args:
        item: What to weigh.
        grams: The precision.
    """
    return f"{item}: {grams}"


ODD_ARGUMENTS: list[dict[str, Any]] = [
    {"messages": [Turn("user", "a", "r"), Dumped(role="b", content=None, y=Turn("c"))]},
    {"messages": [UserDict(ASK, content=None, y=[UserDict(z=None)])]},
    {"messages": (ASK, {"role": Role.USER, "content": ("a", b"", {1}, object(), print)})},
    {"messages": SimpleNamespace(messages=[ASK])},
    {"messages": [{**ASK, "i": numpy.int64(3), "f": numpy.float32(0.5), "b": numpy.bool_(False)}]},
    {
        "messages": [
            {**ASK, "a": numpy.zeros(2), "s": numpy.str_("n"), "c": 1j, Role.USER: Level.HIGH}
        ]
    },
    {"messages": [{**ASK, 5: {None: 1, (1, Role.USER): 2, True: 3}}]},
    {"messages": [{**ASK, "reasoning": "r", "thinking": None}]},
    {"messages": [{"thinking": ["t"], **ASK, "reasoning": "r"}]},
    {"messages": []},
    {"messages": ()},
    {"messages": ""},
    {"messages": None},
    {"messages": 5},
    {"messages": {"role": "user"}},
    {"messages": ["text"]},
    {"messages": [ASK, None]},
    {"messages": [ASK, ["role"]]},
    {"messages": [ASK, Turn]},
    {"messages": [ASK], "tools": []},
    {"messages": [ASK], "tools": [weigh, {"name": Role.USER, "x": (1, b"")}]},
    {"messages": [ASK], "tools": ({"name": "t"},)},
    {"messages": [ASK], "tools": {"name": "t"}},
    {"messages": [ASK], "tools": [len]},
    {"messages": [ASK], "tools": [Turn]},
    {"messages": [ASK], "tools": [None]},
    {"messages": [ASK], "tools": 5},
    {"messages": [ASK], "tools": [lambda a: a]},
    {"messages": [ASK], "documents": [{"title": Role.USER, "text": b""}]},
    {"messages": [ASK], "documents": ({"title": "t"},)},
    {"messages": [ASK], "documents": {}},
    {"messages": [ASK], "documents": {"title": "t"}},
    {"messages": [ASK], "documents": ["text"]},
    {"messages": [ASK], "tools": [5], "documents": ["text"]},
    {"messages": ["text"], "tools": [5]},
    {"messages": [ASK], "x": Level.HIGH},
    {"messages": [ASK], "x": [Turn("a"), Dumped(b={1}), numpy.array(1), {"k": (None,)}]},
    {"messages": [ASK], "add_generation_prompt": None},
    {"messages": [ASK], "add_generation_prompt": True, "continue_final_message": True},
    {"messages": [], "add_generation_prompt": True, "continue_final_message": True},
    {"messages": [5], "add_generation_prompt": True, "continue_final_message": True},
    {"messages": [ASK], "continue_final_message": 1},
    {"messages": [ASK], "continue_final_message": "role"},
    {"messages": [ASK], "continue_final_message": "missing"},
    {"messages": [{**ASK, "content": None}], "continue_final_message": True},
    {"messages": [{**ASK, "content": 5}], "continue_final_message": True},
    {"messages": [{**ASK, "content": []}], "continue_final_message": True},
    {"messages": [{**ASK, "content": {"text": "a"}}], "continue_final_message": True},
    {"messages": [{**ASK, "content": ["text"]}], "continue_final_message": True},
    {"messages": [{**ASK, "content": [None]}], "continue_final_message": True},
    {"messages": [{**ASK, "content": ({"text": "a"}, {"b": 1})}], "continue_final_message": True},
    {"messages": [{**ASK, "content": "", "reasoning": "r"}], "continue_final_message": "thinking"},
]


@pytest.mark.parametrize(
    "source",
    [
        SHOW,
        SHOW + "{{ messages[-1].content }}",
        "{{ messages[-1].content|trim }}",
        "{{ messages[-1].thinking }}",
        "content {{ messages[-1].role }}",
        "{% if %} content",
    ],
)
@pytest.mark.parametrize("number", range(len(ODD_ARGUMENTS)))
def test_odd_arguments(source: str, number: int) -> None:
    arguments = ODD_ARGUMENTS[number]
    assert own_text(source, arguments) == reference_text(source, arguments)


KEYS = st.sampled_from(["role", "content", "reasoning", "thinking", "reasoning_content", "x"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(" ab\n", max_size=3),
    lambda inner: st.lists(inner, max_size=2)
    | st.dictionaries(KEYS | st.just("text"), inner, max_size=3)
    | st.tuples(inner)
    | st.dictionaries(KEYS, inner, max_size=2).map(UserDict)
    | st.builds(Turn, st.just("a"), inner)
    | st.dictionaries(KEYS, inner, max_size=2).map(lambda fields: Dumped(**fields)),
    max_leaves=6,
)
ARGUMENTS = st.fixed_dictionaries(
    {"messages": st.lists(st.dictionaries(KEYS, VALUES, max_size=4), min_size=1, max_size=3)},
    optional={
        "tools": st.lists(st.dictionaries(KEYS, VALUES, max_size=2), max_size=2),
        "documents": st.lists(st.dictionaries(KEYS, VALUES, max_size=2), max_size=2),
        "x": VALUES,
        "continue_final_message": st.booleans() | KEYS,
    },
)


@settings(deadline=None, max_examples=300)
@given(
    ARGUMENTS,
    st.sampled_from([SHOW + "{{ messages[-1].content }}", SHOW, "{{ messages[-1].content|trim }}"]),
)
def test_any_arguments(arguments: dict[str, Any], source: str) -> None:
    assert own_text(source, arguments) == reference_text(source, arguments)


STORED = [
    None,
    "one",
    "",
    {},
    {"default": "D"},
    {"default": "D", "tool_use": "T"},
    {"b": "B", "a": "A"},
]


@pytest.mark.parametrize("templates", STORED)
@pytest.mark.parametrize("wanted", [None, "default", "tool_use", "a", "typo", ""])
def test_the_choice_among_templates(templates: Any, wanted: str | None) -> None:
    stored = SimpleNamespace(chat_template=templates)
    for tools in (None, [], [{}]):
        expected = outcome(
            lambda tools=tools: PreTrainedTokenizerFast.get_chat_template(stored, wanted, tools)
        )
        assert outcome(lambda t=tools: tokenizer_template(templates, wanted, t)) == expected
    expected = outcome(lambda: ProcessorMixin._resolve_chat_template(stored, wanted))
    assert outcome(lambda: processor_template(templates, wanted)) == expected


TOKENS = ("<|im_start|>", "<|im_end|>", "<s>", "<|im")
TEXTS = st.lists(
    st.sampled_from([*TOKENS, "a", "<", "im_end|>", "\n", "\U000f0000", "\U000f0001"]), max_size=6
).map("".join)
CUTTING = [
    "{% for m in messages %}<|im_start|>{{ m.content }}<|im_end|>{% endfor %}{{ x }}",
    "{{ messages[0].content[:3] }}{{ messages[-1].content[2:] }}{{ tools|tojson }}",
    "{{ messages[0].content|upper }}{{ messages|length }}{{ x.a[0] }}<|im{{ x.b }}",
]


@settings(deadline=None, max_examples=200)
@given(st.sampled_from(CUTTING), st.lists(TEXTS, min_size=1, max_size=2), TEXTS)
def test_sanitized_pieces(source: str, contents: list[str], text: str) -> None:
    messages = [{"role": "user", "content": content} for content in contents]
    tools, x = [{"name": text}], {"a": (text,), "b": text}
    pattern, marks = _get_control_token_patterns(TOKENS)
    marked = reference_text(
        source,
        {
            "messages": mark_control_tokens(messages, pattern),
            "tools": mark_control_tokens(tools, pattern),
            "x": mark_control_tokens(x, pattern),
        },
    )
    expected = [
        (piece, place % 2 == 1) for place, piece in enumerate(marks.split(marked.result)) if piece
    ]
    assert expected == render_sanitized(ChatTemplate(source), messages, TOKENS, tools=tools, x=x)


BLOCKS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["image_url", "image", "text"]),
        "image_url": st.sampled_from(["u", None, {"url": "u"}, {"detail": "low"}, Dumped(url="u")]),
        "text": st.just("a"),
    },
)


@settings(deadline=None, max_examples=100)
@given(st.lists(BLOCKS | st.just("text"), min_size=1, max_size=3), st.sampled_from([list, tuple]))
def test_images_of_a_processor(blocks: list[Any], kind: Any) -> None:
    messages = [{"role": "user", "content": kind(blocks)}, {"role": "assistant"}]
    (expected,), _ = ProcessorMixin._normalize_conversations(SimpleNamespace(), messages)
    source = "{{ messages }}"
    assert outcome(lambda: ChatTemplate(source).render(with_image_blocks(messages))) == (
        reference_text(source, {"messages": expected})
    )
