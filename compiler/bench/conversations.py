"""The conversations that are rendered: questions and answers, with calls if there are tools."""

from __future__ import annotations

from itertools import cycle, islice
from typing import Any

Message = dict[str, Any]

SPECIAL_TOKENS = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}
SYSTEM: Message = {"role": "system", "content": "You are the desk of a small harbour. Be brief."}
_QUESTION: Message = {
    "role": "user",
    "content": "When does the next ferry leave, and is there room for a car and two bicycles?",
}
_ANSWER: Message = {
    "role": "assistant",
    "content": "It leaves at 17:40 from pier 3. There is room for the car; bicycles go free.\n\n"
    "Shall I book it for you?",
}
_CALL: Message = {
    "role": "assistant",
    "content": "Let me look at the timetable.",
    "tool_calls": [
        {
            "type": "function",
            "function": {"name": "find_ferry", "arguments": {"harbour": "Bodø", "seats": 2}},
        }
    ],
}
_RESULT: Message = {
    "role": "tool",
    "name": "find_ferry",
    "content": '{"time": "17:40", "pier": 3, "car": true}',
}
TOOLS: list[dict[str, Any]] = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": description,
            "parameters": {
                "type": "object",
                "properties": {
                    "harbour": {"type": "string", "description": "Where it leaves"},
                    "seats": {"type": "integer", "description": "How many travel"},
                    "deck": {"type": "string", "enum": ["upper", "lower"]},
                },
                "required": ["harbour"],
            },
        },
    }
    for name, description in (
        ("find_ferry", "Looks up the next ferry."),
        ("book_ferry", "Books places on the next ferry."),
    )
]


def conversation(length: int, calls: bool = False, system: bool = True) -> list[Message]:
    """So many messages: instructions, then questions and answers by turns; with calls if asked."""
    turns = [_QUESTION, _CALL, _RESULT, _ANSWER] if calls else [_QUESTION, _ANSWER]
    start = [SYSTEM] if system else []
    return [*start, *islice(cycle(turns), length - len(start))]
