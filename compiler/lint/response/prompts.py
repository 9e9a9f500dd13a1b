"""LT608 and LT609: the start anchor, in prompts that the model's chat template makes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import regex

from compiler.frontend.syntax import Delimiter
from compiler.frontend.wording import quoted
from compiler.lint.chat.rendering import render
from compiler.lint.problems import LintFinding
from compiler.lint.response.subject import Subject
from compiler.memory import compile_template

_USER = {"role": "user", "content": "What is the weather in Rome?"}
_SYSTEM = {"role": "system", "content": "Answer briefly."}
_ANSWER = {"role": "assistant", "content": "It is sunny."}
_CALL_ID = "a1b2c3d4e"  # some templates want nine letters and digits
_CALL = {
    "role": "assistant",
    "content": "",
    "tool_calls": [
        {
            "id": _CALL_ID,
            "type": "function",
            "function": {"name": "get_weather", "arguments": {"city": "Rome"}},
        }
    ],
}
_RESULT = {
    "role": "tool",
    "tool_call_id": _CALL_ID,
    "name": "get_weather",
    "content": '{"sky": "clear"}',
}
_TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather of a city.",
        "parameters": {
            "type": "object",
            "properties": {"city": {"type": "string", "description": "Its name."}},
            "required": ["city"],
        },
    },
}
_CONVERSATIONS: Mapping[str, dict[str, Any]] = {
    "a question": {"messages": [_USER]},
    "a system message and a question": {"messages": [_SYSTEM, _USER]},
    "a second question": {"messages": [_USER, _ANSWER, _USER]},
    "a question with tools": {"messages": [_USER], "tools": [_TOOL]},
    "the answer of a tool": {"messages": [_USER, _CALL, _RESULT], "tools": [_TOOL]},
}
_SWITCHES = ("enable_thinking", "thinking")  # variables that turn the reasoning on and off
_SHOWN = 40  # characters of a prompt's end in a message


def check_prompts(subject: Subject) -> Iterator[LintFinding]:
    """Prompts without the anchor, and prompts that write text of the message after it."""
    anchor = subject.template.anchor
    prompts = dict(_prompts(subject))
    lacking = [name for name, prompt in prompts.items() if _after(anchor, prompt) is None]
    if lacking:
        end = quoted(prompts[lacking[0]][-_SHOWN:])
        where = "in no" if len(lacking) == len(prompts) else "not in every"
        message = f"the anchor is {where} generation prompt: after {lacking[0]} it ends with {end}"
        hint = "without its anchor the whole prompt is read as the message"
        yield LintFinding("LT608", anchor.pointer, message, hint)
    for prompt in dict.fromkeys(prompts.values()):
        written = _written(subject, prompt, _after(anchor, prompt))
        if written:
            name, text = written
            message = f"the generation prompt itself writes {quoted(text)} into {quoted(name)}"
            hint = "the anchor should be the end of the prompt, or a pattern that takes this text"
            yield LintFinding("LT609", anchor.pointer, message, hint)
            return


def _prompts(subject: Subject) -> Iterator[tuple[str, str]]:
    """What the model's chat template makes of each conversation that it takes."""
    source = subject.folder.chat_template
    if source is None:
        return
    used = [name for name in _SWITCHES if re.search(rf"\b{name}\b", source)]
    switches = [{}, *({name: value} for name in used for value in (False, True))]
    for name, conversation in _CONVERSATIONS.items():
        for switch in switches:
            arguments = {**subject.folder.special_tokens, **switch, **conversation}
            try:
                prompt = render(source, {**arguments, "add_generation_prompt": True})
            except Exception:  # of any class: it is the template's, which refuses this conversation
                continue
            yield ", ".join([name, *(f"{key}={value}" for key, value in switch.items())]), prompt


def _after(anchor: Delimiter, prompt: str) -> str | None:
    """What follows the last match of the anchor; None without one."""
    if anchor.literals is not None:
        pattern = "|".join(map(regex.escape, sorted(anchor.literals, key=len, reverse=True)))
    else:
        pattern = anchor.pattern or ""
    ends = [match.end() for match in regex.finditer(pattern, prompt, regex.DOTALL)]
    return prompt[ends[-1] :] if ends else None


def _written(subject: Subject, prompt: str, after: str | None) -> tuple[str, str] | None:
    """The field without an opener and the text of the prompt in it, if there is any."""
    implicit = subject.template.implicit
    if not after or not after.strip() or implicit is None or implicit.content != "text":
        return None
    parser = compile_template(subject.spec).Parser(prompt, on_error="keep")
    text = parser.finalize()[0].get(implicit.name)
    return (implicit.name, text) if isinstance(text, str) and text else None
