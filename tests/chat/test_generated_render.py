"""`render` of the generated packages: what the template itself gives, most of it without jinja2."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from runtime.chat import ChatTemplate
from tests.chat.conversations import SPECIAL_TOKENS, conversations
from tests.chat.model_conversations import model_conversations

ROOT = Path(__file__).parents[2]
MODELS = sorted(path.parent.name for path in ROOT.glob("generated/*/chat.py"))
_COMMON = """
import sys
from generated.{name} import render
print(render([{{"role": "user", "content": "Hi"}}], add_generation_prompt=True))
sys.exit("jinja2" in sys.modules)
"""


def test_there_are_models() -> None:
    assert {"qwen3", "smollm3", "gpt_oss", "qwen3_coder"} <= set(MODELS)


@pytest.mark.parametrize("name", MODELS)
def test_every_conversation(name: str) -> None:
    chat = import_module(f"generated.{name}.chat")
    source = (ROOT / "grammars" / name / "chat_template.jinja").read_text("utf-8")
    assert source == chat.SOURCE
    plain = ChatTemplate(source)
    shapes = {**conversations(), **model_conversations()}
    assert len(shapes) > 100
    for arguments in shapes.values():
        given = {**SPECIAL_TOKENS, **arguments}
        assert _outcome(chat.render, given) == _outcome(plain.render, given)


@pytest.mark.parametrize("name", MODELS)
def test_the_common_case_needs_no_jinja(name: str) -> None:
    command = [sys.executable, "-c", _COMMON.format(name=name)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "Hi" in ran.stdout


def _outcome(render: Any, arguments: Any) -> Any:
    try:
        return render(**arguments)
    except Exception as error:
        return type(error), str(error)
