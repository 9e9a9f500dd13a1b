"""`chatc parse --input` parses every row, in order, whatever is wrong with some of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.small_model import Chatc, Ran

WORKERS = ("1", "2")


def write_rows(path: str, rows: list[Any]) -> None:
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    Path(path).write_text("".join(f"{line}\n" for line in lines))


def parsed(ran: Ran) -> list[Any]:
    return [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]


def content(text: str) -> dict[str, Any]:
    return {"message": {"role": "assistant", "content": text}, "errors": []}


@pytest.mark.parametrize("workers", WORKERS)
def test_order_is_kept(workers: str, generated: Path, chatc: Chatc) -> None:
    texts = [f"{number}" * (1 + number % 7 * 300) for number in range(500)]
    write_rows("in.jsonl", [{"id": i, "text": text} for i, text in enumerate(texts)])
    ran = chatc(
        *("parse", "tiny", "--input", "in.jsonl", "--output", "out.jsonl", "--workers", workers)
    )
    assert (ran.code, ran.out) == (0, "")
    assert parsed(ran) == [{"id": i} | content(text) for i, text in enumerate(texts)]
    assert ran.err.startswith("500 rows: 0 failed, 0 with errors kept; ")


@pytest.mark.parametrize("workers", WORKERS)
def test_bad_rows_stop_nothing(workers: str, generated: Path, chatc: Chatc) -> None:
    rows = [
        {"text": "a"},
        "{",
        "",
        '"text"',
        {"id": "x", "prompt": "p"},
        {"id": 3, "text": ["a"]},
        {"text": "b", "tools": "f"},
        {"text": None},
        {"id": [1], "text": "c"},
        "[" * 100_000,
        {"id": 4, "text": "d<call>{oops</call>"},
        {"text": "e", "prompt": [{"role": "user"}]},
        {"id": 5, "completion": "f"},
    ]
    write_rows("in.jsonl", rows)
    ran = chatc("parse", "tiny", "--input", "in.jsonl", "--workers", workers)
    assert ran.code == 0
    got = ran.rows
    assert len(got) == len(rows) - 1  # the blank line
    assert (got[0], got[7], got[11]) == (content("a"), content("c"), {"id": 5} | content("f"))
    problems = {index: row["error"]["message"] for index, row in enumerate(got) if "error" in row}
    assert list(problems) == [1, 2, 3, 4, 5, 6, 8, 10]
    assert problems[1].startswith("the row is not JSON: ")
    assert problems[2] == "the row is not a JSON object"
    assert problems[3] == 'the row has no "text" and no "completion"'
    assert problems[4] == '"text" is not a string'
    assert problems[5] == '"tools" is not an array'
    assert problems[10] == '"prompt" is not a string'
    assert (got[3]["id"], got[4]["id"]) == ("x", 3)
    assert got[9]["id"] == 4
    assert got[9]["message"] == {"role": "assistant", "content": "d"}
    assert got[9]["errors"][0]["raw"] == "{oops"
    assert ran.err.startswith("12 rows: 8 failed, 1 with errors kept; ")


def test_an_undecodable_row(generated: Path, chatc: Chatc) -> None:
    Path("in.jsonl").write_bytes(b'\xef\xbb\xbf{"text": "a"}\n\xff\n{"text": "b"}')
    ran = chatc("parse", "tiny", "--input", "in.jsonl")
    assert ran.rows[0] == content("a")  # after a byte order mark
    assert ran.rows[1]["error"]["message"].startswith("the row is not JSON: ")
    assert ran.rows[2] == content("b")


def test_failures_can_be_raised_into_their_rows(generated: Path, chatc: Chatc) -> None:
    write_rows("in.jsonl", [{"text": "<call>{oops</call>"}, {"text": "a"}])
    ran = chatc("parse", "tiny", "--input", "in.jsonl", "--on-error", "raise")
    assert ran.code == 0
    assert ran.rows[0]["error"]["field"] == "tool_calls"
    assert ran.rows[0]["error"]["raw"] == "{oops"
    assert ran.rows[1] == content("a")


def test_strict(generated: Path, chatc: Chatc) -> None:
    for text, code in (("a", 0), ("<call>{oops</call>", 1)):
        write_rows("in.jsonl", [{"text": text}])
        assert chatc("parse", "tiny", "--input", "in.jsonl", "--strict").code == code
    write_rows("in.jsonl", [{}])
    assert chatc("parse", "tiny", "--input", "in.jsonl", "--strict").code == 1


def test_what_a_row_says_goes_before_the_options(generated: Path, chatc: Chatc) -> None:
    tools = [{"name": "f", "parameters": {"properties": {"n": {"type": "integer"}}}}]
    call = '<call>{"name": "f", "arguments": {"n": "3"}}</call>'
    rows = [
        {"text": "a"},
        {"text": "a", "prefix": ""},
        {"text": "a", "prompt": None},
        {"text": call, "tools": tools},
        {"text": call[:-7], "finish_reason": "length"},
        {"text": call[:-7]},
    ]
    write_rows("in.jsonl", rows)
    got = chatc("parse", "tiny", "--input", "in.jsonl", "--prefix", "<think>").rows
    assert [set(row["message"]) for row in got[:3]] == [
        {"role", "thinking"},
        {"role", "content"},
        {"role", "thinking"},
    ]
    got = chatc("parse", "tiny", "--input", "in.jsonl").rows
    assert got[3]["message"]["tool_calls"][0]["function"]["arguments"] == {"n": 3}
    assert got[4]["errors"][0]["reason"] == "unfinished"
    assert got[5]["message"]["tool_calls"][0]["function"]["arguments"] == {"n": "3"}


def test_keys(generated: Path, chatc: Chatc) -> None:
    write_rows("in.jsonl", [{"reply": "a", "text": "no", "ask": "<think>", "prompt": "no"}])
    keys = ("--text-key", "reply", "--prefix-key", "ask")
    got = chatc("parse", "tiny", "--input", "in.jsonl", *keys).rows
    assert got == [{"message": {"role": "assistant", "thinking": "a"}, "errors": []}]


def test_stdin_to_stdout(generated: Path, chatc: Chatc) -> None:
    ran = chatc("parse", "tiny", "--input", "-", "--json", stdin='{"text": "a"}\r\n\n')
    assert ran.rows == [content("a")]
    summary = json.loads(ran.err)
    assert summary.pop("rows_per_second") > 0
    assert summary == {"rows": 1, "failed": 0, "kept": 0}


def test_no_rows(generated: Path, chatc: Chatc) -> None:
    for workers in WORKERS:
        ran = chatc("parse", "tiny", "--input", "-", "--workers", workers)
        assert (ran.code, ran.out) == (0, "")
        assert ran.err == "0 rows: 0 failed, 0 with errors kept; 0 rows/s\n"


def test_a_template_compiled_in_memory_reaches_the_processes(tiny: Path, chatc: Chatc) -> None:
    write_rows("in.jsonl", [{"text": "a"}] * 3)
    ran = chatc("parse", "grammars/tiny", "--input", "in.jsonl", "--workers", "2")
    assert ran.rows == [content("a")] * 3


def test_no_file_is_lost(generated: Path, chatc: Chatc) -> None:
    write_rows("in.jsonl", [{"text": "a"}])
    ran = chatc("parse", "tiny", "--input", "in.jsonl", "--output", "./in.jsonl")
    assert ran.code == 2
    assert "the output would replace the input" in ran.err
    write_rows("out.jsonl", [{}])
    ran = chatc("parse", "tiny", "--input", "none.jsonl", "--output", "out.jsonl")
    assert (ran.code, Path("out.jsonl").read_text()) == (2, "{}\n")
    assert "none.jsonl: No such file or directory" in ran.err


def test_a_process_that_dies(generated: Path, chatc: Chatc) -> None:
    module = generated / "response.py"
    killer = "import multiprocessing, os\nif multiprocessing.parent_process(): os._exit(9)\n"
    module.write_text(module.read_text() + killer)
    write_rows("in.jsonl", [{"text": "a"}] * 3)
    ran = chatc("parse", "tiny", "--input", "in.jsonl", "--workers", "2")
    assert ran.code == 2
    assert "error: a process died" in ran.err
