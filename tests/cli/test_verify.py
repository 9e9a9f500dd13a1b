"""`chatc verify`: the round trip and its three reports. tests/packaging has the shipped parser."""

from __future__ import annotations

import json
import os
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from compiler.round_trip.chunkings import CHUNKINGS
from compiler.round_trip.shapes import SHAPES
from tests.cli.small_model import Chatc, Ran

GOLDEN = Path(__file__).parent / "golden"

CHAT = """\
{%- for message in messages %}
    {{- '<' + message.role + '>' }}
    {%- if message.role == 'assistant' and message.reasoning_content %}
        {{- '<think>' + message.reasoning_content + '</think>' }}
    {%- endif %}
    {{- message.content }}
    {%- for call in message.tool_calls or [] %}
        {{- '<call>' + call.function | tojson + '</call>' }}
    {%- endfor %}
    {{- '<end>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<assistant>' }}{% endif %}
"""
RESPONSE: dict[str, Any] = {
    "defaults": {"role": "assistant"},
    "start_anchor": "<assistant>",
    "fields": {
        "thinking": {"open": "<think>", "close": "</think>"},
        "tool_calls": {
            "open": "<call>",
            "close": "</call>",
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "function": "{content}"},
        },
        "content": {"close": "<end>"},
    },
}
WRONG_CLOSER = json.loads(json.dumps(RESPONSE).replace("</call>", "</calls>"))
ONLY_CONTENT = """\
{%- for message in messages %}
    {%- if message.tool_calls %}{{ raise_exception('no <b>calls</b> `here`') }}{% endif %}
    {{- '<' + message.role + '>' + message.content | trim + '<end>' }}
{%- endfor %}
{{- '<assistant>' if add_generation_prompt }}
{{- '<think>' if add_generation_prompt and thinking }}"""


def repository(name: str, chat: str | None = CHAT, response: Any = RESPONSE) -> Path:
    """A folder with these templates, in the folder where commands run."""
    folder = Path(name)
    folder.mkdir(parents=True)
    if chat is not None:
        (folder / "chat_template.jinja").write_text(chat, "utf-8")
    if response is not None:
        text = response if isinstance(response, str) else json.dumps(response)
        (folder / "response_template.json").write_text(text, "utf-8")
    return folder


def verdicts(ran: Ran) -> dict[str, set[str]]:
    """Shape -> the verdicts of its cells, of a report as JSON."""
    return {row["shape"]: set(row["chunkings"].values()) for row in ran.json["round_trip"]}


# -- what is found


def test_messages_come_back(chatc: Chatc) -> None:
    repository("repo")
    ran = chatc("verify", "repo")
    assert (ran.code, ran.err) == (0, "13 shapes: 12 ok, 1 trimmed\n")
    table = ran.out.split("\n\n")[2].splitlines()
    assert re.split(r" *\| *", table[0])[1:-1] == ["shape", *CHUNKINGS]
    assert len(table) == 2 + 13
    assert re.split(r" *\| *", table[4])[1:-1] == ["one_call", "ok", "ok", "ok", "ok"]


def test_a_model_by_its_name(chatc: Chatc) -> None:
    repository("grammars/my_model")
    ran = chatc("verify", "My-Model")
    assert ran.code == 2
    assert "has not been generated" in ran.err
    assert chatc("generate", "my_model").code == 0
    for name in ("my_model", "My-Model", "grammars/my_model"):
        assert chatc("verify", name, "--shape", "content").err == "1 shape: 1 ok\n"
    module = Path("generated/my_model/response.py")
    # Of another size: bytecode of the same second is told by that.
    module.write_text(module.read_text("utf-8").replace("<end>", "<ended>"), "utf-8")
    assert chatc("verify", "my_model", "--shape", "content").code == 1
    assert chatc("verify", "./grammars/my_model", "--shape", "content").code == 0


