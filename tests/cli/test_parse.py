"""`chatc parse` prints the message, or the events that lead to it."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from compiler.cli.one_text import parse_text
from compiler.cli.parsers import Arguments
from compiler.cli.reporting import Reporting
from tests.cli.small_model import TINY, Chatc, write_model

REPLY = '<think>Hm, ok?</think>\n<call>{"name": "f", "arguments": {"n": "3"}}</call>Done.<end>'
MESSAGE = {
    "role": "assistant",
    "thinking": "Hm, ok?",
    "tool_calls": [{"type": "function", "function": {"name": "f", "arguments": {"n": "3"}}}],
    "content": "Done.",
}
BAD = "Hello.<call>{oops</call>"
TOOLS = [
    {"name": "f", "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}}},
]


def merged(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The events with neighbouring chunks joined."""
    result: list[dict[str, Any]] = []
    for event in events:
        if result and event["type"] == "region_chunk" == result[-1]["type"]:
            result[-1]["text"] += event["text"]
        else:
            result.append(dict(event))
    return result


def test_a_text_from_stdin_and_from_a_file(generated: Path, chatc: Chatc) -> None:
    ran = chatc("parse", "tiny", stdin=REPLY)
    assert (ran.code, ran.err, ran.json) == (0, "", MESSAGE)
    Path("reply.txt").write_bytes(REPLY.encode())
    assert chatc("parse", "Tiny", "reply.txt") == ran


def test_line_ends_reach_the_parser(generated: Path, chatc: Chatc) -> None:
    Path("reply.txt").write_bytes(b"<think>a\r\nb\rc</think>")
    assert chatc("parse", "tiny", "reply.txt").json["thinking"] == "a\r\nb\rc"


def test_a_template_is_compiled_in_memory(tiny: Path, chatc: Chatc) -> None:
    for target in ("grammars/tiny", "grammars/tiny/response_template.json"):
        assert chatc("parse", target, stdin=REPLY).json == MESSAGE
    assert not Path("generated").exists()


def test_code_beside_a_template_is_not_run(tiny: Path, chatc: Chatc) -> None:
    (tiny / "response.py").write_text("raise SystemExit(7)")
    assert chatc("parse", "grammars/tiny", stdin=REPLY).code == 0


def test_the_generated_parser_is_run_as_it_is(generated: Path, chatc: Chatc) -> None:
    module = generated / "response.py"
    module.write_text(module.read_text().replace('"role": "assistant"', '"role": "edited"'))
    assert chatc("parse", "tiny", stdin="x").json == {"role": "edited", "content": "x"}


def test_prefix(generated: Path, chatc: Chatc) -> None:
    Path("prompt.txt").write_text("user: hi <bot><think>So")
    for prefix in ("<bot><think>So", "@prompt.txt"):
        ran = chatc("parse", "tiny", "--prefix", prefix, stdin=" on</think>Hi")
        assert ran.json == {"role": "assistant", "thinking": "So on", "content": "Hi"}


def test_tools(generated: Path, chatc: Chatc) -> None:
    Path("tools.json").write_text(json.dumps(TOOLS))
    ran = chatc("parse", "tiny", "--tools", "tools.json", stdin=REPLY)
    assert ran.json["tool_calls"][0]["function"]["arguments"] == {"n": 3}


def test_a_text_that_cannot_be_parsed(generated: Path, chatc: Chatc) -> None:
    ran = chatc("parse", "tiny", stdin=BAD)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("error: field 'tool_calls' at offset 12: ")
    as_json = json.loads(chatc("parse", "tiny", "--json", stdin=BAD).err)["error"]
    assert (as_json["field"], as_json["span"], as_json["raw"]) == ("tool_calls", [12, 17], "{oops")


def test_what_fails_can_be_kept(generated: Path, chatc: Chatc) -> None:
    ran = chatc("parse", "tiny", "--on-error", "keep", stdin=BAD)
    assert (ran.code, ran.json) == (0, {"role": "assistant", "content": "Hello."})
    assert ran.err.startswith("warning: field 'tool_calls' at offset 12: ")
    strict = chatc("parse", "tiny", "--on-error", "keep", "--strict", "--json", stdin=BAD)
    assert (strict.code, strict.out) == (1, ran.out)
    assert json.loads(strict.err)["errors"][0]["raw"] == "{oops"
    assert chatc("parse", "tiny", "--strict", stdin=REPLY).code == 0


def test_why_generation_ended(generated: Path, chatc: Chatc) -> None:
    cut = '<call>{"name": "f"}'
    assert "tool_calls" in chatc("parse", "tiny", stdin=cut).json
    assert "tool_calls" in chatc("parse", "tiny", "--finish-reason", "stop", stdin=cut).json
    assert chatc("parse", "tiny", "--finish-reason", "length", stdin=cut).code == 1


@pytest.mark.parametrize("text", [REPLY, "", "a<b<end", "<think>\n</think >\r\n"])
def test_every_chunking_streams_the_same(text: str, generated: Path, chatc: Chatc) -> None:
    streams = [
        chatc("parse", "tiny", "--stream", "--chunk", chunk, stdin=text).rows
        for chunk in ("1", "token", "all")
    ]
    assert merged(streams[0]) == merged(streams[1]) == merged(streams[2])
    message = chatc("parse", "tiny", stdin=text).json
    assert streams[0][-1] == {"type": "message", "message": message}


