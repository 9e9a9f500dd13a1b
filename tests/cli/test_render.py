"""`chatc render` writes the text of a chat template, and nothing but it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from runtime.chat import ChatTemplate
from tests.chat.model_templates import GRAMMARS
from tests.cli.small_model import Chatc, Ran

TEMPLATE = """\
{{- bos_token }}
{%- for message in messages %}
    {{- '<' + message.role + '>' }}
    {%- generation %}{{ message.content }}{% endgeneration %}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<bot>' }}{% endif %}"""
SHOW = "{{ tools|tojson }}{{ documents|tojson }}{{ mood }}"

ASK: dict[str, Any] = {"role": "user", "content": "Tide?"}
TELL: dict[str, Any] = {"role": "assistant", "content": "Low. "}
TOOL: dict[str, Any] = {"name": "tide"}


@pytest.fixture
def template(chatc: Chatc) -> Path:
    """A template file, in the folder where commands run."""
    return written("own.jinja", TEMPLATE)


def written(name: str, content: Any) -> Path:
    """A file with a text, or with data as JSON."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return path


def render(chatc: Chatc, target: str, *options: str, messages: Any = (ASK,)) -> Ran:
    return chatc("render", target, "--messages", "-", *options, stdin=json.dumps(messages))


def test_the_text_alone_is_written(template: Path, chatc: Chatc) -> None:
    written("chat.json", [ASK, TELL])
    ran = chatc("render", "own.jinja", "--messages", "chat.json")
    assert ran == Ran(0, "<user>Tide?<assistant>Low. ", "")
    assert render(chatc, "own.jinja", "--add-generation-prompt").out == "<user>Tide?<bot>"


def test_a_model_by_its_name(chatc: Chatc) -> None:
    written("grammars/my_model/chat_template.jinja", TEMPLATE)
    for name in ("my_model", "My-Model", "grammars/my_model", "./grammars/my_model"):
        assert render(chatc, name).out == "<user>Tide?"


def test_a_repository_and_its_special_tokens(chatc: Chatc) -> None:
    written("repo/chat_template.jinja", TEMPLATE)
    written("repo/tokenizer_config.json", {"bos_token": "<s>"})
    assert render(chatc, "repo").out == "<s><user>Tide?"
    assert render(chatc, "repo", "--kwargs", '{"bos_token": "<b>"}').out == "<b><user>Tide?"
    assert render(chatc, "repo/chat_template.jinja").out == "<user>Tide?"


def test_the_choice_among_templates(chatc: Chatc) -> None:
    for file in ("chat_template", *(f"additional_chat_templates/{n}" for n in ("tool_use", "a"))):
        written(f"repo/{file}.jinja", Path(file).name)
    written("tools.json", [TOOL])
    assert render(chatc, "repo").out == "chat_template"
    assert render(chatc, "repo", "--tools", "tools.json").out == "tool_use"
    assert render(chatc, "repo", "--tools", "tools.json", "--processor").out == "chat_template"
    for options in ((), ("--processor",)):
        assert render(chatc, "repo", "--name", "a", *options).out == "a"
        ran = render(chatc, "repo", "--name", "b", *options)
        assert (ran.code, ran.out) == (2, "")
        assert ran.err.startswith("error: repo: no template named 'b', only: '")


def test_surprises_of_a_repository_are_warnings(chatc: Chatc) -> None:
    written("repo/chat_template.jinja", TEMPLATE)
    written("repo/tokenizer_config.json", {"chat_template": "old"})
    ran = render(chatc, "repo")
    assert (ran.code, ran.out) == (0, "<user>Tide?")
    assert ran.err.startswith("warning: LT801 tokenizer_config.json: not read, as there are ")
    as_json = json.loads(render(chatc, "repo", "--json").err)
    assert [warning["id"] for warning in as_json["warnings"]] == ["LT801"]


def test_tools_documents_and_variables(chatc: Chatc) -> None:
    written("show.jinja", SHOW)
    written("tools.json", [TOOL])
    written("documents.json", [{"title": "T"}])
    written("mood.json", {"mood": "calm"})
    beside = {"messages": [ASK], "tools": [{"name": "old"}], "documents": None}
    assert render(chatc, "show.jinja").out == "nullnull"
    assert render(chatc, "show.jinja", messages=beside).out == '[{"name": "old"}]null'
    options = ("--tools", "tools.json", "--documents", "documents.json", "--kwargs", "@mood.json")
    expected = '[{"name": "tide"}][{"title": "T"}]calm'
    assert render(chatc, "show.jinja", *options, messages=beside).out == expected


def test_several_files_are_one_conversation(template: Path, chatc: Chatc) -> None:
    written("chat.json", {"messages": [ASK]})
    written("tell.json", TELL)
    options = ("--messages", "tell.json", "--messages", "-")
    ran = chatc("render", "own.jinja", "--messages", "chat.json", *options, stdin=json.dumps([ASK]))
    assert ran.out == "<user>Tide?<assistant>Low. <user>Tide?"


def test_a_message_is_continued(chatc: Chatc) -> None:
    written("m.jinja", "{{ messages[-1].content }}|{{ messages[-1].thinking }}|")
    messages = [{"role": "assistant", "content": "Lo", "thinking": "Hm"}]
    assert render(chatc, "m.jinja", "--continue-final-message", messages=messages).out == "Lo"
    ran = render(chatc, "m.jinja", "--continue-final-message", "thinking", messages=messages)
    assert ran.out == "Lo|Hm"


def test_spans(template: Path, chatc: Chatc) -> None:
    ran = render(chatc, "own.jinja", "--show-spans", messages=[ASK, TELL])
    assert (ran.code, ran.out, ran.err) == (
        0,
        "<user>Tide?<assistant>Low. ",
        "[[6, 11], [22, 27]]\n",
    )
    text = ran.out
    as_json = render(chatc, "own.jinja", "--show-spans", "--json", messages=[ASK, TELL])
    assert (as_json.json, as_json.err) == ({"text": text, "spans": [[6, 11], [22, 27]]}, "")
    assert render(chatc, "own.jinja", "--json").json == {"text": "<user>Tide?"}


def test_images_of_a_processor(chatc: Chatc) -> None:
    written("repo/chat_template.jinja", "{{ messages[0].content[0].type }}")
    messages = [{"role": "user", "content": [{"type": "image_url", "image_url": "u"}]}]
    assert render(chatc, "repo", messages=messages).out == "image_url"
    assert render(chatc, "repo", "--processor", messages=messages).out == "image"


@pytest.mark.parametrize(
    ("source", "kind", "message", "line"),
    [
        ("a\n{{ raise_exception('No\nsuch role') }}", "TemplateError", "No\nsuch role", 2),
        ("a\nb\n{% if %}", "TemplateSyntaxError", "Expected an expression", 3),
        ("\n{{ x.y.z }}", "UndefinedError", "'x' is undefined", 2),
        ("{{ messages[0].content + 1 }}", "TypeError", "can only concatenate", 1),
    ],
)
def test_failures_of_the_template(
    source: str, kind: str, message: str, line: int, chatc: Chatc
) -> None:
    written("bad.jinja", source)
    ran = render(chatc, "bad.jinja")
    assert (ran.code, ran.out) == (1, "")
    one_line = message.replace("\n", "\\n")
    assert ran.err.startswith(f"error: line {line}: {kind}: {one_line}")
    error = json.loads(render(chatc, "bad.jinja", "--json").err)["error"]
    assert (error["class"], error["template_line"]) == (kind, line)
    assert error["message"].startswith(message)


def test_a_failure_without_a_line(chatc: Chatc) -> None:
    written("no.jinja", "nothing of it")
    for options in (("--continue-final-message",), ("--continue-final-message", "thinking")):
        ran = render(chatc, "no.jinja", *options)
        assert (ran.code, ran.out) == (1, "")
        assert ran.err.startswith("error: ValueError: continue_final_message is set ")
        as_json = json.loads(render(chatc, "no.jinja", "--json", *options).err)
        assert as_json["error"]["template_line"] is None


def test_unusable_input(template: Path, chatc: Chatc) -> None:
    written("chat.json", [ASK])
    written("grammars/parsed/response_template.json", "{}")
    written("grammars/tiny/chat_template.jinja", TEMPLATE)
    written("empty/config.json", {})
    written("broken/tokenizer_config.json", "{")
    for file in ("none.json", "one.json"):
        written(file, {"none.json": [], "one.json": ["Hi"]}[file])
    written("half.json", "[")
    written("bare.json", {"content": "Hi"})
    chat = ("--messages", "chat.json")
    cases = {
        ("tinny", *chat): 'no model "tinny"; did you mean "tiny"?',
        ("./tinny", *chat): "./tinny: no such file or folder",
        ("parsed", *chat): "parsed has no chat template",
        ("empty", *chat): "empty: no chat template here",
        ("broken", *chat): "broken: tokenizer_config.json: ",
        ("own.jinja", *chat, "--name", "a"): "own.jinja: one template, which has no name",
        ("own.jinja",): "Missing option '--messages'",
        ("own.jinja", "--messages", "nowhere.json"): "nowhere.json: No such file or directory",
        ("own.jinja", "--messages", "half.json"): "half.json: not JSON: ",
        ("own.jinja", "--messages", "none.json"): "none.json: there is no message",
        ("own.jinja", "--messages", "one.json"): "one.json: messages are a JSON array of objects",
        ("own.jinja", "--messages", "bare.json"): "bare.json: messages are a JSON array of objects",
        ("own.jinja", *chat, "--tools", "one.json"): "one.json: tools are a JSON array of objects",
        ("own.jinja", *chat, "--documents", "bare.json"): "bare.json: documents are a JSON array",
        ("own.jinja", *chat, "--kwargs", "x"): "--kwargs: not JSON: ",
        ("own.jinja", *chat, "--kwargs", "[]"): "--kwargs: variables are a JSON object",
        ("own.jinja", *chat, "--kwargs", '{"tools": []}'): "'tools' has an option of its own",
        ("own.jinja", *chat, "--show-spans", "--continue-final-message"): "goes without --show-",
        (
            "own.jinja",
            *chat,
            "--add-generation-prompt",
            "--continue-final-message",
        ): "without --add",
    }
    for arguments, message in cases.items():
        ran = chatc("render", *arguments)
        assert (ran.code, ran.out) == (2, ""), arguments
        assert message in ran.err
        assert "Traceback" not in ran.err


def test_values_of_any_depth_end_in_a_text_or_an_error(template: Path, chatc: Chatc) -> None:
    for depth in (300, 20_000, 200_000):
        deep = f'[{{"role": "user", "content": {"[" * depth}{"]" * depth}}}]'
        for options in ((), ("--processor",), ("--json", "--show-spans")):
            ran = chatc("render", "own.jinja", "--messages", "-", *options, stdin=deep)
            assert (ran.code == 0) == (ran.err == "")
            assert "Traceback" not in ran.err


def test_a_reply_goes_through_parse_and_back(chatc: Chatc) -> None:
    """The pipe of docs/chat-templates.md."""
    for kind in ("grammars", "generated"):
        shutil.copytree(GRAMMARS.parent / kind / "qwen3", Path(kind, "qwen3"))
    written("chat.json", [ASK])
    begin = ("render", "qwen3", "--messages", "chat.json", "--add-generation-prompt")
    prompt = chatc(*begin).out
    written("prompt.txt", prompt)
    reply = '<think>\nHm.\n</think>\n\nAt 3.\n<tool_call>\n{"name": "f", "arguments": {}}\n'
    written("reply.txt", f"{reply}</tool_call><|im_end|>")
    message = chatc("parse", "qwen3", "reply.txt", "--prefix", "@prompt.txt").out
    files = ("--messages", "chat.json", "--messages", "-")
    whole = chatc("render", "qwen3", *files, stdin=message)
    assert whole == Ran(0, f"{prompt}{reply}</tool_call><|im_end|>\n", "")
    source = Path("grammars/qwen3/chat_template.jinja").read_text("utf-8")
    assert whole.out == ChatTemplate(source).render([ASK, json.loads(message)])