def test_a_failure_and_its_command(chatc: Chatc) -> None:
    repository("re po", response=WRONG_CLOSER)
    ran = chatc("verify", "re po", "--json")
    assert ran.code == 1
    failed = {name for name, found in verdicts(ran).items() if found == {"FAILED"}}
    assert failed == {shape.name for shape in SHAPES if shape.message.get("tool_calls")} - {
        shape.name for shape in SHAPES if shape.variables
    }
    (row,) = [row for row in ran.json["round_trip"] if row["shape"] == "parallel_calls"]
    (failure,) = row["failures"]
    assert failure["chunkings"].keys() == CHUNKINGS.keys()
    assert failure["found"] is None
    assert failure["error"].startswith("ParseError: field 'tool_calls'")
    assert failure["command"] == "chatc verify 're po' --shape parallel_calls --chunking whole"
    again = chatc("verify", "re po", "--shape", "parallel_calls", "--chunking", "whole", "--json")
    assert again.code == 1
    assert verdicts(again) == {"parallel_calls": {"FAILED"}}
    assert again.json["round_trip"][0]["failures"][0]["error"] == failure["error"]


def test_what_the_chat_template_does_not_write(chatc: Chatc) -> None:
    repository("repo", ONLY_CONTENT)
    ran = chatc("verify", "repo", "--json")
    assert ran.code == 0
    rows = {row["shape"]: row for row in ran.json["round_trip"]}
    assert rows["reasoning_and_content"]["verdict"] == "not expressed"
    assert rows["reasoning_and_content"]["not_expressed"] == ["reasoning_content"]
    assert rows["space_around"]["not_expressed"] == ["white space around content"]
    assert rows["one_call"]["refusal"] == "TemplateError: no <b>calls</b> `here`"
    assert (rows["one_call"]["prompt"], rows["one_call"]["reply"]) == (None, None)
    assert rows["content"]["verdict"] == rows["thinking_off"]["verdict"] == "ok"
    assert rows["thinking_on"]["prompt_ahead"] == "<think>"
    assert rows["thinking_on"]["variables"] == {"thinking": True}
    text = chatc("verify", "repo").out
    assert '* thinking_on\n\n      "<think>"\n' in text
    assert '* one_call: refused\n\n      "TemplateError: no <b>calls</b> `here`"\n' in text


def test_special_tokens_are_those_of_the_repository(chatc: Chatc) -> None:
    folder = repository("repo", CHAT.replace("'<end>\\n'", "eos_token"))
    assert chatc("verify", "repo", "--shape", "content").code == 0
    (folder / "tokenizer_config.json").write_text('{"eos_token": "</s>"}', "utf-8")
    ran = chatc("verify", "repo", "--shape", "content")
    assert ran.code == 1
    assert "</s>" in ran.out


def test_nothing_came_back_is_no_success(chatc: Chatc) -> None:
    repository("repo", "{{ '<assistant>' }}")
    ran = chatc("verify", "repo", "--shape", "content")
    assert (ran.code, ran.err) == (1, "1 shape: 1 not expressed\n")


# -- what cannot be checked


@pytest.mark.parametrize("missing", ["chat", "response"])
def test_one_template_alone_is_not_checked(missing: str, chatc: Chatc) -> None:
    repository("grammars/half", **{missing: None})
    told = f"round trip not checked: there is no {missing} template"
    for target in ("half", "grammars/half"):
        ran = chatc("verify", target, "--html", "report.html")
        assert (ran.code, ran.out) == (1, "")
        assert ran.err.splitlines()[-1] == told
        assert told.partition("checked")[2] in Path("report.html").read_text("utf-8")
    ran = chatc("verify", "half", "--json")
    assert ran.code == 1
    assert ran.json["ok"] is False
    assert ran.json["not_checked"]["round_trip"] == f"there is no {missing} template"


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"chat": "{{ x"}, "the chat template cannot be compiled: "),
        ({"response": {"fields": {}}}, "the response template has mistakes"),
        ({"response": "{"}, "the response template has mistakes"),
    ],
)
def test_a_template_with_mistakes(files: Any, reason: str, chatc: Chatc) -> None:
    repository("repo", **files)
    ran = chatc("verify", "repo", "--json")
    assert ran.code == 1
    assert ran.json["not_checked"]["round_trip"].startswith(reason)
    kinds = [finding["kind"] for finding in ran.json["findings"]]
    assert ("invalid" in kinds) == ("response" in files)
    assert chatc("verify", "repo").code == 1


def test_a_chat_template_that_cannot_be_loaded(chatc: Chatc) -> None:
    folder = repository("repo")
    (folder / "chat_template.jinja").write_bytes(b"\xff")
    ran = chatc("verify", "repo")
    assert ran.code == 1
    assert "round trip not checked: repo: chat_template.jinja: " in ran.err


