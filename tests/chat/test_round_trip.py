"""There and back: a message is rendered by its chat template and parsed by its response template.

The conversation is rendered with the message at its end; what follows the generation prompt is what
the model would have written. `LOSSES` names each message that comes back otherwise, and why.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler import compile_template
from runtime.chat import ChatTemplate
from tests.chat.conversations import ARCHIVE_TOOL, ASK, FERRY_TOOL, SYSTEM
from tests.chat.model_templates import FROZEN_DATETIME, GRAMMARS, MODELS, chat_source, response_spec

BOTH = tuple(name for name in MODELS if (GRAMMARS / name / "response_template.json").is_file())
TOOLS = [FERRY_TOOL, ARCHIVE_TOOL]

Message = dict[str, Any]


@pytest.fixture(autouse=True, scope="module")
def frozen_clock() -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("runtime.chat.environment.datetime", FROZEN_DATETIME)
        yield


@cache
def parser(model: str) -> Any:
    return compile_template(response_spec(model))


def said(**fields: Any) -> Message:
    return {"role": "assistant", **fields}


def call(name: str, **arguments: Any) -> Message:
    return {"type": "function", "function": {"name": name, "arguments": arguments}}


FERRY = call("find_ferry", harbour="Bodø", seats=2)
ARCHIVE = call(
    "search_archive",
    words=["a<b", "'c' & \"d\"", "{x}\\n", "古い地図 \U0001f600"],
    years={"from": 1.5, "to": None, "deep": [{"k": []}, {}]},
    exact=True,
)
MESSAGES = {
    "content": said(content="At 17:40.\n\n- Pier 3 <b>\n- 12 € & {more}"),
    "reasoning and content": said(reasoning_content="Look.\n\nAsk 船.", content="At 17:40."),
    "one call": said(tool_calls=[FERRY]),
    "content and call": said(content="One moment.", tool_calls=[FERRY]),
    "reasoning and call": said(reasoning_content="Look.", tool_calls=[FERRY]),
    "parallel calls": said(tool_calls=[FERRY, ARCHIVE, FERRY]),
    "call without arguments": said(tool_calls=[call("list_piers")]),
    "nested arguments": said(tool_calls=[ARCHIVE]),
    "lines as an argument": said(tool_calls=[call("find_ferry", harbour="\n two\n\nlines \n")]),
    "empty content": said(content=""),
    "reasoning alone": said(reasoning_content="Look.", content=""),
    "space around": said(content=" \n At 17:40.\n\n"),
}

NO_EMPTY_TEXT = "an empty field is left out of the message"
TRIMMED = "white space around a text is layout"
NO_REASONING = "the chat template leaves reasoning out"
NO_CALLS = "the chat template leaves calls out"
ONE_CALL = "the chat template writes the first call only"
CONTENT_IS_REASONING = "the chat template writes content before a call on the channel analysis"

SILENT = said()
LOSSES: dict[str, dict[str, tuple[Message, str]]] = {  # model -> title -> what comes back, and why
    "gpt_oss": {
        "content and call": (
            said(reasoning_content="One moment.", tool_calls=[FERRY]),
            CONTENT_IS_REASONING,
        ),
        "parallel calls": (said(tool_calls=[FERRY]), ONE_CALL),
    },
    "qwen3": {},
    "qwen3_coder": {
        "reasoning and content": (said(content="At 17:40."), NO_REASONING),
        "reasoning and call": (said(tool_calls=[FERRY]), NO_REASONING),
        "reasoning alone": (SILENT, NO_REASONING),
    },
    "smollm3": {
        "reasoning and content": (said(content="At 17:40."), NO_REASONING),
        "one call": (SILENT, NO_CALLS),
        "content and call": (said(content="One moment."), NO_CALLS),
        "reasoning and call": (SILENT, NO_CALLS),
        "parallel calls": (SILENT, NO_CALLS),
        "call without arguments": (SILENT, NO_CALLS),
        "nested arguments": (SILENT, NO_CALLS),
        "lines as an argument": (SILENT, NO_CALLS),
        "reasoning alone": (SILENT, NO_REASONING),
    },
}
EVERYWHERE: dict[str, tuple[Message, str]] = {
    "empty content": (SILENT, NO_EMPTY_TEXT),
    "reasoning alone": (said(reasoning_content="Look."), NO_EMPTY_TEXT),
    "space around": (said(content="At 17:40."), TRIMMED),
}


def written_by_the_model(model: str, message: Message, **options: Any) -> tuple[str, str]:
    """The prompt, and the text of the message after it."""
    message = {"content": "", **message}
    chat = ChatTemplate(chat_source(model))
    prompt = chat.render([SYSTEM, ASK], tools=TOOLS, add_generation_prompt=True, **options)
    whole = chat.render([SYSTEM, ASK, message], tools=TOOLS, **options)
    assert whole.startswith(prompt)
    return prompt, whole.removeprefix(prompt)


def there_and_back(model: str, message: Message, tools: Any = TOOLS, **options: Any) -> Message:
    prompt, text = written_by_the_model(model, message, **options)
    return parser(model).parse(text, prefix=prompt, tools=tools)


def same_json(a: Any, b: Any) -> bool:
    return json.dumps(a, sort_keys=True) == json.dumps(b, sort_keys=True)


@pytest.mark.parametrize("title", MESSAGES)
@pytest.mark.parametrize("model", BOTH)
def test_a_message_comes_back(model: str, title: str) -> None:
    message = MESSAGES[title]
    losses = {**EVERYWHERE, **LOSSES[model]}
    expected, _ = losses.get(title, (message, ""))
    found = there_and_back(model, message)
    assert same_json(found, expected), found


def test_every_loss_is_one() -> None:
    for losses in (EVERYWHERE, *LOSSES.values()):
        for title, (message, _) in losses.items():
            assert message != MESSAGES[title]
    assert set(LOSSES) == set(BOTH)


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
    qwen = written_by_the_model("qwen3", MESSAGES["reasoning and call"])[1]
    coder = written_by_the_model("qwen3_coder", MESSAGES["one call"])[1]
    raw = "<think>\nLook.\n</think>\n\n" + coder if model == "qwen3_coder" else qwen
    content = raw.removesuffix("<|im_end|>\n")
    found = there_and_back(model, said(content=content))
    assert same_json(found, MESSAGES["reasoning and call"]), found


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
