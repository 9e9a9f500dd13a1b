"""Conversations of every shape that clients send, as the arguments of `ChatTemplate.render`."""

from __future__ import annotations

from typing import Any

Arguments = dict[str, Any]  # "messages" and further arguments of `render`

SPECIAL_TOKENS = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "<unk>"}

FERRY_TOOL = {
    "type": "function",
    "function": {
        "name": "find_ferry",
        "description": "Looks up the next ferry.",
        "parameters": {
            "type": "object",
            "properties": {
                "harbour": {"type": "string", "description": "Where it leaves"},
                "seats": {"type": "integer", "description": "How many travel"},
                "deck": {"type": "string", "enum": ["upper", "lower"], "description": "Where"},
            },
            "required": ["harbour"],
        },
    },
}
ARCHIVE_TOOL = {
    "type": "function",
    "function": {
        "name": "search_archive",
        "description": 'Finds "old" papers & <maps>; für Ältere, 古い地図',
        "parameters": {
            "type": "object",
            "properties": {
                "words": {"type": "array", "items": {"type": "string"}, "description": "a < b"},
                "years": {
                    "type": "object",
                    "description": "A span",
                    "properties": {"from": {"type": ["integer", "null"], "description": "y"}},
                    "required": [],
                },
                "exact": {"type": "boolean", "description": "c", "default": False},
            },
            "required": ["words", "exact"],
        },
        "return": {"type": "string", "description": "A list of shelf marks"},
    },
}

SYSTEM = {"role": "system", "content": "You run a ticket desk."}
ASK = {"role": "user", "content": "When does the next ferry leave Bodø?"}
ANSWER = {"role": "assistant", "content": "At 17:40, from pier 3."}
THANKS = {"role": "user", "content": "And the one after?"}


def call(number: int, name: str, arguments: Any) -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"id": f"call{number:05d}", "type": "function", "function": function}


def calling(*calls: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"role": "assistant", **fields, "tool_calls": list(calls)}


def result(number: int, name: str, content: Any) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": f"call{number:05d}", "name": name, "content": content}


FERRY_CALL = call(1, "find_ferry", {"harbour": "Bodø", "seats": 2, "deck": None})
ARCHIVE_CALL = call(
    2, "search_archive", {"words": ["a<b", "'c' & \"d\""], "years": {"from": 1.5}, "exact": True}
)
TEXT_PARTS = [{"type": "text", "text": "Two parts,"}, {"type": "text", "text": " one text."}]
DOCUMENTS = [
    {"title": "Timetable <1>", "text": "Winter & spring", "doc_id": 1},
    {"title": "Fares", "text": "Adults: 12 €", "doc_id": 2},
]


