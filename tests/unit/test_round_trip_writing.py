"""How `chatc verify` gives a chat template a conversation, and where it cuts what comes out."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from compiler.frontend.fields import template_of
from compiler.round_trip.both_ways import BothWays
from compiler.round_trip.markers import markers, stand_on_lines
from compiler.round_trip.outcome import Written
from compiler.round_trip.shapes import SHAPE_NAMES, Message, Shape, shapes_for
from compiler.round_trip.writing import NoTurn, write

Render = Callable[..., str]

HI: Message = {"role": "assistant", "content": "Hi"}
PARSER: Any = None  # nothing is parsed here


def call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "arguments": arguments}}


CALLS: Message = {"role": "assistant", "content": "", "tool_calls": [call("f", a=1), call("g")]}


def written(render: Render, message: Message) -> Written:
    return write(BothWays(render, {}, PARSER), Shape("x", message))


# -- forms


def template(of_call: Callable[[dict[str, Any]], str], check: Any = None) -> Render:
    """A chat template that writes calls so; `check` may refuse what it is given."""

    def render(messages: list[Message], tools: Any, add_generation_prompt: bool = False) -> str:
        if check:
            check(messages, tools)
        turns = [
            f"<{message['role'][0]}>{message['content']}"
            + "".join(map(of_call, message.get("tool_calls", [])))
            for message in messages
        ]
        return "".join(turns) + "<a>" * add_generation_prompt

    return render


def as_json(call: dict[str, Any]) -> str:
    return json.dumps(call["function"])


def test_the_default_form_is_as_transformers_documents_it() -> None:
    cut = written(template(as_json), CALLS)
    assert cut.form.words == ()
    assert cut.reply == '{"name": "f", "arguments": {"a": 1}}{"name": "g", "arguments": {}}'
    assert cut.expressed.message == CALLS


def test_each_call_is_given_an_id() -> None:
    cut = written(template(lambda call: call["id"] + as_json(call)), CALLS)
    assert cut.form.words == ()
    ids = [call["id"] for call in cut.expressed.message["tool_calls"]]
    assert ids == ["call00000", "call00001"]


def test_arguments_as_text_for_a_template_that_adds_texts() -> None:
    cut = written(
        template(lambda call: call["function"]["name"] + call["function"]["arguments"]), CALLS
    )
    assert cut.form.words == ("arguments as JSON text",)
    assert cut.reply == 'f{"a": 1}g{}'
    assert cut.expressed.message["tool_calls"][0]["function"]["arguments"] == {"a": 1}


def test_names_in_ids_for_a_template_that_writes_ids_alone() -> None:
    cut = written(
        template(lambda call: call["id"] + json.dumps(call["function"]["arguments"])), CALLS
    )
    assert cut.form.words == ("ids with the function's name",)
    assert cut.reply == 'functions.f:0{"a": 1}functions.g:1{}'
    ids = [call["id"] for call in cut.expressed.message["tool_calls"]]
    assert ids == ["functions.f:0", "functions.g:1"]
    assert cut.expressed.lost == ()


def test_parts_and_bare_tools_for_a_template_that_wants_them() -> None:
    def check(messages: list[Message], tools: Any) -> None:
        texts = [part["text"] for message in messages for part in message["content"]]
        names = [tool["name"] for tool in tools]
        assert texts and names

    cut = written(template(as_json, check), HI)
    assert cut.form.words == ("content as a list of parts", "tools as bare functions")
    assert cut.expressed.lost == ()


def test_the_form_is_the_default_where_none_will_do() -> None:
    def check(messages: list[Message], tools: Any) -> None:
        raise ValueError(f"{type(messages[0]['content']).__name__}, {sorted(tools[0])}")

    with pytest.raises(ValueError, match=r"^str, \['function', 'type'\]$"):
        written(template(as_json, check), HI)


def test_calls_that_no_form_shows_are_lost() -> None:
    cut = written(template(lambda call: ""), CALLS)
    assert (cut.form.words, cut.expressed.lost) == ((), ("tool_calls",))


# -- where it is cut


def of_texts(prompt: str, question: str, text: str) -> Render:
    """A chat template that writes these three."""

    def render(messages: list[Message], add_generation_prompt: bool = False, **_: Any) -> str:
        if messages[-1]["role"] == "assistant":
            return text.replace("Hi", messages[-1]["content"])
        return prompt if add_generation_prompt else question

    return render


@pytest.mark.parametrize(
    ("prompt", "question", "text", "end", "reply"),
    [
        ("<u>Q<a>", "<u>Q", "<u>Q<a>Hi<end>\n", "<u>Q<a>", "Hi<end>"),
        # The prompt tells the model how to go on.
        ("<u>Q /think <a><t>", "<u>Q", "<u>Q<a>Hi", "<u>Q /think <a>", "Hi"),
        ("<u>Q /think A:", "<u>Q", "<u>Q A:Hi", "<u>Q /think A:", "Hi"),
        ("<u>Think first. Q<a>", "<u>Q", "<u>Q<a>Hi", "<u>Think first. Q<a>", "Hi"),
        # Every conversation ends with a reminder, or with the header of an answer.
        ("<u>Q<end><s>R<end><a>", "<u>Q<end><s>R<end>", "<u>Q<end><a>Hi<end><s>R<end>", None, "Hi"),
        ("<u>Q<end><a>", "<u>Q<end><a>", "<u>Q<end><a>Hi<end><a>", None, "Hi"),
        # What is common to both ends is no half marker.
        (
            "<u>Q<end><a><t></t>",
            "<u>Q<end><t></t>",
            "<u>Q<end><a>Hi<|eos|>",
            "<u>Q<end><a>",
            "Hi<|eos|>",
        ),
    ],
)
def test_where_the_conversation_is_cut(
    prompt: str, question: str, text: str, end: str | None, reply: str
) -> None:
    cut = written(of_texts(prompt, question, text), HI)
    assert (cut.prompt, cut.reply) == (end or prompt, reply)
    assert cut.prompt + cut.ahead == prompt


def test_a_message_that_is_left_out_has_no_turn() -> None:
    with pytest.raises(NoTurn):
        written(of_texts("<u>Q<a>\n", "<u>Q", "<u>Q<a>"), HI)
    assert written(of_texts("<u>Q<a>\n", "<u>Q", "<u>Q<a>\n"), HI).reply == ""


# -- markers


def calls_field(**keys: Any) -> Any:
    opener = {} if "open_pattern" in keys else {"open": "<call>"}
    fields = {
        "reasoning_content": {"open": "<think>", "close": "</think>"},
        "tool_calls": {**opener, "close": "</call>", "content": "json", **keys},
        "content": {},
    }
    return template_of({"dialect": "extended-1", "start_anchor": "<a>", "fields": fields})


def test_markers_are_texts_of_all_delimiters() -> None:
    assert markers(calls_field()) == ()  # nothing says that strings may hold them
    assert markers(calls_field(strings="json")) == ("<think>", "</think>", "<call>", "</call>")
    section = {"open": "<calls>", "close_pattern": r"\s*</calls>(?=x|\Z)"}
    assert markers(calls_field(strings="json", section=section))[4:] == ("<calls>", "</calls>")


@pytest.mark.parametrize(
    ("pattern", "texts"),
    [
        (r"\s*<fn=(?P<name>[^\s<>]+)>\s*(?=\{)", ("<fn=x>", "<fn=")),
        (r"<\|(?:call|end)\|>|(?=<call>)", ("<|call|>", "<|end|>", "<call>")),
        (r"<call:\w{2}(?:/\d)?>", ("<call:xx>", "<call:")),
        (r"\[\[", ()),  # too short to be one
        (r"<call>(?:x<id>\d+)?(?:<args>|(?=\{))", ("<call><args>", "<call>", "x<id>", "<args>")),
    ],
)
def test_a_pattern_is_shown_by_texts_that_it_matches(pattern: str, texts: tuple[str, ...]) -> None:
    field = calls_field(strings="json", open_pattern=pattern)
    assert tuple(each for each in markers(field) if "th" not in each and each != "</call>") == texts


def test_strings_between_markers_cannot_hold_their_end() -> None:
    field = calls_field(strings=[["<v>", "</call>"]])
    assert markers(field) == ("<think>", "</think>", "<call>")


def test_values_between_tags_hold_their_markers_but_on_no_line() -> None:
    tags = {"tag_pattern": r"<k=(?P<key>\w+)>\s*(?P<value>.*?)</k>"}
    field = calls_field(content="xml-inline", content_args=tags, strings=[["<k=", "</k>"]])
    assert markers(field)[4:] == ("<k=",)
    assert stand_on_lines(field)
    bare = calls_field(content="xml-inline", content_args=tags)
    assert not stand_on_lines(bare)
    names = [shape.name for shape in shapes_for(frozenset(), SHAPE_NAMES[-3:], ("<x>",), False)]
    assert names == ["markers_in_an_argument", "markers_and_quotes"]


def test_arguments_hold_every_marker() -> None:
    shapes = {shape.name: shape.message for shape in shapes_for(frozenset(), (), ("<x>", "</x>"))}
    assert set(SHAPE_NAMES) >= set(shapes) > {shape.name for shape in shapes_for(frozenset())}
    one, two, three = (shapes[name]["tool_calls"][0] for name in SHAPE_NAMES[-3:])
    assert one["function"]["arguments"] == {"harbour": "From <x> </x> on"}
    assert two["function"]["arguments"] == {"words": ['"}] <x> \\', '"}] </x> \\']}
    assert three["function"]["arguments"] == {"harbour": "From\n<x>\n</x>\non"}
