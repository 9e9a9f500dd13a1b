"""`chatc lint` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.small_model import Chatc

BAD = "{% if True %}\n{{ messages[0].role.upper() }}{% endif %}\n"
MENDED = "{% if true %}\n{{- messages[0].role.upper() }}{% endif %}\n"
GOOD = "{{ messages[0].role }}\n"


@pytest.fixture
def bad(chatc: Chatc) -> Path:
    path = Path("bad.jinja")
    path.write_text(BAD, encoding="utf-8")
    return path


def test_the_report(chatc: Chatc, bad: Path) -> None:
    ran = chatc("lint", "bad.jinja", "--ignore", "LT105")
    assert ran.code == 1
    assert ran.out == (
        "bad.jinja:1:7: warning[LT103]: True is Python's spelling\n"
        "  1 | {% if True %}\n"
        "    |       ^\n"
        "  help: write true\n"
        "\n"
        "bad.jinja:2:21: warning[LT101]: upper() is a method of Python's strings\n"
        "  2 | {{ messages[0].role.upper() }}{% endif %}\n"
        "    |                     ^\n"
        "  help: write x|upper\n"
        "\n"
        "0 errors, 2 warnings\n"
    )
    assert ran.err == "1 file: 2 problems, 1 of them fixed by --fix\n"
    assert bad.read_text("utf-8") == BAD


def test_nothing_is_found(chatc: Chatc) -> None:
    Path("good.jinja").write_text(GOOD)
    ran = chatc("lint", "good.jinja")
    assert (ran.code, ran.out, ran.err) == (0, "", "1 file: nothing found\n")


def test_json(chatc: Chatc, bad: Path) -> None:
    ran = chatc("lint", "bad.jinja", "--select", "LT103", "--json")
    assert ran.code == 1
    assert ran.json == {
        "diagnostics": [
            {
                "rule": "LT103",
                "severity": "warning",
                "message": "True is Python's spelling",
                "pointer": "",
                "hint": "write true",
                "file": "bad.jinja",
                "line": 1,
                "column": 7,
                "fix": {
                    "message": "True -> true",
                    "edits": [{"start": 6, "end": 10, "replacement": "true"}],
                },
            }
        ],
        "fixed": [],
    }
    fixed = chatc("lint", "bad.jinja", "--select", "LT103", "--json", "--fix").json
    assert [len(fixed[key]) for key in ("diagnostics", "fixed")] == [0, 1]


def test_annotations_of_github(chatc: Chatc) -> None:
    text = "{% if a %}{{ raise_exception('50%: a,\nb') }}{% endif %}{{ nope(']::') + messages }}"
    Path("odd,name:50%.jinja").write_text(text)
    ran = chatc("lint", "odd,name:50%.jinja", "--github")
    assert ran.code == 1
    assert ran.out == (
        "::warning file=odd%2Cname%3A50%25.jinja,line=2,col=21,title=LT206::"
        "with a user's message, this fails: UndefinedError: 'nope' is undefined\n"
    )
    Path("bad.jinja").write_text("{{ raise_exception('50%\r\nb') or True }}")
    assert chatc("lint", "bad.jinja", "--github").out == (
        "::warning file=bad.jinja,line=1,col=4,title=LT206::"
        "with a user's message, this fails: TemplateError: 50%25%0Ab\n"
        "::warning file=bad.jinja,line=2,col=8,title=LT103::"
        "True is Python's spelling%0Ahelp: write true\n"
    )


def test_fixing(chatc: Chatc, bad: Path) -> None:
    ran = chatc("lint", "bad.jinja", "--fix")
    assert bad.read_bytes() == MENDED.encode()
    assert ran.code == 1  # the method is left
    assert ran.out.startswith("bad.jinja:2:22: warning[LT101]")
    assert ran.err == (
        "bad.jinja:1:1: fixed[LT105]: 1 sign where white space is taken\n"
        "bad.jinja:1:7: fixed[LT103]: True -> true\n"
        "1 file: 2 fixed, 1 problem left\n"
    )
    ran = chatc("lint", "bad.jinja", "--fix", "--ignore", "LT101")
    assert (ran.code, ran.err) == (0, "1 file: nothing found\n")


def test_showing_what_would_be_fixed(chatc: Chatc, bad: Path) -> None:
    ran = chatc("lint", "bad.jinja", "--diff", "--ignore", "LT101")
    assert bad.read_bytes() == BAD.encode()
    assert ran.code == 1
    assert ran.out == (
        "--- a/bad.jinja\n+++ b/bad.jinja\n@@ -1,2 +1,2 @@\n"
        "-{% if True %}\n-{{ messages[0].role.upper() }}{% endif %}\n"
        "+{% if true %}\n+{{- messages[0].role.upper() }}{% endif %}\n"
    )
    assert ran.err == (
        "bad.jinja:1:1: would be fixed[LT105]: 1 sign where white space is taken\n"
        "bad.jinja:1:7: would be fixed[LT103]: True -> true\n"
        "1 file: 2 to be fixed, nothing left\n"
    )


def test_line_ends_and_rights_stay(chatc: Chatc, bad: Path) -> None:
    bad.write_bytes(BAD.replace("\n", "\r\n").encode())
    bad.chmod(0o640)
    assert chatc("lint", "bad.jinja", "--fix").code == 1
    assert bad.read_bytes() == MENDED.replace("\n", "\r\n").encode()
    assert bad.stat().st_mode & 0o777 == 0o640


def test_a_model_and_all_models(chatc: Chatc, tiny: Path) -> None:
    (tiny / "chat_template.jinja").write_text(GOOD)
    only = Path("grammars/chat-only")
    only.mkdir()
    (only / "chat_template.jinja").write_text(BAD)
    ran = chatc("lint", "Chat_Only", "--select", "LT103")
    assert ran.out.startswith("grammars/chat-only/chat_template.jinja:1:7: ")
    ran = chatc("lint", "--select", "LT103")
    assert (ran.code, ran.err) == (1, "3 files: 1 problem, 1 of them fixed by --fix\n")
    assert chatc("lint", "tiny", "grammars/tiny", "--select", "LT1").err == (
        "2 files: nothing found\n"
    )


def test_a_model_repository(chatc: Chatc) -> None:
    folder = Path("repository/additional_chat_templates")
    folder.mkdir(parents=True)
    (folder / "rag.jinja").write_text(BAD)
    (folder.parent / "chat_template.jinja").write_text(GOOD)
    config = json.dumps({"chat_template": BAD})
    (folder.parent / "tokenizer_config.json").write_text(config)
    (folder.parent / "processor_config.json").write_text("{}")
    ran = chatc("lint", "repository", "--select", "LT103,LT8")
    assert [line for line in ran.out.splitlines() if line.startswith("repository")] == [
        "repository/tokenizer_config.json: warning[LT801]: "
        "not read, as there are .jinja files; it has: 'default'",
        "repository/tokenizer_config.json: warning[LT805]: "
        "processors do not read it; it has: 'default'",
        "repository/tokenizer_config.json:1:26: warning[LT103] /chat_template: "
        "True is Python's spelling",
        "repository/additional_chat_templates/rag.jinja:1:7: warning[LT103]: "
        "True is Python's spelling",
    ]
    assert ran.err.startswith("3 files: ")


def test_what_is_no_template(chatc: Chatc) -> None:
    Path("broken.jinja").write_text("a\n{% if %}")
    ran = chatc("lint", "broken.jinja", "--select", "LT103", "--fix")
    assert ran.code == 1
    assert ran.out.startswith("broken.jinja:2:7: error[LT001]: this is not Jinja: ")
    Path("broken.json").write_text("{")
    ran = chatc("lint", "broken.json")
    assert ran.code == 1
    assert ran.out.startswith("broken.json:1:2: error[RT002]: not JSON: ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere"], 'no model "nowhere"'),
        (["no/where"], "no/where: no such file or folder"),
        (["empty"], "empty: no chat template and no response template here"),
        ([], "nothing to lint: no models under grammars/"),
        (["bad.jinja", "--select", "LT1011"], 'starts with "LT1011"; did you mean "LT101"?'),
        (["bad.jinja", "--ignore", ""], 'starts with ""'),
        (["bad.jinja", "--fix", "--diff"], "--fix or --diff, not both"),
        (["bad.jinja", "--json", "--github"], "one of --diff, --json and --github, not several"),
        (["binary.jinja"], "binary.jinja: not UTF-8 text: offset 0"),
    ],
)
def test_wrong_use(chatc: Chatc, bad: Path, arguments: list[str], said: str) -> None:
    Path("empty").mkdir()
    Path("binary.jinja").write_bytes(b"\xff")
    ran = chatc("lint", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_a_folder_with_a_template_in_the_dialect_alone(chatc: Chatc) -> None:
    template = {"dialect": "extended-1", "start_anchor": "A", "fields": {"content": {}}}
    Path("repo").mkdir()
    Path("repo/response_template.extended.json").write_text(json.dumps(template))
    ran = chatc("lint", "repo", "--json")
    assert [found["rule"] for found in ran.json["diagnostics"]] == ["LT515"]
