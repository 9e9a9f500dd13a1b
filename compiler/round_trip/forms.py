"""The forms in which clients write one conversation: a chat template may know only some of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from compiler.round_trip.shapes import TOOLS, Message

_Call = dict[str, Any]


@dataclass(frozen=True)
class PromptForm:
    """How prompts are written; the default is what transformers documents."""

    content_as_parts: bool = False  # [{"type": "text", "text": ...}]
    bare_tools: bool = False  # the functions alone, without {"type": "function"} around each

    def tools(self) -> list[Any]:
        return [tool["function"] for tool in TOOLS] if self.bare_tools else TOOLS

    def message(self, message: Message) -> Message:
        if not self.content_as_parts:
            return message
        return {**message, "content": [{"type": "text", "text": message["content"]}]}


@dataclass(frozen=True)
class CallForm:
    """How calls are written; the default is what transformers documents."""

    arguments_as_text: bool = False  # JSON text, as OpenAI clients have it
    names_in_ids: bool = False  # "functions.NAME:0", for templates that write the id alone

    def message(self, message: Message) -> Message:
        """The message with its calls in this form."""
        message = self.with_ids(message)
        if not self.arguments_as_text:
            return message
        return _each_call(message, lambda call: {**call, "function": _as_text(call["function"])})

    def with_ids(self, message: Message) -> Message:
        """The message with the ids of its calls in this form."""
        if not self.names_in_ids:
            return message
        return _each_call(
            message, lambda call: {**call, "id": _naming_id(call)} if "id" in call else call
        )


@dataclass(frozen=True)
class Form:
    """How a conversation is written."""

    prompt: PromptForm = PromptForm()
    calls: CallForm = CallForm()

    def message(self, message: Message) -> Message:
        return self.prompt.message(self.calls.message(message))

    @property
    def words(self) -> tuple[str, ...]:
        """What differs from the default, for reports."""
        told = {
            "content as a list of parts": self.prompt.content_as_parts,
            "tools as bare functions": self.prompt.bare_tools,
            "arguments as JSON text": self.calls.arguments_as_text,
            "ids with the function's name": self.calls.names_in_ids,
        }
        return tuple(words for words, is_so in told.items() if is_so)


def numbered(message: Message) -> Message:
    """The message with an id of nine characters, which Mistral asks for, for each call."""
    calls = message.get("tool_calls", [])
    ids = [f"call{number:05d}" for number in range(len(calls))]
    given = [{"id": id, **call} for id, call in zip(ids, calls, strict=True)]
    return {**message, "tool_calls": given} if given else message


def _each_call(message: Message, changed: Callable[[_Call], _Call]) -> Message:
    if "tool_calls" not in message:
        return message
    return {**message, "tool_calls": [changed(call) for call in message["tool_calls"]]}


def _as_text(function: _Call) -> _Call:
    return {**function, "arguments": json.dumps(function["arguments"], ensure_ascii=False)}


def _naming_id(call: _Call) -> str:
    """The id of `numbered` with the name in it."""
    return f"functions.{call['function']['name']}:{int(call['id'][-5:])}"


def prompt_forms() -> Iterator[PromptForm]:
    """From the most common to the least."""
    for bare_tools, parts in product((False, True), repeat=2):
        yield PromptForm(parts, bare_tools)


def call_forms() -> Iterator[CallForm]:
    """From the most common to the least."""
    for names_in_ids, as_text in product((False, True), repeat=2):
        yield CallForm(as_text, names_in_ids)
