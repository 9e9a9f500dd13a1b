"""`chatc check` tells fresh, missing, stale, hand-edited and orphaned files apart."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from tests.cli.small_model import IN_DIALECT, TINY, Chatc, Ran, write_model


def findings(ran: Ran) -> list[tuple[str, str]]:
    return [(finding["kind"], finding["path"]) for finding in ran.json["findings"]]


def test_fresh(generated: Path, chatc: Chatc) -> None:
    ran = chatc("check")
    assert (ran.code, ran.out, ran.err) == (0, "", "1 model: every file is fresh\n")
    assert chatc("check", "--json").json == {"findings": [], "diagnostics": []}


def test_missing(tiny: Path, chatc: Chatc) -> None:
    ran = chatc("check", "--json")
    assert ran.code == 1
    assert findings(ran) == [
        ("missing", "generated/__init__.py"),
        ("missing", "grammars/tiny/region.lark"),
        ("missing", "generated/tiny/response.py"),
        ("missing", "generated/tiny/__init__.py"),
    ]
    assert "--- /dev/null\n+++ generated/tiny/response.py (fresh)\n" in chatc("check").out


def test_a_file_of_all_models_is_found_once(chatc: Chatc) -> None:
    write_model("one", TINY)
    write_model("two", TINY)
    paths = [path for _, path in findings(chatc("check", "--json"))]
    assert len(paths) == len(set(paths)) == 1 + 2 * 3


def test_stale(generated: Path, chatc: Chatc) -> None:
    template = Path("grammars/tiny/response_template.json")
    template.write_text(template.read_text().replace("<end>", "<stop>"))
    before = (generated / "response.py").read_bytes()
    ran = chatc("check")
    assert ran.code == 1
    assert '-CONTENT_CLOSE: "<end>"\n' in ran.out
    assert '+CONTENT_CLOSE: "<stop>"\n' in ran.out
    assert "generated/tiny/response.py: stale: run make generate MODEL=tiny\n" in ran.err
    assert ran.err.endswith("1 model: 3 stale\n")
    assert (generated / "response.py").read_bytes() == before


def test_edited(generated: Path, chatc: Chatc) -> None:
    module = generated / "response.py"
    module.write_text(module.read_text() + "# mine")
    ran = chatc("check")
    assert ran.code == 1
    assert "\n-# mine\n\\ No newline at end of file\n" in ran.out
    assert "generated/tiny/response.py: edited by hand: " in ran.err
    assert findings(chatc("check", "--json")) == [("edited", "generated/tiny/response.py")]


def test_an_edited_grammar(generated: Path, chatc: Chatc) -> None:
    grammar = Path("grammars/tiny/region.lark")
    grammar.write_text(grammar.read_text() + "// mine\n")
    assert findings(chatc("check", "--json")) == [("edited", "grammars/tiny/region.lark")]


def test_line_ends_of_another_system_are_stale_not_edited(generated: Path, chatc: Chatc) -> None:
    module = generated / "response.py"
    module.write_bytes(module.read_bytes().replace(b"\n", b"\r\n"))
    ran = chatc("check", "--json")
    assert findings(ran) == [("stale", "generated/tiny/response.py")]
    assert ran.json["findings"][0]["diff"]


def test_bytes_that_are_no_text(generated: Path, chatc: Chatc) -> None:
    (generated / "response.py").write_bytes(b"\xff\xfe\n")
    ran = chatc("check")
    assert ran.code == 1
    assert "-\\xff\\xfe\n" in ran.out


def test_orphans(generated: Path, chatc: Chatc) -> None:
    for path in ("generated/gone/response.py", "generated/tiny/extra.py", "generated/stray.py"):
        Path(path).parent.mkdir(exist_ok=True)
        Path(path).write_text("")
    Path("grammars/left").mkdir()
    Path("grammars/left/region.lark").write_text("start:\n")
    for ignored in ("generated/tiny/__pycache__", "generated/.cache"):
        Path(ignored).mkdir()
    ran = chatc("check", "--json")
    assert ran.code == 1
    assert findings(ran) == [
        ("orphan", "generated/gone"),
        ("orphan", "generated/stray.py"),
        ("orphan", "generated/tiny/extra.py"),
        ("orphan", "grammars/left/region.lark"),
    ]
    assert "generated/gone: made by no template: delete it\n" in ran.err


def test_the_grammar_of_a_template_in_the_dialect_is_no_orphan(
    generated: Path, chatc: Chatc
) -> None:
    template = Path("grammars/tiny/response_template.json")
    spec = {"dialect": "extended-1", **json.loads(template.read_text())}
    template.with_name("response_template.extended.json").write_text(json.dumps(spec))
    template.unlink()
    assert chatc("generate", "tiny").code == 0
    assert chatc("check").code == 0


def test_a_package_whose_model_is_gone(generated: Path, chatc: Chatc) -> None:
    Path("grammars/tiny/response_template.json").unlink()
    ran = chatc("check", "--json")
    assert findings(ran) == [
        ("orphan", "generated/tiny"),
        ("orphan", "grammars/tiny/region.lark"),
    ]


def test_a_package_of_a_template_elsewhere(chatc: Chatc) -> None:
    folder = Path("my model")
    folder.mkdir()
    (folder / "response_template.json").write_text(json.dumps(TINY))
    assert chatc("generate", "my model").code == 0
    assert chatc("check").err == "1 model: every file is fresh\n"
    (folder / "response_template.json").write_text(json.dumps(TINY).replace("<end>", "<stop>"))
    assert {kind for kind, _ in findings(chatc("check", "--json"))} == {"stale"}
    folder.rename("renamed")
    assert findings(chatc("check", "--json")) == [("orphan", "generated/my_model")]


@pytest.mark.parametrize("folder", ["grammars/tiny", "hub/my model"])
def test_a_package_of_the_v1_template_of_two(folder: str, chatc: Chatc) -> None:
    Path(folder).mkdir(parents=True)
    v1, extended = (Path(folder, f"response_template{kind}.json") for kind in ("", ".extended"))
    v1.write_text(json.dumps(TINY))
    extended.write_text(json.dumps(IN_DIALECT))
    assert chatc("generate", "--v1", folder).code == 0
    assert chatc("check").err == "1 model: every file is fresh\n"
    v1.write_text(json.dumps(TINY).replace("<end>", "<stop>"))
    ran = chatc("check")
    assert ran.code == 1
    assert f"stale: run chatc generate --v1 {shlex.quote(folder)}\n" in ran.err
    v1.unlink()  # the other one is left
    assert chatc("check").code == 1
    assert chatc("generate", folder).code == 0
    assert chatc("check").code == 0


def test_a_template_with_mistakes(generated: Path, chatc: Chatc) -> None:
    Path("grammars/tiny/response_template.json").write_text('{"start_anchor": "A", "fields": {}}')
    ran = chatc("check", "--json")
    assert ran.code == 1
    assert ran.json["findings"] == []
    assert ran.json["diagnostics"]
    assert "error[" in ran.err


@pytest.mark.parametrize("folder", ["", "grammars"])
def test_nothing_to_check(folder: str, chatc: Chatc) -> None:
    Path(folder).mkdir(exist_ok=True)
    ran = chatc("check")
    assert ran.code == 2
    assert "nothing to check" in ran.err


def test_the_same_twice(generated: Path, chatc: Chatc) -> None:
    write_model("zeta", TINY)
    write_model("alpha", TINY)
    assert chatc("check") == chatc("check")
