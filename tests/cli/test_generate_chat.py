"""`chatc generate` of chat templates: alone, beside a response template, and elsewhere."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from runtime.chat import environment
from tests.chat.bytecode_folder import entries, forget
from tests.cli.small_model import TINY, Chatc, write_model

TEMPLATE = "{% for m in messages %}<{{ m.role }}>{{ m.content }}\n{% endfor %}"
HELLO = [{"role": "user", "content": "Hello"}]
TEXT = "<user>Hello\n"
UNUSUAL = {"add_generation_prompt": 0.5}  # no type that specialised code is made for
NO_PARSER = "error: talker has no response template, only a chat template\n"


@pytest.fixture
def talker(chatc: Chatc) -> Path:
    """A model with a chat template alone."""
    return write_chat("grammars/talker", TEMPLATE)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A folder of caches of its own, and nothing in memory."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    monkeypatch.delenv("CHATC_NO_BYTECODE", raising=False)
    forget()
    yield tmp_path / "caches"
    forget()


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources that jinja2 compiles to be rendered, in order."""
    compiled: list[str] = []
    compile_source = environment.compile_source

    def note(source: str) -> Any:
        compiled.append(source)
        return compile_source(source)

    monkeypatch.setattr(environment, "compile_source", note)
    return compiled


def write_chat(folder: str, template: str | bytes) -> Path:
    path = Path(folder)
    path.mkdir(parents=True, exist_ok=True)
    content = template if isinstance(template, bytes) else template.encode()
    (path / "chat_template.jinja").write_bytes(content)
    return path


def chat_module(name: str) -> ModuleType:
    """The generated module that renders, as a new process would import it."""
    spec = importlib.util.spec_from_file_location("chat", Path("generated", name, "chat.py"))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# A chat template alone


def test_a_chat_template_alone_renders(talker: Path, chatc: Chatc) -> None:
    ran = chatc("generate", "talker")
    assert (ran.code, ran.out, ran.err) == (0, "", "talker: 3 files written\n")
    names = ["__init__.py", "chat.py"]
    assert sorted(path.name for path in Path("generated/talker").iterdir()) == names
    package = Path("generated/talker/__init__.py").read_text()
    assert "from generated.talker.chat import render\n" in package
    assert "response" not in package
    assert chat_module("talker").render(HELLO) == TEXT
    assert chatc("generate", "grammars/talker/chat_template.jinja").err == "talker: up to date\n"
    assert chatc("check").err == "1 model: every file is fresh\n"
    assert chatc("list").out == "talker  fresh\n"
    row = {"model": "talker", "status": "up to date", "written": []}
    assert chatc("generate", "--all", "--json").json == [
        {**row, "diagnostics": [], "needs_regex": []}
    ]


@pytest.mark.parametrize("command", ["parse", "explain", "bench", "bundle -o -", "bundle --ship ."])
def test_there_is_no_parser_then(command: str, talker: Path, chatc: Chatc) -> None:
    chatc("generate", "talker")
    name, *options = command.split()
    for target in ("talker", "grammars/talker"):
        ran = chatc(name, target, *options)
        assert (ran.code, ran.out) == (2, "")
        if name != "bundle" or target == "talker":  # which takes a path for a model repository
            assert ran.err == NO_PARSER
        assert "Traceback" not in ran.err


def test_a_parser_that_has_lost_its_template_is_an_orphan(talker: Path, chatc: Chatc) -> None:
    write_chat("grammars/tiny", TEMPLATE)
    (talker / "response_template.json").write_text(json.dumps(TINY))
    assert chatc("generate", "talker").err == "talker: 5 files written\n"
    (talker / "response_template.json").unlink()
    assert chatc("generate", "--all").code == 0
    found = [(each["kind"], each["path"]) for each in chatc("check", "--json").json["findings"]]
    assert found == [
        ("orphan", "generated/talker/response.py"),
        ("orphan", "grammars/talker/region.lark"),
    ]


# Both


def test_parsing_and_rendering_do_without_each_other(chatc: Chatc) -> None:
    write_model("both", TINY)
    write_chat("grammars/both", TEMPLATE)
    assert chatc("generate", "both").err == "both: 5 files written\n"
    package = Path("generated/both/__init__.py").read_text()
    namespace: dict[str, Any] = {"__name__": "generated.both"}
    exec(package, namespace)
    assert namespace.keys().isdisjoint(namespace["__all__"])
    assert "response_template.json" in package and "chat_template.jinja" in package


# Mistakes


def test_what_is_not_jinja(chatc: Chatc) -> None:
    write_model("good", TINY)
    write_chat("grammars/broken", "{{ messages }}\n{% for m in messages %}\n{{ m. }}{% endfor %}")
    ran = chatc("generate", "--all")
    assert (ran.code, ran.out) == (1, "")
    place = "grammars/broken/chat_template.jinja:3: error[LT001]: this is not Jinja: "
    assert ran.err.startswith(place)
    assert ran.err.endswith("good: 4 files written\n")
    assert not Path("generated/broken").exists()
    checked = chatc("check", "--json")
    assert checked.code == 1
    (mistake,) = checked.json["diagnostics"]
    assert (mistake["rule"], mistake["line"]) == ("LT001", 3)
    assert chatc("list").out == "broken  invalid\ngood    fresh\n"


