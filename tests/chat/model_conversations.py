"""Conversations that reach the corners of the models' own chat templates.

Each model reads all of them: an argument of one model's template is nothing to the others.
"""

from __future__ import annotations

from typing import Any

from tests.chat.conversations import (
    ANSWER,
    ARCHIVE_CALL,
    ARCHIVE_TOOL,
    ASK,
    FERRY_CALL,
    FERRY_TOOL,
    SYSTEM,
    TEXT_PARTS,
    THANKS,
    Arguments,
    call,
    calling,
    result,
)

NO_ARGUMENTS = {"type": "object", "properties": {}}
SERVED = [ASK, calling(FERRY_CALL, content=""), result(1, "find_ferry", "17:40")]


def model_conversations() -> dict[str, Arguments]:
    """Every shape by its name; fresh data with each call."""
    return {
        **reasoning_shapes(),
        **system_shapes(),
        **call_shapes(),
        **result_shapes(),
        **tool_shapes(),
        **order_shapes(),
        **option_shapes(),
    }


def user(content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content}


def assistant(content: Any, **fields: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content, **fields}


def system(content: Any) -> dict[str, Any]:
    return {"role": "system", "content": content}


def reasoning_shapes() -> dict[str, Arguments]:
    thought = {"reasoning_content": "\n\nThe desk knows.\n"}
    thinking_call = calling(FERRY_CALL, content="", **thought)
    plain_call = calling(FERRY_CALL, content="")
    found = result(1, "find_ferry", "17:40")
    wrapped = user("<tool_response>\n17:40\n</tool_response>")
    return {
        "thinking on": {
            "messages": [ASK],
            "enable_thinking": True,
            "add_generation_prompt": True,
        },
        "thinking off": {
            "messages": [SYSTEM, ASK],
            "enable_thinking": False,
            "add_generation_prompt": True,
        },
        "thinking none": {
            "messages": [ASK],
            "enable_thinking": None,
            "add_generation_prompt": True,
        },
        "thinking off, answered": {
            "messages": [ASK, assistant("\n\nAt 17:40."), THANKS],
            "enable_thinking": False,
        },
        "reasoning before a call": {"messages": [ASK, thinking_call, found]},
        "reasoning, call, answer": {
            "messages": [ASK, thinking_call, found, assistant("\n17:40.\n", **thought)]
        },
        "reasoning, call, answer, question": {
            "messages": [ASK, thinking_call, found, assistant("17:40.", **thought), THANKS],
            "add_generation_prompt": True,
        },
        "two calls, one reasoned": {"messages": [ASK, plain_call, found, thinking_call, found]},
        "reasoning of line ends": {
            "messages": [ASK, calling(FERRY_CALL, content="", reasoning_content="\n"), found]
        },
        "reasoning empty": {"messages": [ASK, assistant("Yes.", reasoning_content="")]},
        "reasoning in parts": {"messages": [ASK, assistant("Yes.", reasoning_content=TEXT_PARTS)]},
        "answer alone": {"messages": [ASK, assistant("\n\nYes.\n\n")]},
        "think tags in the last content": {
            "messages": [ASK, assistant("<think>\n\nhm\n\n</think>\n\nYes.")]
        },
        "think tags twice": {
            "messages": [ASK, assistant("a<think>b</think>c<think>\nd\n</think>\n\ne")]
        },
        "think tags and line ends": {
            "messages": [ASK, assistant("\n<think>\n \n</think>\n\n Yes.\n\n"), THANKS]
        },
        "closing think tag alone": {"messages": [ASK, assistant("hm\n</think>\nYes."), THANKS]},
        "opening think tag alone": {"messages": [ASK, assistant("<think>hm")]},
        "think tags and a field": {
            "messages": [ASK, assistant("<think>no</think>Yes.", reasoning_content="hm")]
        },
        "result as a question": {"messages": [ASK, thinking_call, wrapped, assistant("17:40.")]},
        "results only": {"messages": [wrapped, assistant("17:40.", **thought)]},
        "half a result": {
            "messages": [ASK, thinking_call, user("<tool_response>x"), assistant("y", **thought)]
        },
        "thinking with call, later answer": {
            "messages": [ASK, thinking_call, found, ANSWER, THANKS, thinking_call, found],
            "add_generation_prompt": True,
        },
        "thinking and content with call": {
            "messages": [ASK, calling(FERRY_CALL, content="I look.", thinking="hm"), found]
        },
        "content with call": {"messages": [ASK, calling(FERRY_CALL, content="I look."), found]},
        "channels in the content": {
            "messages": [ASK, assistant("<|channel|>final<|message|>Yes."), THANKS]
        },
        "channels in the thinking": {
            "messages": [ASK, assistant("Yes.", thinking="<|channel|>analysis<|message|>hm")]
        },
    }