def conversations() -> dict[str, Arguments]:
    """Every shape by its name; fresh data with each call."""
    ask, tools = [SYSTEM, ASK], [FERRY_TOOL, ARCHIVE_TOOL]
    served = [ASK, calling(FERRY_CALL, content=""), result(1, "find_ferry", "17:40")]
    thought = {"role": "assistant", "reasoning_content": "Look it up.\n", "content": "17:40."}
    image = {"type": "image", "url": "https://example.org/pier.png"}
    video, audio = {"type": "video", "path": "pier.mp4"}, {"type": "audio", "path": "horn.wav"}
    return {
        "user": {"messages": [ASK], "add_generation_prompt": True},
        "user, no prompt": {"messages": [ASK]},
        "system only": {"messages": [SYSTEM]},
        "system, user": {"messages": ask, "add_generation_prompt": True},
        "turns": {"messages": [*ask, ANSWER, THANKS], "add_generation_prompt": True},
        "ends with the assistant": {"messages": [*ask, ANSWER]},
        "two user turns": {"messages": [ASK, THANKS], "add_generation_prompt": True},
        "assistant first": {"messages": [ANSWER, ASK], "add_generation_prompt": True},
        "late system": {"messages": [ASK, ANSWER, SYSTEM, THANKS]},
        "developer": {"messages": [{"role": "developer", "content": "Be brief."}, ASK]},
        "unknown role": {"messages": [{"role": "narrator", "content": "Night falls."}, ASK]},
        "no role": {"messages": [{"content": "Who speaks?"}]},
        "no content": {"messages": [ASK, {"role": "assistant"}, THANKS]},
        "tools": {"messages": ask, "tools": tools, "add_generation_prompt": True},
        "no tools": {"messages": [ASK], "tools": [], "add_generation_prompt": True},
        "bare tool": {"messages": [ASK], "tools": [FERRY_TOOL["function"]]},
        "call": {"messages": served, "tools": tools, "add_generation_prompt": True},
        "call, no content": {"messages": [ASK, calling(FERRY_CALL, content=None), *served[2:]]},
        "call, text arguments": {
            "messages": [ASK, calling(call(1, "find_ferry", '{"harbour": "Bodø"}'), content="")],
            "tools": [FERRY_TOOL],
        },
        "call, no arguments": {"messages": [ASK, calling(call(1, "list_piers", {}), content="")]},
        "bare call": {"messages": [ASK, calling(FERRY_CALL["function"], content="")]},
        "parallel calls": {
            "messages": [
                *ask,
                calling(FERRY_CALL, ARCHIVE_CALL, content="One moment."),
                result(1, "find_ferry", '{"time": "17:40"}'),
                result(2, "search_archive", "none"),
                ANSWER,
                THANKS,
            ],
            "tools": tools,
            "add_generation_prompt": True,
        },
        "result as data": {"messages": [*served[:2], result(1, "find_ferry", {"time": 17.4})]},
        "result in parts": {"messages": [*served[:2], result(1, "find_ferry", TEXT_PARTS)]},
        "no calls": {"messages": [ASK, {**ANSWER, "tool_calls": []}, THANKS]},
        "calls none": {"messages": [ASK, {**ANSWER, "tool_calls": None, "reasoning": None}]},
        "text parts": {"messages": [{"role": "user", "content": TEXT_PARTS}, ANSWER]},
        "system parts": {"messages": [{"role": "system", "content": TEXT_PARTS[:1]}, ASK]},
        "image": {
            "messages": [{"role": "user", "content": [image, *TEXT_PARTS]}],
            "add_generation_prompt": True,
        },
        "video, audio": {"messages": [{"role": "user", "content": [video, audio, *TEXT_PARTS]}]},
        "reasoning": {"messages": [ASK, thought, THANKS], "enable_thinking": True},
        "reasoning, last": {"messages": [ASK, thought], "enable_thinking": False},
        "thinking": {"messages": [ASK, {**ANSWER, "thinking": "Soon."}, THANKS], "thinking": True},
        "reasoning alias": {
            "messages": [ASK, calling(FERRY_CALL, reasoning="Ask the desk."), *served[2:]],
            "tools": tools,
            "add_generation_prompt": True,
        },
        "thinking in the content": {
            "messages": [ASK, {**ANSWER, "content": "<think>\nhm\n</think>\n\nYes.  "}, THANKS],
            "preserve_thinking": True,
        },
        "documents": {"messages": ask, "documents": DOCUMENTS, "add_generation_prompt": True},
        "odd text": {
            "messages": [
                {"role": "system", "content": "<b>&amp; \"q\" 'q' \u2028 \U0001f600 \x00</b>  "},
                {"role": "user", "content": " \n\t<|im_end|> {{ no }} {% if %} \r\n"},
                {"role": "assistant", "content": "&lt;ok&gt; \u00a0"},
                {"role": "user", "content": "é ß 船 סירה\u200d"},
            ],
            "tools": [ARCHIVE_TOOL],
        },
        "empty texts": {"messages": [{"role": "user", "content": ""}, {**ANSWER, "content": ""}]},
        "options": {
            "messages": ask,
            "tools": [FERRY_TOOL],
            "reasoning_effort": "high",
            "add_vision_id": True,
            "date_string": "3 May 2031",
            "builtin_tools": ["code_interpreter"],
            "tools_in_user_message": False,
            "custom_tools": None,
            "response_format": {"type": "json_object"},
        },
        "continued": {"messages": [ASK, ANSWER], "continue_final_message": True},
        "continued, space": {
            "messages": [ASK, {**ANSWER, "content": " It leaves at "}],
            "continue_final_message": True,
        },
        "continued parts": {
            "messages": [ASK, {"role": "assistant", "content": TEXT_PARTS}],
            "continue_final_message": "content",
        },
        "continued reasoning": {
            "messages": [ASK, {"role": "assistant", "reasoning": "Pier 3 is "}],
            "continue_final_message": "reasoning_content",
        },
    }
