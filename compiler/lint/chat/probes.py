"""Small conversations of the shapes that clients send, to see what a template does with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from compiler.lint.chat.rendering import Arguments

_TOKENS = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>", "pad_token": "<pad>"}

_SYSTEM = {"role": "system", "content": "You sell boat tickets."}
_USER = {"role": "user", "content": "When is the next boat?"}
_ASSISTANT = {"role": "assistant", "content": "At nine."}
_THOUGHTFUL = {**_ASSISTANT, "reasoning_content": "It is eight now."}
_LATER = {"role": "user", "content": "And after that?"}
_TEXT_PART = {"type": "text", "text": "Which boat is this?"}
_IMAGE_PART = {"type": "image", "url": "https://example.org/boat.png"}
_TOOL = {
    "type": "function",
    "function": {
        "name": "next_boat",
        "description": "Finds the next boat.",
        "parameters": {
            "type": "object",
            "properties": {
                "pier": {"type": "string", "description": "Where it leaves."},
                "seats": {"type": "integer", "description": "How many travel."},
            },
            "required": ["pier"],
        },
    },
}
_DOCUMENT = {"title": "Timetable", "text": "Boats leave at nine and at ten."}


def _calling(*piers: str, **fields: Any) -> dict[str, Any]:
    calls = [
        {
            "id": f"call0000{number}",
            "type": "function",
            "function": {"name": "next_boat", "arguments": {"pier": pier, "seats": 2}},
        }
        for number, pier in enumerate(piers)
    ]
    return {"role": "assistant", **fields, "tool_calls": calls}


def _result(number: int) -> dict[str, Any]:
    call = {"tool_call_id": f"call0000{number}", "name": "next_boat"}
    return {"role": "tool", **call, "content": '{"leaves": "09:00"}'}


def _probe(*messages: Mapping[str, Any], **arguments: Any) -> Arguments:
    return {"messages": list(messages), **_TOKENS, **arguments}


# What messages call the probes that rules name.
USER = "a user's message"
CALL, CALL_WITHOUT_CONTENT = "a tool call", "a tool call without content"
ANSWERED, ANSWERED_WITHOUT_CONTENT = "an answered tool call", "an answered call without content"
PARTS = ("content in parts", "an image")

PROBES: Mapping[str, Arguments] = {
    USER: _probe(_USER, add_generation_prompt=True),
    "a system message": _probe(_SYSTEM, _USER, add_generation_prompt=True),
    "several turns": _probe(_USER, _ASSISTANT, _LATER, add_generation_prompt=True),
    "a finished answer": _probe(_SYSTEM, _USER, _ASSISTANT),
    "reasoning": _probe(_USER, _THOUGHTFUL, _LATER, add_generation_prompt=True),
    "a last message with reasoning": _probe(_USER, _THOUGHTFUL),
    "thinking on": _probe(_USER, add_generation_prompt=True, enable_thinking=True, thinking=True),
    "thinking off": _probe(
        _USER, add_generation_prompt=True, enable_thinking=False, thinking=False
    ),
    "tools": _probe(_SYSTEM, _USER, tools=[_TOOL], add_generation_prompt=True),
    CALL: _probe(_USER, _calling("north", content=""), tools=[_TOOL]),
    CALL_WITHOUT_CONTENT: _probe(_USER, _calling("north"), tools=[_TOOL]),
    ANSWERED: _probe(
        *(_SYSTEM, _USER, _calling("north", content="One moment."), _result(0)),
        tools=[_TOOL],
        add_generation_prompt=True,
    ),
    ANSWERED_WITHOUT_CONTENT: _probe(
        *(_SYSTEM, _USER, _calling("north"), _result(0)),
        tools=[_TOOL],
        add_generation_prompt=True,
    ),
    "parallel tool calls": _probe(
        *(_USER, _calling("north", "south", content=""), _result(0), _result(1)),
        *(_ASSISTANT, _LATER),
        tools=[_TOOL],
        add_generation_prompt=True,
    ),
    "documents": _probe(_USER, documents=[_DOCUMENT], add_generation_prompt=True),
    PARTS[0]: _probe({"role": "user", "content": [_TEXT_PART]}, _ASSISTANT),
    PARTS[1]: _probe(
        {"role": "user", "content": [_IMAGE_PART, _TEXT_PART]}, add_generation_prompt=True
    ),
}