def system_shapes() -> dict[str, Arguments]:
    texts = {
        "no_think": "Be brief. /no_think",
        "think": "/think Be brief.",
        "both switches": "/no_think Be /think brief.  \n",
        "only a switch": "/think",
        "override": "Only this. /system_override /no_think",
        "override first": "/system_override Only this.\n",
        "empty": "",
        "blank": " \n ",
        "indented": "  First,\n  second.\n\n",
    }
    shapes: dict[str, Arguments] = {
        f"system: {name}": {
            "messages": [system(text), ASK, ANSWER, THANKS],
            "tools": [FERRY_TOOL] if name in ("empty", "override", "blank") else None,
            "enable_thinking": name not in ("think", "only a switch"),
            "add_generation_prompt": True,
        }
        for name, text in texts.items()
    }
    return {
        **shapes,
        "system without content": {"messages": [{"role": "system"}, ASK]},
        "system without content, tools": {
            "messages": [{"role": "system"}, ASK],
            "tools": [FERRY_TOOL],
        },
        "system parts, tools": {"messages": [system(TEXT_PARTS), ASK], "tools": [FERRY_TOOL]},
        "system only, tools": {"messages": [SYSTEM], "tools": [FERRY_TOOL]},
        "two systems": {"messages": [SYSTEM, system("And be kind."), ASK]},
        "developer, tools": {
            "messages": [{"role": "developer", "content": "Be brief."}, ASK, ANSWER],
            "tools": [FERRY_TOOL],
        },
    }


def call_shapes() -> dict[str, Arguments]:
    odd = {
        "text": "two\nlines \"quoted\" 'so' \\ / <b> é 船 \U0001f600",
        "list": [1, 2.5, None, True, {"a": []}],
        "object": {"deep": {"deeper": ["x"]}},
        "number": 1e100,
        "flag": False,
        "nothing": None,
        "empty": "",
        "ключ": "значение",
    }
    shapes = {
        "odd arguments": [call(1, "file", odd)],
        "list as arguments": [call(1, "file", ["a"])],
        "arguments none": [call(1, "file", None)],
        "text that is no object": [call(1, "file", "not json")],
        "no arguments at all": [{"id": "call00001", "function": {"name": "list_piers"}}],
        "no name": [{"id": "call00001", "function": {"arguments": {}}}],
        "short id": [{**FERRY_CALL, "id": "1"}],
        "no id": [{"type": "function", "function": FERRY_CALL["function"]}],
        "three calls": [FERRY_CALL, ARCHIVE_CALL, FERRY_CALL],
        "more keys": [{**FERRY_CALL, "function": {**FERRY_CALL["function"], "strict": True}}],
        "content type": [
            {**FERRY_CALL, "function": {**FERRY_CALL["function"], "content_type": "yaml"}}
        ],
        "empty function": [{**FERRY_CALL, "function": {}}],
    }
    return {
        **{
            f"call: {name}": {"messages": [ASK, calling(*calls, content="")], "tools": [FERRY_TOOL]}
            for name, calls in shapes.items()
        },
        "calls of no list": {"messages": [ASK, assistant("", tool_calls={"0": FERRY_CALL})]},
        "blank before a call": {"messages": [ASK, calling(FERRY_CALL, content=" \n ")]},
        "line end before a call": {"messages": [ASK, calling(FERRY_CALL, content="\n")]},
        "space around, before a call": {"messages": [ASK, calling(FERRY_CALL, content="\n So. ")]},
        "parts before a call": {"messages": [ASK, calling(FERRY_CALL, content=TEXT_PARTS)]},
        "user with a call": {"messages": [{**ASK, "tool_calls": [FERRY_CALL]}]},
        "empty calls at the end": {"messages": [ASK, {**ANSWER, "tool_calls": []}]},
    }


