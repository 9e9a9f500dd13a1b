"""The parts of `chatc verify`: what a text shows of a message, and when a message came back."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any

import pytest

from compiler.round_trip.both_ways import BothWays
from compiler.round_trip.chunkings import CHUNKINGS
from compiler.round_trip.comparing import alike, same, trimmed
from compiler.round_trip.expressed import Expressed, expressed
from compiler.round_trip.outcome import Row
from compiler.round_trip.run import round_trip
from compiler.round_trip.shapes import QUESTION, SHAPES, Message, Shape, shapes_for
from compiler.round_trip.writing import write

MESSAGES = {shape.name: shape.message for shape in SHAPES}

Writer = Callable[[Message], str]


def said(**fields: Any) -> Message:
    return {"role": "assistant", **fields}


def call(name: str, **fields: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "arguments": {"a": 1, "b": 2}}, **fields}


# -- what a text shows


def shown_by(writer: Writer, message: Message) -> Expressed:
    return expressed(message, lambda other: writer(other) == writer(message))


def everything(message: Message) -> str:
    return json.dumps(message, sort_keys=True)


@pytest.mark.parametrize("message", MESSAGES.values(), ids=MESSAGES)
def test_nothing_is_lost_where_all_is_written(message: Message) -> None:
    assert shown_by(everything, message) == Expressed(message, (), None)


def names_only(message: Message) -> str:
    return everything({**message, "tool_calls": [c["function"]["name"] for c in calls(message)]})


def names_and_arguments(message: Message) -> str:
    return everything({**message, "tool_calls": [c["function"] for c in calls(message)]})


def arguments_only(message: Message) -> str:
    arguments = [c["function"]["arguments"] for c in calls(message)]
    return everything({**message, "tool_calls": arguments})


def calls(message: Message) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = message.get("tool_calls", [])
    return found


@pytest.mark.parametrize(
    ("writer", "lost"),
    [
        (lambda m: everything({**m, "reasoning_content": ""}), ("reasoning_content",)),
        (lambda m: everything({**m, "tool_calls": []}), ("tool_calls",)),
        (lambda m: everything({**m, "content": ""}), ("content",)),
        (lambda m: everything({**m, "tool_calls": calls(m)[:1]}), ("tool_calls[1]",)),
        (lambda m: everything({**m, "tool_calls": calls(m)[-1:]}), ("tool_calls[0]",)),
        (
            names_only,
            tuple(f"tool_calls[{i}].function.arguments.{name}" for i in (0, 1) for name in "ab"),
        ),
        (arguments_only, ("tool_calls[0].function.name", "tool_calls[1].function.name")),
        (
            lambda m: everything({**m, "content": m["content"].strip()}),
            ("white space around content",),
        ),
        (lambda m: "", ("content", "reasoning_content", "tool_calls")),
    ],
)
def test_what_makes_no_difference_is_lost(writer: Writer, lost: tuple[str, ...]) -> None:
    message = said(content=" x", reasoning_content="y", tool_calls=[call("f"), call("g")])
    seen = shown_by(writer, message)
    assert seen.lost == lost
    assert writer(seen.message) == writer(message)


def test_ids_that_are_not_written_are_not_looked_for() -> None:
    def numbering(message: Message) -> str:
        return everything(
            {**message, "tool_calls": [{**c, "id": i} for i, c in enumerate(calls(message))]}
        )

    message = said(tool_calls=[call("f", id="call00000"), call("g", id="call00001")])
    assert shown_by(everything, message).message == message
    for writer in (numbering, names_and_arguments):
        seen = shown_by(writer, message)
        assert seen.message == said(tool_calls=[call("f"), call("g")])
        assert seen.lost == ()


def test_content_and_reasoning_may_be_written_alike() -> None:
    def writer(message: Message) -> str:
        return message.get("content", "") + message.get("reasoning_content", "")

    assert shown_by(writer, said(content="x")).twin == said(content="", reasoning_content="x")
    assert shown_by(writer, said(content="", reasoning_content="x")).twin == said(content="x")
    assert shown_by(writer, said(content="x", reasoning_content="y")).twin is None


# -- when messages are one


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (said(thinking="x"), said(reasoning_content="x")),
        (said(reasoning="x"), said(reasoning_content="x", content="")),
        (said(content="", tool_calls=[]), said(content=None)),
        (said(tool_calls=[call("f")]), said(tool_calls=[call("f", id="1")])),
        (said(tool_calls=[call("f", id="1")]), said(tool_calls=[call("f", id="1")])),
        (said(tool_calls=[call("f", id="1")]), said(tool_calls=[call("f")])),
    ],
)
def test_one_message_in_two_spellings(found: Message, expected: Message) -> None:
    assert same(found, expected)


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ({"content": "x"}, said(content="x")),
        (said(content="x "), said(content="x")),
        (said(thinking="x"), said(content="x")),
        (said(thinking="x", reasoning_content="y"), said(reasoning_content="y")),
        (said(tool_calls=[call("f", id="2")]), said(tool_calls=[call("f", id="1")])),
        (said(tool_calls=[call("f"), call("f")]), said(tool_calls=[call("f")])),
        (said(tool_calls=[]), said(tool_calls=[call("f")])),
        (said(tool_calls="x"), said(tool_calls=[call("f")])),
        (said(content="x", other=""), said(content="x")),
        (said(tool_calls=[{"a": True}]), said(tool_calls=[{"a": 1}])),
        (said(tool_calls=[{"a": 1.0}]), said(tool_calls=[{"a": 1}])),
        (said(tool_calls=[{"a": ""}]), said(tool_calls=[{}])),
    ],
)
def test_two_messages(found: Message, expected: Message) -> None:
    assert not same(found, expected)
    assert alike(found, expected)[0] != {} != alike(found, expected)[1]


@pytest.mark.parametrize(
    ("found", "is_trimmed"),
    [
        (said(content="x y", tool_calls=[{"a": " "}]), True),
        (said(content=" x y", tool_calls=[{"a": " "}]), True),  # at one end
        (said(content=" x y\n", tool_calls=[{"a": " "}]), True),
        (said(content="x y\n\n", tool_calls=[{"a": " "}]), False),  # more than there was
        (said(content="x  y", tool_calls=[{"a": " "}]), False),
        (said(content="x y", tool_calls=[{"a": ""}]), False),
        (said(content="x", tool_calls=[{"a": " "}]), False),
        (said(tool_calls=[{"a": " "}]), False),
    ],
)
def test_outer_space_is_that_of_texts(found: Message, is_trimmed: bool) -> None:
    assert trimmed(found, said(content=" x y\n", tool_calls=[{"a": " "}])) is is_trimmed


# -- chunkings


@pytest.mark.parametrize("name", CHUNKINGS)
@pytest.mark.parametrize(
    "reply", ["", "a", "ab", "long enough for a few chunks, whatever the seed"]
)
def test_chunks_are_the_reply(name: str, reply: str) -> None:
    cuts = list(CHUNKINGS[name](reply))
    assert all("".join(cut.chunks) == reply for cut in cuts)
    assert cuts == list(CHUNKINGS[name](reply))
    assert len({cut.where for cut in cuts}) == len(cuts)


def test_splits_are_all_there() -> None:
    assert [cut.chunks for cut in CHUNKINGS["splits"]("abc")] == [("a", "bc"), ("ab", "c")]
    assert [cut.chunks for cut in CHUNKINGS["characters"]("abc")] == [("a", "b", "c")]
    lengths = {len(cut.chunks) for cut in CHUNKINGS["random"]("x" * 100)}
    assert len(lengths) > 1 and min(lengths) > 1


# -- there and back


class Answers:
    """A parser module whose message is a function of the text, or of its chunks if it streams."""

    def __init__(self, whole: Callable[[str], Message], streamed: Any = None) -> None:
        self.whole, self.streamed = whole, streamed or (lambda chunks: whole("".join(chunks)))

    def parse_result(self, text: str, *, prefix: str, tools: Any) -> tuple[Message, list[Any]]:
        return self.whole(text), []

    def Parser(self, *, prefix: str, tools: Any) -> Any:
        streamed, chunks = self.streamed, []

        class Stream:
            def feed(self, text: str) -> None:
                chunks.append(text)

            def finalize(self) -> tuple[Message, list[Any]]:
                return streamed(chunks), []

        return Stream()


def plain(messages: list[Message], add_generation_prompt: bool = False, **others: Any) -> str:
    """Content alone, after a mark."""
    texts = [f"<{message['role'][0]}>{message['content']}<end>\n" for message in messages]
    return "".join(texts) + ("<a>" if add_generation_prompt else "")


def read(text: str) -> Message:
    return said(content=text.removesuffix("<end>"))


def sent(message: Message, parser: Any, render: Any = plain) -> Row:
    (row,) = round_trip(BothWays(render, {}, parser), [Shape("x", message)])
    return row


def test_a_message_comes_back() -> None:
    row = sent(said(content="Hi"), Answers(read))
    assert row.verdict == "ok"
    assert row.written and row.written.reply == "Hi<end>"  # the line break is the template's
    assert row.written.prompt.endswith("<end>\n<a>")


def test_what_is_not_written_is_told_and_the_rest_compared() -> None:
    message = said(content="Hi", reasoning_content="Hm")
    assert sent(message, Answers(read)).verdict == "not expressed"
    assert sent(message, Answers(lambda text: said(content=text))).verdict == "FAILED"
    assert sent(said(content=" Hi"), Answers(lambda text: said(content="Hi"))).verdict == "trimmed"


def test_text_that_would_be_written_alike_is_no_call() -> None:
    """A parser that leaves markers in the content gives a message with the same text."""

    def render(messages: list[Message], **options: Any) -> str:
        *before, last = messages
        inside = "".join(f"<call>{call['function']['name']}</call>" for call in calls(last))
        return plain([*before, {**last, "content": last["content"] + inside}], **options)

    message = said(tool_calls=[call("f")])
    both = BothWays(render, {}, Answers(read))
    written = write(both, Shape("x", message))
    assert written.prompt + written.reply + "\n" == render([QUESTION, read(written.reply)])
    assert sent(message, Answers(read), render).verdict == "FAILED"


def test_a_message_written_like_another_may_come_back_as_either() -> None:
    def render(messages: list[Message], **options: Any) -> str:
        *before, last = messages
        text = last["content"] + last.get("reasoning_content", "")
        return plain([*before, {**last, "content": text}], **options)

    def thought(text: str) -> Message:
        return said(reasoning_content=text.removesuffix("<end>"))

    message = said(content="Hi")
    assert sent(message, Answers(read), render).verdict == "ok"
    assert sent(message, Answers(thought), render).verdict == "not expressed"
    assert sent(message, Answers(lambda text: said()), render).verdict == "FAILED"


def test_what_the_parser_logs_is_kept(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("chatc")
    caplog.set_level(logging.ERROR, "chatc")
    handlers = logger.handlers[:]

    def warns(text: str) -> Message:
        logger.warning("odd")
        return read(text)

    assert sent(said(content="Hi"), Answers(warns)).warnings == ("odd",)
    assert (logger.handlers, logger.level) == (handlers, logging.ERROR)
    assert sent(said(content="Hi"), Answers(read)).warnings == ()


def test_a_failing_cut_is_named() -> None:
    def streamed(chunks: list[str]) -> Message:
        if "i" in chunks:
            raise ValueError("a lone i")
        return read("".join(chunks) + ("!" if chunks[0] == "H" else ""))

    row = sent(said(content="Hi"), Answers(read, streamed))
    whole, characters, splits, _ = row.cells
    assert whole.verdict == "ok"
    assert characters.failure and characters.failure.error == "ValueError: a lone i"
    assert splits.where == "at 1"
    assert splits.failure and splits.failure.found == read("Hi<end>!")
    assert row.verdict == "FAILED"


def test_a_prompt_that_goes_on_elsewhere() -> None:
    def render(messages: list[Message], add_generation_prompt: bool = False, **_: Any) -> str:
        return plain(messages) + ("<a><think>\n" if add_generation_prompt else "")

    row = sent(said(content="Hi"), Answers(read), render)
    assert row.verdict == "ok"
    assert row.written and row.written.ahead == "<think>\n"
    assert row.written.prompt.endswith("\n<a>")


@pytest.mark.parametrize(
    ("goes_on", "written", "reply", "ahead"),
    [
        ("<think>\n", "<tool>x", "<tool>x", "<think>\n"),  # not "ool>x"
        ("[THINK]", "[TOOL]x", "[TOOL]x", "[THINK]"),
        ("<think>\n</think>", "<think>\nx", "x", "</think>"),
        ("a < b", "a < c", "c", "b"),
        ("<think>", "<think>x", "x", ""),
        ("<think", "<think>x", ">x", ""),  # the prompt itself ends there
    ],
)
def test_markers_are_cut_nowhere(goes_on: str, written: str, reply: str, ahead: str) -> None:
    def render(messages: list[Message], add_generation_prompt: bool = False, **_: Any) -> str:
        if messages[-1]["role"] == "user":
            return f"<a>{goes_on}" if add_generation_prompt else ""
        return f"<a>{written}"

    cut = write(BothWays(render, {}, Answers(read)), Shape("x", said(content="x")))
    assert (cut.reply, cut.ahead) == (reply, ahead)


def test_what_the_template_refuses_is_not_expressed() -> None:
    def render(messages: list[Message], **options: Any) -> str:
        if any(map(calls, messages)):
            raise KeyError("no calls")
        return plain(messages, **options)

    row = sent(said(tool_calls=[call("f")]), Answers(read), render)
    assert (row.verdict, row.written, row.refusal) == (
        "not expressed",
        None,
        "KeyError: 'no calls'",
    )
    assert len(row.cells) == len(CHUNKINGS)


def test_calls_have_ids_and_content_for_the_template() -> None:
    seen = []

    def render(messages: list[Message], **options: Any) -> str:
        seen.extend(messages[1:])
        return "" if options.get("add_generation_prompt") else everything(messages[-1])

    sent(said(tool_calls=[call("f"), call("g")]), Answers(read), render)
    ids = [[each["id"] for each in message.get("tool_calls", [])] for message in seen]
    assert ["call00000", "call00001"] in ids
    assert seen[-1]["content"] == ""


# -- shapes


def test_shapes_are_for_templates_that_read_their_variables() -> None:
    assert len(MESSAGES) == len(SHAPES)
    plain_shapes = {shape.name for shape in shapes_for(frozenset())}
    thinking = {shape.name for shape in shapes_for(frozenset({"enable_thinking"}))} - plain_shapes
    assert {name.rpartition("_o")[0] for name in thinking} == {"enable_thinking"}
    assert len(plain_shapes) + 2 * len(thinking) == len(SHAPES)
    assert [s.name for s in shapes_for(frozenset(), ("one_call",))] == ["one_call"]
    assert shapes_for(frozenset(), ("enable_thinking_on",)) == ()
