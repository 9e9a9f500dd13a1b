"""The models' own chat templates: what they render, to be read in tests/chat/golden.

`UPDATE_GOLDEN=1 make test ARGS=tests/chat/test_model_templates.py` rewrites the files; read the
diff. That published templates render the same is tests/differential/test_model_chat_templates.py.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from runtime.chat import ChatTemplate
from tests.chat.conversations import SPECIAL_TOKENS, conversations
from tests.chat.model_conversations import model_conversations
from tests.chat.model_templates import FROZEN_DATETIME, MODELS, chat_source

GOLDEN = Path(__file__).parent / "golden"
CONVERSATIONS = {**conversations(), **model_conversations()}
SHOWN = {  # model -> the conversations whose texts are worth reading
    "gpt_oss": (
        "turns",
        "tools",
        "tools: lists",
        "reasoning before a call",
        "reasoning, last",
        "browser and python",
    ),
    "llama3_1": ("turns", "tools", "call", "builtin call", "tools in the system message"),
    "mistral": ("turns", "question last, tools, system", "parallel calls"),
    "qwen3": ("turns", "tools", "parallel calls", "reasoning, call, answer", "thinking off"),
    "qwen3_coder": ("turns", "tools", "parallel calls", "call: odd arguments"),
    "smollm3": ("turns", "tools", "python tools", "system: override", "thinking off, answered"),
}


@pytest.fixture(autouse=True)
def frozen_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runtime.chat.environment.datetime", FROZEN_DATETIME)


def golden_path(model: str, shape: str) -> Path:
    words = "".join(letter if letter.isalnum() else " " for letter in shape).split()
    return GOLDEN / model / f"{'_'.join(words)}.txt"


def shown() -> list[tuple[str, str]]:
    return [(model, shape) for model in MODELS for shape in SHOWN[model]]


@pytest.mark.parametrize(("model", "shape"), shown())
def test_renders_the_golden_text(model: str, shape: str) -> None:
    arguments = {**SPECIAL_TOKENS, **CONVERSATIONS[shape]}
    text = ChatTemplate(chat_source(model)).render(**arguments)
    path = golden_path(model, shape)
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    assert path.read_bytes().decode() == text, f"{path.name} is stale: see the module docstring"


def test_every_golden_text_is_of_a_conversation() -> None:
    assert set(SHOWN) == set(MODELS)
    assert set(GOLDEN.glob("*/*")) == {golden_path(model, shape) for model, shape in shown()}


@pytest.mark.parametrize("model", MODELS)
def test_comments_and_code_leave_no_space_behind(model: str) -> None:
    """What is written stands in the strings of a template, all else is layout."""
    source = chat_source(model)
    assert "\t" not in source
    assert source.endswith("-%}\n")
    assert [line for line in source.splitlines() if line != line.rstrip() or len(line) > 100] == []
    text = ChatTemplate(source).render(
        [{"role": "user", "content": "x"}], bos_token="", eos_token="", add_generation_prompt=True
    )
    assert text == text.lstrip()
    assert "    " not in text