def test_usage(chatc: Chatc) -> None:
    repository("repo")
    assert chatc("verify", "repo", "--shape", "nonsense").code == 2
    assert chatc("verify", "repo", "--chunking", "nonsense").code == 2
    assert chatc("verify", "nowhere").err == 'error: no model "nowhere"; see "chatc list"\n'
    assert chatc("verify", "./nowhere").err == "error: ./nowhere: no such folder\n"
    ran = chatc("verify", "repo", "--shape", "thinking_on")
    assert (ran.code, ran.err) == (
        2,
        "error: thinking_on: the chat template reads no such variable\n",
    )
    assert chatc("verify", "repo", "--html", "no/such/folder.html").code == 2


# -- both checks in one report


def test_a_shipped_parser_and_the_round_trip(chatc: Chatc) -> None:
    repository("repo")
    assert chatc("bundle", "repo", "--ship", "repo").code == 0
    ran = chatc("verify", "repo", "--shape", "content", "--html", "report.html")
    told = "the parser is what its template compiles to"
    assert (ran.code, ran.err) == (0, f"{told}\n1 shape: 1 ok\n")
    assert f"* Shipped parser: {told}\n" in ran.out
    with Path("repo/response_parser.py").open("a", encoding="utf-8") as file:
        file.write("print('</pre>')\n")
    ran = chatc("verify", "repo", "--shape", "content", "--html", "report.html")
    assert ran.code == 1
    assert ran.out.startswith("--- response_parser.py (shipped)\n")
    assert "-print('</pre>')\n# Verified by chatc\n" in ran.out
    assert ran.err.endswith("2 findings\n1 shape: 1 ok\n")
    assert "-print(&#39;&lt;/pre&gt;&#39;)" in Path("report.html").read_text("utf-8")


def test_a_broken_chat_template_beside_a_good_parser(chatc: Chatc) -> None:
    folder = repository("models/repo", None)
    assert chatc("bundle", "models/repo", "--ship", "models/repo").code == 0
    assert chatc("verify", "models/repo").code == 0
    (folder / "chat_template.jinja").write_text(CHAT, "utf-8")
    assert chatc("verify", "models/repo", "--shape", "content").code == 0
    (folder / "chat_template.jinja").write_text("{{ x", "utf-8")
    ran = chatc("verify", "models/repo", "--json")
    assert (ran.code, ran.json["findings"], ran.json["ok"]) == (1, [], False)


def test_templates_that_differ_are_found_without_a_shipped_parser(chatc: Chatc) -> None:
    folder = repository("repo")
    config = {"response_template": WRONG_CLOSER}
    (folder / "tokenizer_config.json").write_text(json.dumps(config), "utf-8")
    ran = chatc("verify", "repo", "--shape", "content", "--json")
    assert ran.code == 1
    assert [finding["kind"] for finding in ran.json["findings"]] == ["templates"]


# -- the reports


def test_the_report_is_the_golden_one(chatc: Chatc) -> None:
    """`UPDATE_GOLDEN=1` rewrites it; read the diff."""
    chat = CHAT.replace("message.tool_calls or []", "(message.tool_calls or [])[:1]")
    chat = chat.replace(
        "call.function |", "(call.function if call.function.arguments else 1 / 0) |"
    )
    chat += "{{ '<think>' if add_generation_prompt and thinking }}"
    response = json.loads(json.dumps(RESPONSE).replace('"</think>"', '"</thinking>"'))
    repository("repo", chat, response)
    names = (
        "content",
        "reasoning_and_content",
        "parallel_calls",
        "call_without_arguments",
        "space_around",
        "thinking_on",
        "thinking_off_call",
    )
    ran = chatc("verify", "repo", *(word for name in names for word in ("--shape", name)))
    assert ran.code == 1
    golden = GOLDEN / "verify.md"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_bytes(ran.out.encode())
    assert ran.out == golden.read_text("utf-8")


def test_a_warning_of_the_parser_is_in_the_report(chatc: Chatc) -> None:
    repository("repo", CHAT.replace("'<assistant>'", "'<assistant >'"))
    ran = chatc("verify", "repo", "--shape", "content", "--shape", "one_call")
    warning = "the start anchor does not occur in the prefix"
    assert ran.err == "2 shapes: 2 FAILED\n"
    assert ran.out.count(warning) == 1
    assert '* content, one_call\n\n      "the start anchor' in ran.out
    assert page(chatc, "repo", "--shape", "content").count(warning) == 1
    assert warning in chatc("verify", "repo", "--json").json["round_trip"][0]["warnings"][0]