def result_shapes() -> dict[str, Arguments]:
    contents = {
        "number": 17.4,
        "none": None,
        "empty": "",
        "list": [1, "a"],
        "content in content": {"content": "17:40"},
        "unicode": "17:40 Uhr, „Bodø“ <b>",
    }
    shapes = {
        f"result: {name}": {"messages": [*SERVED[:2], result(1, "find_ferry", content)]}
        for name, content in contents.items()
    }
    anonymous = {"role": "tool", "content": "17:40"}
    return {
        **shapes,
        "result first": {"messages": [result(1, "find_ferry", "17:40"), ASK]},
        "results alone": {"messages": [anonymous, anonymous]},
        "result after a question": {"messages": [ASK, anonymous, anonymous, ANSWER]},
        "result after its answer": {"messages": [*SERVED, ANSWER, SERVED[2], THANKS]},
        "result after an answer": {"messages": [ASK, ANSWER, result(1, "x", "y")]},
        "result without id": {"messages": [*SERVED[:2], anonymous]},
        "result of another role": {
            "messages": [*SERVED[:2], {**result(1, "find_ferry", "17:40"), "role": "tool_results"}]
        },
        "result of ipython": {
            "messages": [*SERVED[:2], {"role": "ipython", "content": {"time": "17:40"}}, ANSWER]
        },
        "results apart": {
            "messages": [*SERVED, THANKS, *SERVED[1:], *SERVED[2:], THANKS],
            "add_generation_prompt": True,
        },
    }


def tool_shapes() -> dict[str, Arguments]:
    def tool(parameters: Any, **fields: Any) -> dict[str, Any]:
        function = {"name": "act", "description": " Acts. ", "parameters": parameters, **fields}
        return {"type": "function", "function": function}

    def typed(**properties: Any) -> dict[str, Any]:
        return tool({"type": "object", "properties": properties, "required": ["a", "z"]})

    text, number = {"type": "string"}, {"type": "number"}
    point = {"type": "object", "properties": {"x": number, "y": number}, "required": ["x"]}
    lists = {
        "a": {"type": "array", "items": text, "nullable": True},
        "b": {"type": "array", "items": number},
        "c": {"type": "array", "items": {"type": "integer"}},
        "d": {"type": "array", "items": {"type": "boolean"}},
        "e": {"type": "array", "nullable": True},
        "f": {"type": "array", "items": point},
        "g": {"type": "array", "items": {"type": "array", "items": text}},
        "h": {"type": "array", "items": {"type": ["object", "object"]}},
        "i": {"type": "array", "items": {"type": "array", "items": {"type": "object"}}},
        "j": {"type": "array", "items": {}},
        "k": {"type": "array", "items": {"type": "string", "enum": ["x"]}, "default": ["x"]},
    }
    choices = {
        "a": {"oneOf": [text, {**number, "description": "a size", "default": 2}]},
        "b": {"oneOf": [point, {"type": "object"}], "default": "none"},
        "c": {"oneOf": [{"type": "string", "enum": ["x"], "default": "x"}, number, text]},
        "d": {"type": ["string", "null"], "default": None},
        "e": {"type": ["integer"]},
        "f": {"type": []},
        "g": {"anyOf": [text, number], "description": "no type"},
    }
    others = {
        "a": {"type": "string", "nullable": True, "description": " spaced ", "default": 'q"'},
        "b": {"type": "string", "enum": ["x", "y"], "default": "x", "nullable": True},
        "c": {"type": "boolean", "default": True},
        "d": {"type": "object", "default": {"k": [1]}},
        "e": point,
        "f": {"type": "object", "properties": {"p": point, "q": lists["f"]}},
        "g": {"type": "integer", "minimum": 1, "title": "G", "examples": [1, {"x": None}]},
        "h": {},
    }
    tools = {
        "lists": [typed(**lists)],
        "choices": [typed(**choices)],
        "others": [typed(**others), FERRY_TOOL],
        "no arguments": [tool(NO_ARGUMENTS)],
        "no parameters": [{"type": "function", "function": {"name": "f", "description": "d"}}],
        "no description": [{"type": "function", "function": {"name": "f"}}, ARCHIVE_TOOL],
        "parameters none": [tool(None)],
        "more keys": [tool(NO_ARGUMENTS, strict=True, tags=["a"], **{"return": text})],
        "bare": [FERRY_TOOL["function"], FERRY_TOOL["function"]],
        "empty": [{}],
        "default of a choice": [typed(a={"oneOf": [text, number], "default": 3})],
        "default of names": [typed(a={"type": "string", "enum": ["x"], "default": 3})],
    }
    return {
        f"tools: {name}": {
            "messages": [SYSTEM, ASK] if name in ("lists", "bare") else [ASK],
            "tools": listed,
            "add_generation_prompt": True,
        }
        for name, listed in tools.items()
    }


