"""`chatc export v1`: the template on stdout, what is lost on stderr."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.small_model import IN_DIALECT, TINY, Chatc, write_model

NOTHING_LOST: dict[str, Any] = {
    "dialect": "extended-1",
    "start_anchor": "<bot>",
    "fields": {"content": {}},
}


def write_extended(name: str, template: dict[str, Any]) -> Path:
    folder = write_model(name, TINY)
    (folder / "response_template.extended.json").write_text(json.dumps(template, indent=2), "utf-8")
    return folder


def test_what_v1_can_say_goes_to_stdout(chatc: Chatc) -> None:
    write_extended("plain", NOTHING_LOST)
    ran = chatc("export", "v1", "plain")
    assert (ran.code, ran.err) == (0, "nothing is lost\n")
    assert ran.json["version"] == 1
    assert "dialect" not in ran.json
    assert ran.json["fields"]["content"]["content_args"] == {"strip": False}


def test_what_is_lost_is_said(chatc: Chatc) -> None:
    folder = write_extended("tiny", IN_DIALECT)
    path = (folder / "response_template.extended.json").as_posix()
    ran = chatc("export", "v1", "tiny")
    assert ran.code == 0
    *losses, count = ran.err.splitlines()
    keys = ["content", "content", "transform", "on_invalid"]
    lost = [f"/fields/tool_calls/{key}" for key in keys]
    assert [line.partition(": ")[0] for line in losses] == [f"{path} {pointer}" for pointer in lost]
    assert count == "4 things lost"
    assert "on_invalid" not in ran.out
    as_json = chatc("export", "v1", "tiny", "--json")
    assert as_json.json["template"] == ran.json
    assert [loss["pointer"] for loss in as_json.json["losses"]] == lost


def test_what_is_exported_can_be_compiled(chatc: Chatc) -> None:
    """For transformers, and by `chatc generate --v1`."""
    folder = write_extended("tiny", IN_DIALECT)
    (folder / "response_template.json").write_text(chatc("export", "v1", "tiny").out, "utf-8")
    assert chatc("generate", "tiny", "--v1").code == 0
    reply = '<think>a</think>b<call>{"name": "f", "arguments": {}}</call>'
    v1 = chatc("parse", "tiny", "-", stdin=reply).json
    assert chatc("generate", "tiny").code == 0
    assert v1 == chatc("parse", "tiny", "-", stdin=reply).json
    call = {"type": "function", "function": {"name": "f", "arguments": {}}}
    assert v1["tool_calls"] == [call]


def test_a_template_of_v1_stays_what_it_is(tiny: Path, chatc: Chatc) -> None:
    ran = chatc("export", "v1", "tiny")
    assert (ran.code, ran.err) == (0, "nothing is lost\n")
    chatc("generate", "tiny")
    before = below_header(Path("generated/tiny/response.py"))
    (tiny / "response_template.json").write_text(ran.out, "utf-8")
    assert chatc("generate", "tiny").code == 0
    assert below_header(Path("generated/tiny/response.py")) == before


def below_header(module: Path) -> str:
    """A module without the hashes, of which one is of the bytes of the template."""
    lines = module.read_text("utf-8").splitlines()
    return "\n".join(line for line in lines if "sha256:" not in line)


def test_mistakes(chatc: Chatc) -> None:
    write_extended("bad", {**IN_DIALECT, "ignroe": "<end>"})
    ran = chatc("export", "v1", "bad")
    assert (ran.code, ran.out) == (1, "")
    assert "error[RT" in ran.err
    as_json = chatc("export", "v1", "bad", "--json")
    assert (as_json.code, as_json.err) == (1, ran.err)
    assert [each["rule"] for each in as_json.json["diagnostics"]] == ["RT103"]


@pytest.mark.parametrize(
    ("file", "held", "rule"),
    [
        (None, b"", "RT003"),
        ("README.md", b"# A model\n", "RT002"),
        ("latin.json", '{"x": "\xe9"}'.encode("latin-1"), "RT001"),
        ("empty.json", b"{}", "RT003"),
    ],
)
def test_where_no_template_is(chatc: Chatc, file: str | None, held: bytes, rule: str) -> None:
    folder = Path("elsewhere")
    folder.mkdir()
    path = folder / file if file else folder
    if file:
        path.write_bytes(held)
    for command in (["export", "v1"], ["explain"]):
        ran = chatc(*command, f"./{path}", "--json")
        assert ran.code == 2
        assert ran.err.count(f"error[{rule}]") == 1
        assert "defect" not in ran.err
        assert [each["rule"] for each in ran.json["diagnostics"]] == [rule]