def test_the_finest_chunks_make_the_most_events(generated: Path, chatc: Chatc) -> None:
    counts = [
        len(chatc("parse", "tiny", "--stream", "--chunk", chunk, stdin="Well, well.").rows)
        for chunk in ("1", "token", "all")
    ]
    assert counts == [11 + 3, 5 + 3, 1 + 3]  # chunks; open, close, message


def test_the_first_events_are_those_of_the_prefix(generated: Path, chatc: Chatc) -> None:
    ran = chatc("parse", "tiny", "--stream", "--prefix", "<bot><think>", stdin="</think>")
    assert ran.rows[0] == {"type": "region_open", "field": "thinking"}


def test_events_before_a_failure_are_shown(generated: Path, chatc: Chatc) -> None:
    for chunk in ("1", "all"):
        ran = chatc("parse", "tiny", "--stream", "--chunk", chunk, stdin=BAD)
        assert ran.code == 1
        assert merged(ran.rows)[1]["text"] == "Hello."
        assert ran.rows[-1]["field"] == "tool_calls"
        assert "error: field 'tool_calls'" in ran.err


def test_what_was_kept_is_in_the_stream(generated: Path, chatc: Chatc) -> None:
    ran = chatc("parse", "tiny", "--stream", "--on-error", "keep", stdin=BAD)
    assert ran.code == 0
    assert [row["type"] for row in ran.rows][-2:] == ["region_malformed", "message"]


def test_odd_values_are_still_json_in_utf8(generated: Path, chatc: Chatc) -> None:
    text = '<call>{"a": "\\ud800", "b": "\u3042"}</call>\u3042'
    ran = chatc("parse", "tiny", stdin=text)
    assert ran.code == 0
    assert ran.json["tool_calls"][0]["function"] == {"a": "\ud800", "b": "\u3042"}


@pytest.mark.parametrize("depth", [300, 700, 900, 3_000, 20_000])
def test_values_of_any_depth_end_in_a_message_or_an_error(
    depth: int, generated: Path, chatc: Chatc
) -> None:
    text = f"<call>{'[' * depth}{']' * depth}</call>"
    for options in ((), ("--stream",)):
        ran = chatc("parse", "tiny", *options, stdin=text)
        assert (ran.code == 1) == ran.err.startswith("error: ")
        assert "Traceback" not in ran.err


def test_a_value_that_json_cannot_show(capsys: pytest.CaptureFixture[str]) -> None:
    value: list[Any] = []
    for _ in range(100_000):
        value = [value]
    module = SimpleNamespace(parse_result=lambda *_, **__: ({"deep": value}, []), Parser=None)
    arguments = Arguments("", None, "raise", None)
    assert parse_text(module, arguments, "", Reporting(as_json=False, strict=False)) == 1
    assert "error: the message cannot be written as JSON: " in capsys.readouterr().err


def test_unusable_input(generated: Path, chatc: Chatc) -> None:
    write_model("raw", TINY)
    Path("latin.txt").write_bytes(b"\xe9")
    Path("tools.json").write_text('{"name": "f"}')
    Path("half.json").write_text("[")
    write_model("bad", "{")
    cases = {
        ("tinny",): 'no model "tinny"; did you mean "tiny"?',
        ("./tinny",): "./tinny: no such file or folder",
        ("raw",): 'raw has not been generated: run "chatc generate raw"',
        ("tiny", "none.txt"): "none.txt: No such file or directory",
        ("tiny", "grammars"): "grammars: Is a directory",
        ("tiny", "latin.txt"): "latin.txt: not UTF-8 text: offset 0",
        ("tiny", "--tools", "tools.json"): "tools.json: tools are a JSON array of schemas",
        ("tiny", "--tools", "half.json"): "half.json: not JSON: ",
        ("tiny", "--prefix", "@none.txt"): "none.txt: No such file or directory",
        ("grammars/bad",): "error[RT002]",
        ("tiny", "--workers", "2"): "--workers goes with --input",
        ("tiny", "--input", "a", "--stream"): "--input goes without FILE and --stream",
    }
    for arguments, message in cases.items():
        ran = chatc("parse", *arguments)
        assert (ran.code, ran.out) == (2, ""), arguments
        assert message in ran.err
        assert "Traceback" not in ran.err


def test_mistakes_of_a_template_have_their_place(chatc: Chatc) -> None:
    write_model("bad", {"start_anchor": "A", "fields": {"a": {"open": ""}}})
    ran = chatc("parse", "grammars/bad", stdin="x")
    assert (ran.code, ran.out) == (1, "")
    assert "grammars/bad/response_template.json:5:" in ran.err


def test_a_generated_parser_that_cannot_be_imported(generated: Path, chatc: Chatc) -> None:
    (generated / "response.py").write_text("def")
    ran = chatc("parse", "tiny", stdin="x")
    assert ran.code == 2
    assert "tiny: cannot import its parser: " in ran.err
