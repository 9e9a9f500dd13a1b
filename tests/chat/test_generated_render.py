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


_LOADED = """
import sys
sys.path.append(sys.argv[1])
before = set(sys.modules)
from generated.qwen3 import render
render([{"role": "user", "content": "Hi"}], add_generation_prompt=True)
print(*(set(sys.modules) - before))
"""


def test_every_chat_template_has_its_module() -> None:
    assert set(MODELS) == {path.parent.name for path in ROOT.glob("grammars/*/chat_template.jinja")}
    assert {"qwen3", "llama3_1", "mistral"} <= set(MODELS)


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


def test_the_first_rendering_loads_little() -> None:
    command = [sys.executable, "-I", "-S", "-c", _LOADED, str(ROOT)]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded = set(ran.stdout.split())
    own = {name for name in loaded if name.startswith(("runtime", "generated"))}
    chat = {f"runtime.chat.{name}" for name in ("inputs", "specialised", "template")}
    packages = {"generated", "generated.qwen3", "runtime", "runtime.chat"}
    assert own == {*packages, *chat, "generated.qwen3.chat", "runtime.events"}
    assert loaded.isdisjoint(("dataclasses", "datetime", "hashlib", "inspect", "jinja2", "json"))


def test_packages_import_what_is_asked_for() -> None:
    package = import_module("generated.qwen3")
    for name in package.__all__:
        module = "chat" if name == "render" else "response"
        assert getattr(package, name) == getattr(import_module(f"generated.qwen3.{module}"), name)
        assert name in vars(package)  # the next time it is not looked for
    with pytest.raises(AttributeError, match=r"module 'generated.qwen3' has no attribute 'prase'"):
        _ = package.prase


def _outcome(render: Any, arguments: Any) -> Any:
    try:
        return render(**arguments)
    except Exception as error:
        return type(error), str(error)
