"""There and back: a message is rendered by its chat template and parsed by its response template.

The matrix is that of `chatc verify` (compiler/round_trip/shapes.py), for every model that has both
templates. `LOSSES` says what of which message the chat template does not write.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler import compile_template
from compiler.round_trip.both_ways import BothWays
from compiler.round_trip.outcome import Row
from compiler.round_trip.run import round_trip
from compiler.round_trip.shapes import SHAPES, TOOLS, Message, Shape, shapes_for
from compiler.round_trip.writing import write
from runtime.chat import ChatTemplate
from tests.chat.model_templates import FROZEN_DATETIME, GRAMMARS, MODELS, chat_source, response_spec

BOTH = tuple(name for name in MODELS if (GRAMMARS / name / "response_template.json").is_file())
MESSAGES = {shape.name: shape.message for shape in SHAPES}

NO_REASONING = ("reasoning_content",)
NO_CALLS = ("tool_calls",)
ALIKE = ()  # content before a call is written as reasoning before a call is

LOSSES: dict[str, dict[str, tuple[str, ...]]] = {  # model -> shape -> what is not written
    "gpt_oss": {"content_and_call": ALIKE, "parallel_calls": ("tool_calls[1]", "tool_calls[2]")},
    "qwen3": {},
    "qwen3_coder": {
        "reasoning_and_content": NO_REASONING,
        "reasoning_and_call": NO_REASONING,
        "reasoning_alone": NO_REASONING,
    },
    "smollm3": {
        "reasoning_and_content": NO_REASONING,
        "one_call": NO_CALLS,
        "content_and_call": NO_CALLS,
        "reasoning_and_call": NO_REASONING + NO_CALLS,
        "parallel_calls": NO_CALLS,
        "call_without_arguments": NO_CALLS,
        "nested_arguments": NO_CALLS,
        "unicode_argument": NO_CALLS,
        "lines_in_an_argument": NO_CALLS,
        "reasoning_alone": NO_REASONING,
        "enable_thinking_on": NO_REASONING,
        "enable_thinking_on_call": NO_REASONING + NO_CALLS,
        "enable_thinking_off_call": NO_CALLS,
    },
}


@pytest.fixture(autouse=True, scope="module")
def frozen_clock() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("runtime.chat.environment.datetime", FROZEN_DATETIME)
        yield


@cache
def both_ways(model: str) -> BothWays:
    parser = compile_template(response_spec(model))
    return BothWays(ChatTemplate(chat_source(model)).render, {}, parser)


@cache
def rows(model: str) -> dict[str, Row]:
    shapes = shapes_for(ChatTemplate(chat_source(model)).variables)
    return {row.shape.name: row for row in round_trip(both_ways(model), shapes)}


def written_by_the_model(model: str, message: Message, **options: Any) -> tuple[str, str]:
    """The prompt, and the text of the message after it."""
    written = write(both_ways(model), Shape("", message, options))
    assert not written.ahead
    return written.prompt, written.reply


def there_and_back(
    model: str, message: Message, tools: Any = tuple(TOOLS), **options: Any
) -> Message:
    prompt, text = written_by_the_model(model, message, **options)
    return both_ways(model).parser.parse_result(text, prefix=prompt, tools=tools)[0]


def same_json(a: Any, b: Any) -> bool:
    return json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True)


def said(**fields: Any) -> Message:
    return {"role": "assistant", **fields}


def call(name: str, **arguments: Any) -> Message:
    return {"type": "function", "function": {"name": name, "arguments": arguments}}


@pytest.mark.parametrize("shape", MESSAGES)
@pytest.mark.parametrize("model", BOTH)
def test_a_message_comes_back(model: str, shape: str) -> None:
    """All that the chat template writes of it, in every chunking."""
    row = rows(model).get(shape)
    if row is None:
        assert shape.startswith(("enable_thinking_", "thinking_"))
        return
    expected = "trimmed" if shape == "space_around" else "ok"
    if shape in LOSSES[model]:
        expected = "not expressed"
    assert {cell.verdict for cell in row.cells} == {expected}, row.cells
    assert row.written and not row.written.ahead
    assert row.written.expressed.lost == LOSSES[model].get(shape, ())


def test_every_loss_is_one() -> None:
    assert set(LOSSES) == set(BOTH)
    for model, losses in LOSSES.items():
        assert set(losses) <= set(rows(model))
    assert set(rows("qwen3")) == {name for name in MESSAGES if not name.startswith("thinking_")}


@pytest.mark.parametrize("model", ["qwen3", "smollm3"])
def test_an_empty_block_of_reasoning_in_the_prompt(model: str) -> None:
    message = MESSAGES["content"]
    prompt, text = written_by_the_model(model, message, enable_thinking=False)
    assert prompt.rstrip().endswith("</think>")
    assert "think" not in text
    assert there_and_back(model, message, enable_thinking=False) == message


@pytest.mark.parametrize("model", ["qwen3", "qwen3_coder", "smollm3"])
def test_what_the_content_holds_comes_back_in_its_fields(model: str) -> None:
    """What a chat template leaves out may be put back as the model wrote it: as text."""
    qwen = written_by_the_model("qwen3", MESSAGES["reasoning_and_call"])[1]
    coder = written_by_the_model("qwen3_coder", MESSAGES["one_call"])[1]
    thought = MESSAGES["reasoning_and_call"]["reasoning_content"]
    raw = f"<think>\n{thought}\n</think>\n\n{coder}" if model == "qwen3_coder" else qwen
    content = raw.removesuffix("<|im_end|>")
    found = there_and_back(model, said(content=content))
    assert same_json(found, MESSAGES["reasoning_and_call"]), found


# Text without the first character of a marker, and without outer space.
texts = st.text(st.characters(codec="utf-8", exclude_characters="<"), min_size=1).map(str.strip)
filled = texts.filter(bool)
names = st.from_regex(r"[a-zA-Z_][a-zA-Z0-9_.-]{0,20}", fullmatch=True)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


def calls(arguments: st.SearchStrategy[Any]) -> st.SearchStrategy[Message]:
    return st.builds(lambda name, arguments: call(name, **arguments), names, arguments)


@settings(deadline=None, max_examples=150)
@given(st.fixed_dictionaries({"reasoning_content": filled, "content": filled}))
def test_any_texts_come_back_from_qwen3_and_gpt_oss(fields: Message) -> None:
    for model in ("gpt_oss", "qwen3"):
        assert there_and_back(model, said(**fields)) == said(**fields)


@settings(deadline=None, max_examples=150)
@given(st.lists(calls(st.dictionaries(texts, values, max_size=4)), min_size=1, max_size=3))
def test_any_calls_come_back_from_qwen3_and_gpt_oss(several: list[Message]) -> None:
    assert same_json(there_and_back("qwen3", said(tool_calls=several)), said(tool_calls=several))
    single = said(tool_calls=several[:1])
    assert same_json(there_and_back("gpt_oss", single), single)


@settings(deadline=None, max_examples=150)
@given(st.lists(calls(st.dictionaries(names, texts, max_size=4)), min_size=1, max_size=3))
def test_any_calls_with_texts_come_back_from_qwen3_coder(several: list[Message]) -> None:
    """Without tools that give them types, all arguments are texts."""
    message = said(tool_calls=several)
    assert there_and_back("qwen3_coder", message, tools=None) == message
