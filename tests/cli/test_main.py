"""What all commands share: help, exit codes, streams, and a quick start."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

import compiler
from compiler.cli import COMMANDS
from compiler.frontend.rules import RULES
from compiler.lint.rules import LINT_RULES
from compiler.version import VERSION
from tests.cli.small_model import TINY, Chatc, write_model

PYTHON = [sys.executable, "-m", "compiler"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(compiler.__file__).parents[1])}


def test_help_names_every_command(chatc: Chatc) -> None:
    assert chatc("list").code == 0  # loads a module that has the name of a built-in
    ran = chatc("--help")
    assert ran.code == 0
    assert all(f"\n  {name} " in ran.out for name in COMMANDS)
    assert chatc("--version").out == f"chatc {VERSION}\n"
    assert chatc().code == 2


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_help(name: str, chatc: Chatc) -> None:
    ran = chatc(name, "--help")
    assert ran.code == 0
    assert ran == chatc(name, "-h")


def test_misspelt_commands_and_options(chatc: Chatc) -> None:
    ran = chatc("prase")
    assert (ran.code, ran.out) == (2, "")
    assert "'parse'" in ran.err
    assert chatc("list", "--jsn").code == 2


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys, compiler.cli\n"
        "try: compiler.cli.main(['--help'])\n"
        "finally: print(*sys.modules, file=sys.stderr)"
    )
    ran = subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True)
    loaded = set(ran.stderr.decode().split())
    assert "compiler.cli.parse" in loaded
    assert loaded.isdisjoint(("black", "jinja2", "lark", "multiprocessing", "regex", "rich"))


def test_a_defect_is_told_apart_from_a_finding(
    tiny: Path, chatc: Chatc, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(model: object) -> NoReturn:
        raise ZeroDivisionError

    monkeypatch.setattr("compiler.artifacts.artifacts_of", broken)
    ran = chatc("generate", "tiny")
    assert ran.code == 2
    assert "ZeroDivisionError" in ran.err
    assert ran.err.endswith("error: this is a defect of chatc, please report it\n")


def test_ctrl_c(tiny: Path, chatc: Chatc, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(model: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr("compiler.artifacts.artifacts_of", interrupted)
    ran = chatc("generate", "tiny")
    assert (ran.code, ran.out, ran.err.strip()) == (130, "", "")


def test_a_file_that_cannot_be_written(tiny: Path, chatc: Chatc) -> None:
    Path("generated").write_text("")
    ran = chatc("generate", "tiny")
    assert ran.code == 2
    assert ran.err.startswith("error: generated")
    assert "Traceback" not in ran.err


def test_a_reader_that_leaves(generated: Path) -> None:
    Path("long.txt").write_text("word " * 50_000)
    command = [*PYTHON, "parse", "tiny", "--stream", "--chunk", "1", "long.txt"]
    with subprocess.Popen(
        command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""


def on_a_terminal(*arguments: str, **environment: str) -> bytes:
    """What a command writes to stderr when that is a terminal."""
    master, slave = pty.openpty()
    with subprocess.Popen(
        [*PYTHON, *arguments],
        env={**ENVIRONMENT, "TERM": "xterm", **environment},
        stdout=subprocess.DEVNULL,
        stderr=slave,
    ):
        os.close(slave)
        written = b""
        try:
            while piece := os.read(master, 4096):
                written += piece
        except OSError:  # how Linux tells that the other end is closed
            pass
    os.close(master)
    return written


def test_colour_is_for_terminals(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert b"\x1b[" in on_a_terminal("generate", "none")
    assert b"\x1b[" not in on_a_terminal("generate", "none", NO_COLOR="1")


def test_a_bar_is_for_terminals(generated: Path) -> None:
    Path("in.jsonl").write_text('{"text": "a"}\n' * 1_000)
    shown = on_a_terminal("parse", "tiny", "--input", "in.jsonl", "--output", "out.jsonl")
    assert b"\xe2\x94\x81" in shown  # the line that rich draws
    assert len(Path("out.jsonl").read_text().splitlines()) == 1_000


def test_list(generated: Path, chatc: Chatc) -> None:
    write_model("new", TINY)
    write_model("bad", {"start_anchor": "A", "fields": {}})
    origin = Path("grammars/tiny/origin.toml")
    origin.write_text('ids = ["org/Tiny-1B", "org/Tiny-2B"]\n')
    ran = chatc("list")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "bad   invalid\nnew   stale\ntiny  fresh    org/Tiny-1B org/Tiny-2B\n"
    assert chatc("list", "--json").json[2] == {
        "model": "tiny",
        "status": "fresh",
        "ids": ["org/Tiny-1B", "org/Tiny-2B"],
    }
    for text in ("ids = [", 'ids = "a"'):
        origin.write_text(text)
        ran = chatc("list")
        assert ran.code == 2
        assert ran.err.startswith("error: grammars/tiny/origin.toml: ")


def test_the_model_of_a_published_one(tiny: Path, chatc: Chatc) -> None:
    write_model("other", TINY)
    (tiny / "origin.toml").write_text('ids = ["org/Tiny-1B", "org/Tiny-2B"]\n')
    ran = chatc("list", "--for", "ORG/tiny-2b")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "tiny  stale    org/Tiny-1B org/Tiny-2B\n"
    assert [row["model"] for row in chatc("list", "--for", "org/Tiny-1B", "--json").json] == [
        "tiny"
    ]
    ran = chatc("list", "--for", "org/Tiny-3B")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith('error: no model here is published as "org/Tiny-3B"; did you mean')
    assert '"org/Tiny-' in ran.err.partition(";")[2]
    ran = chatc("list", "--for", "else/where")
    assert (ran.code, ran.err) == (2, 'error: no model here is published as "else/where"\n')


def test_no_models_to_list(chatc: Chatc) -> None:
    assert (chatc("list").out, chatc("list", "--json").json) == ("", [])


def test_rules(chatc: Chatc) -> None:
    ran = chatc("rule", "rt203")
    assert ran.code == 0
    assert ran.out.startswith("RT203 (error): ")
    rules = [*RULES, *LINT_RULES]
    assert [line.split()[0] for line in chatc("rule").out.splitlines()] == rules
    everything = chatc("rule", "--all").out
    assert all(f"{id} (" in everything for id in rules)
    assert [rule["rule"] for rule in chatc("rule", "RT203", "RT101", "--json").json] == [
        "RT203",
        "RT101",
    ]
    ran = chatc("rule", "RT2033")
    assert (ran.code, ran.out) == (2, "")
    assert 'did you mean "RT203"?' in ran.err
    assert chatc("rule", "RT203", "--all").code == 2