def test_mistakes_of_both_templates_are_told_at_once(chatc: Chatc) -> None:
    write_model("bad", {"start_anchor": "A", "fields": {"a": {"open": ""}}})
    write_chat("grammars/bad", "{% endfor %}")
    ran = chatc("generate", "bad", "--json")
    assert ran.code == 1
    rules = [diagnostic["rule"] for diagnostic in ran.json[0]["diagnostics"]]
    assert rules[-1] == "LT001"
    assert "RT205" in rules


def test_what_is_not_text(chatc: Chatc) -> None:
    write_chat("grammars/latin", b"caf\xe9")
    ran = chatc("generate", "latin")
    assert ran.code == 2
    expected = "grammars/latin/chat_template.jinja: error[RT001]: not UTF-8 text: byte 0xe9 at "
    assert ran.err.startswith(expected)


# Elsewhere


def test_a_model_repository(chatc: Chatc) -> None:
    folder = write_chat("hub/Talker-2", TEMPLATE)
    (folder / "tokenizer_config.json").write_text('{"chat_template": "old"}')
    assert chatc("generate", "hub/Talker-2").err == "talker_2: 3 files written\n"
    assert chat_module("talker_2").render(HELLO) == TEXT
    ran = chatc("check")
    assert (ran.code, ran.err) == (0, "1 model: every file is fresh\n")
    write_chat("hub/Talker-2", TEMPLATE + "!")
    stale = "generated/talker_2/chat.py: stale: run chatc generate hub/Talker-2\n"
    assert stale in chatc("check").err


def test_a_model_repository_with_both(chatc: Chatc) -> None:
    folder = write_chat("hub/full", TEMPLATE)
    (folder / "tokenizer_config.json").write_text(json.dumps({"response_template": TINY}))
    assert chatc("generate", "hub/full").err == "full: 5 files written\n"
    assert chatc("check").code == 0


def test_a_config_that_cannot_be_read_is_told(chatc: Chatc) -> None:
    folder = write_chat("hub/odd", TEMPLATE)
    (folder / "tokenizer_config.json").write_text("{")
    ran = chatc("generate", "hub/odd")
    assert ran.code == 2
    assert "hub/odd/tokenizer_config.json:1:2: error[RT002]" in ran.err


def test_one_jinja_file(chatc: Chatc) -> None:
    write_chat("hub/alone", TEMPLATE)
    Path("hub/other.jinja").write_text(TEMPLATE)
    for target, name in (("hub/alone/chat_template.jinja", "alone"), ("hub/other.jinja", "other")):
        assert chatc("generate", target).err.startswith(f"{name}: ")
        assert chat_module(name).render(HELLO) == TEXT
    assert chatc("check").err == "2 models: every file is fresh\n"


# What renders: specialised code, else bytecode, else the source


def test_bytecode_is_kept_for_what_needs_jinja(
    talker: Path, chatc: Chatc, home: Path, compilations: list[str]
) -> None:
    assert chatc("generate", "talker").code == 0
    assert compilations == [TEMPLATE]
    assert len(entries(home)) == 1
    forget()
    render = chat_module("talker").render
    assert render(HELLO) == render(HELLO, **UNUSUAL) == TEXT
    assert compilations == [TEMPLATE]
    assert chatc("generate", "talker").err == "talker: up to date\n"
    assert compilations == [TEMPLATE]


def test_specialised_code_asks_for_no_bytecode(
    talker: Path, chatc: Chatc, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chatc("generate", "talker")
    forget()
    asked: list[str] = []
    monkeypatch.setattr(environment, "read_bytecode", lambda origin: asked.append(origin.source))
    render = chat_module("talker").render
    assert (render(HELLO), asked) == (TEXT, [])
    assert (render(HELLO, **UNUSUAL), asked) == (TEXT, [TEMPLATE])


@pytest.mark.parametrize("damage", ["cut", "changed", "removed"])
def test_damaged_bytecode_is_made_anew(
    damage: str, talker: Path, chatc: Chatc, home: Path, compilations: list[str]
) -> None:
    chatc("generate", "talker")
    (entry,) = entries(home)
    sound = entry.read_bytes()
    damaged = {"cut": sound[:-9], "changed": sound[:-9] + bytes(9)}.get(damage)
    entry.unlink() if damaged is None else entry.write_bytes(damaged)
    forget()
    render = chat_module("talker").render
    assert render(HELLO) == TEXT
    assert compilations == [TEMPLATE]
    assert render(HELLO, **UNUSUAL) == TEXT
    assert compilations == [TEMPLATE, TEMPLATE]
    assert entry.read_bytes() == sound


def test_generating_needs_no_cache(
    talker: Path, chatc: Chatc, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.write_text("not a folder")
    assert chatc("generate", "talker").err == "talker: 3 files written\n"
    assert chat_module("talker").render(HELLO, **UNUSUAL) == TEXT
    home.unlink()
    forget()
    monkeypatch.setenv("CHATC_NO_BYTECODE", "1")
    assert chatc("generate", "talker").err == "talker: up to date\n"
    assert not home.exists()
    assert chat_module("talker").render(HELLO, **UNUSUAL) == TEXT


def test_bytecode_is_kept_for_templates_elsewhere(chatc: Chatc, home: Path) -> None:
    write_chat("hub/Talker", TEMPLATE)
    chatc("generate", "hub/Talker")
    assert len(entries(home)) == 1