def order_shapes() -> dict[str, Arguments]:
    return {
        "system after the question": {"messages": [ASK, SYSTEM, ANSWER]},
        "two answers": {"messages": [ASK, ANSWER, ANSWER], "add_generation_prompt": True},
        "answer without content": {"messages": [ASK, {"role": "assistant"}]},
        "question without content": {"messages": [{"role": "user"}]},
        "question none": {"messages": [user(None), ANSWER]},
        "question as a number": {"messages": [user(3), ANSWER]},
        "role none": {"messages": [{"role": None, "content": "x"}]},
        "empty message": {"messages": [ASK, {}]},
        "same question twice": {
            "messages": [ASK, ANSWER, ASK, ANSWER],
            "tools": [FERRY_TOOL],
        },
        "question last, tools, system": {
            "messages": [SYSTEM, ASK, ANSWER, THANKS],
            "tools": [FERRY_TOOL, ARCHIVE_TOOL],
        },
        "answer in parts": {"messages": [ASK, assistant(TEXT_PARTS), THANKS]},
        "answer none": {"messages": [ASK, assistant(None), THANKS]},
    }


def option_shapes() -> dict[str, Arguments]:
    search = call(3, "brave_search", {"query": "ferry", "where": "Bodø"})
    numeric = call(3, "brave_search", {"query": 1})
    ask, names = [SYSTEM, ASK], ["brave_search", "code_interpreter"]
    return {
        "builtin call": {"messages": [ASK, calling(search, content="")], "builtin_tools": names},
        "builtin call, number": {
            "messages": [ASK, calling(numeric, content="")],
            "builtin_tools": names,
        },
        "builtin tools, own call": {
            "messages": [*SERVED, ANSWER],
            "tools": [FERRY_TOOL],
            "builtin_tools": ["wolfram_alpha"],
        },
        "builtin none": {"messages": ask, "builtin_tools": []},
        "browser and python": {
            "messages": ask,
            "builtin_tools": ["python", "browser"],
            "tools": [FERRY_TOOL],
            "add_generation_prompt": True,
        },
        "python only": {"messages": [ASK], "builtin_tools": ["python"]},
        "custom tools": {"messages": ask, "custom_tools": [ARCHIVE_TOOL], "tools": [FERRY_TOOL]},
        "tools in the system message": {
            "messages": ask,
            "tools": [FERRY_TOOL, ARCHIVE_TOOL],
            "tools_in_user_message": False,
            "date_string": "1 January 2030",
            "add_generation_prompt": True,
        },
        "tools before an answer": {"messages": [SYSTEM, ANSWER, ASK], "tools": [FERRY_TOOL]},
        "xml tools": {"messages": ask, "xml_tools": [FERRY_TOOL], "add_generation_prompt": True},
        "xml tools of no list": {"messages": ask, "xml_tools": {"name": "f"}},
        "python tools": {
            "messages": ask,
            "python_tools": ["def f(x: int): ...", FERRY_TOOL],
            "enable_thinking": False,
        },
        "tools of every kind": {
            "messages": [ASK],
            "xml_tools": [{"name": "f"}],
            "python_tools": ["def f(): ..."],
            "tools": [ARCHIVE_TOOL],
        },
        "identity, low effort": {
            "messages": ask,
            "model_identity": "You are a clerk.",
            "reasoning_effort": "low",
            "add_generation_prompt": True,
        },
        "effort none": {"messages": ask, "reasoning_effort": None},
        "without a start": {"messages": ask, "bos_token": "", "eos_token": "<end>"},
    }