def test_how_the_conversation_was_given_is_in_the_report(chatc: Chatc) -> None:
    arguments = "'\", \"arguments\": ' + call.function.arguments + '}'"
    added = '\'{"name": "\' + call.function.name + ' + arguments
    repository("repo", CHAT.replace("call.function | tojson", added))
    ran = chatc("verify", "repo", "--shape", "content", "--shape", "one_call")
    assert ran.err == "2 shapes: 2 ok\n"
    assert ran.out.endswith("in another form:\n\n* arguments as JSON text: one_call\n")
    assert page(chatc, "repo").count("in another form: arguments as JSON text.") > 5
    rows = chatc("verify", "repo", "--json").json["round_trip"]
    assert {row["shape"]: row["given"] for row in rows[:3]} == {
        "content": [],
        "reasoning_and_content": [],
        "one_call": ["arguments as JSON text"],
    }


def test_markers_are_sent_where_calls_have_strings(chatc: Chatc) -> None:
    fields = RESPONSE["fields"]
    calls = {**fields["tool_calls"], "strings": "json"}
    extended = {**RESPONSE, "dialect": "extended-1", "fields": {**fields, "tool_calls": calls}}
    repository("repo", CHAT, RESPONSE)
    ran = chatc("verify", "repo", "--shape", "markers_and_quotes")
    assert (ran.code, ran.err) == (
        2,
        "error: markers_and_quotes: the response template has no calls with strings\n",
    )
    repository("strings", CHAT)
    Path("strings/response_template.json").unlink()
    Path("strings/response_template.extended.json").write_text(json.dumps(extended), "utf-8")
    shapes = verdicts(chatc("verify", "strings", "--json"))
    assert shapes["markers_in_an_argument"] == shapes["markers_and_quotes"] == {"ok"}


class Page(HTMLParser):
    """The tags that are open, the ids, and all attributes of a page."""

    VOID = ("meta", "br", "link", "img")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def page(chatc: Chatc, *arguments: str) -> str:
    assert chatc("verify", *arguments, "--html", "report.html").code in (0, 1)
    return Path("report.html").read_bytes().decode("utf-8")


@pytest.mark.parametrize("chat", [CHAT, ONLY_CONTENT])
@pytest.mark.parametrize("response", [RESPONSE, WRONG_CLOSER], ids=["right", "wrong"])
def test_the_page_is_well_formed_and_loads_nothing(chat: str, response: Any, chatc: Chatc) -> None:
    repository("repo", chat, response)
    read = Page(page(chatc, "repo"))
    assert read.open == []
    names = {name for name, _ in read.attributes}
    assert "script" not in read.tags
    assert names.isdisjoint({"src", "style", "onclick", "onload"})
    ids = [value for name, value in read.attributes if name == "id"]
    assert len(set(ids)) == len(ids)
    for name, value in read.attributes:
        assert name not in ("href", "aria-labelledby") or str(value).removeprefix("#") in ids
    assert ("lang", "en") in read.attributes


def test_everything_of_a_template_is_escaped(chatc: Chatc) -> None:
    evil = "</pre><script>alert(1)</script>\u202e\x1b[31m\x07`"
    chat = CHAT.replace("<end>", f"{evil}<end>").replace("<call>", f"{evil}<call>")
    repository("<script>x", chat.replace("'<think>'", "raise_exception('" + evil + "')"))
    shapes = ("--shape", "one_call", "--shape", "reasoning_alone")
    text = page(chatc, "<script>x", *shapes)
    read = Page(text)
    assert "script" not in read.tags
    assert "</pre><script>alert(1)</script>" in read.text
    printed = chatc("verify", "<script>x", *shapes).out
    for written in (text, printed):
        assert not {"\u202e", "\x1b", "\x07"} & set(written)
    assert all(line.startswith(" ") for line in printed.splitlines() if "alert" in line)


def test_pages_are_the_same_wherever_they_are_made(chatc: Chatc) -> None:
    folder = repository("repo", response=WRONG_CLOSER).resolve()
    one, other = page(chatc, "repo"), page(chatc, str(folder))
    assert str(folder) not in other
    assert other == one.replace("chatc verify repo ", "chatc verify . ")
    assert page(chatc, "repo") == one
