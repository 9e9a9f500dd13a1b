"""LT608 and LT609: the start anchor, and prompts that a chat template makes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lint.linting import THINKING, found, places, template

CHAT = "{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}"
PROMPT = "{% if add_generation_prompt %}[assistant]{% endif %}"


def anchored(anchor: Any, **more: Any) -> dict[str, Any]:
    key = "start_anchor_pattern" if isinstance(anchor, str) else "start_anchor"
    return {key: anchor, "fields": {"content": {"repeats": True, "join": ""}, **more}}


def of_prompts(spec: dict[str, Any], chat: str | None) -> list[tuple[str, str, str]]:
    rules = found(spec, "LT608", "LT609", chat=chat)
    return [(finding.rule, finding.pointer, finding.message) for finding in rules]


@pytest.mark.parametrize("anchor", [["[assistant]"], ["<a>", "[assistant]"], r"\[assistant\]\s*"])
def test_an_anchor_in_every_prompt(anchor: Any) -> None:
    assert of_prompts(anchored(anchor), CHAT + PROMPT) == []


def test_an_anchor_in_no_prompt() -> None:
    spec = anchored(["<assistant>"])
    ((rule, pointer, message),) = of_prompts(spec, CHAT + PROMPT)
    assert (rule, pointer) == ("LT608", "/start_anchor")
    assert message == (
        "the anchor is in no generation prompt: after a question it ends with "
        '"]What is the weather in Rome?[assistant]"'
    )
    assert of_prompts(spec, None) == []


def test_a_pattern_in_no_prompt() -> None:
    ((_, pointer, _),) = of_prompts(anchored("<a>"), CHAT + PROMPT)
    assert pointer == "/start_anchor_pattern"


def test_an_anchor_that_is_not_written_after_tools() -> None:
    chat = CHAT + "{% if messages[-1].role != 'tool' %}" + PROMPT + "{% endif %}"
    spec = {**anchored(["[assistant]"]), "start_anchor": "<bot>"}
    bot = chat.replace("[assistant]", "<bot>")
    ((rule, _, message),) = of_prompts(spec, bot)
    assert rule == "LT608"
    assert message == (
        "the anchor is not in every generation prompt: after the answer of a tool it ends with "
        '"n Rome?[assistant][tool]{\\"sky\\": \\"clear\\"}"'
    )


def test_tools_are_given() -> None:
    chat = CHAT + "{% if tools %}<tools>{% else %}<bot>{% endif %}"
    ((_, _, message),) = of_prompts(anchored(["<bot>"]), chat)
    assert "not in every generation prompt: after a question with tools it ends" in message


@pytest.mark.parametrize("value", [True, False])
@pytest.mark.parametrize("name", ["enable_thinking", "thinking"])
def test_the_reasoning_is_switched(name: str, value: bool) -> None:
    chat = CHAT + f"{{% if {name} is {str(value).lower()} %}}<x>{{% else %}}<bot>{{% endif %}}"
    ((_, _, message),) = of_prompts(anchored(["<bot>"]), chat)
    assert f"after a question, {name}={value} it ends with" in message


def test_conversations_that_are_refused_are_left_out() -> None:
    refusing = "{% if tools or messages|length > 1 %}{{ raise_exception('no') }}{% endif %}"
    assert of_prompts(anchored(["[assistant]"]), refusing + CHAT + PROMPT) == []
    assert of_prompts(anchored(["<a>"]), "{{ raise_exception('never') }}") == []
    assert of_prompts(anchored(["<a>"]), "{% no jinja") == []


def test_the_last_anchor_counts() -> None:
    chat = "[assistant]</think>" + CHAT + PROMPT
    assert of_prompts(anchored(["[assistant]"]), chat) == []


def test_an_anchor_of_an_earlier_message() -> None:
    chat = CHAT + "{% if messages|length < 3 %}" + PROMPT + "{% endif %}"
    ((rule, _, message),) = of_prompts(anchored(["[assistant]"]), chat)
    assert rule == "LT609"
    assert message.endswith(
        'writes "It is sunny.[user]What is the weather in Rome?" into "content"'
    )


def test_a_prompt_that_writes_into_the_answer() -> None:
    chat = CHAT + PROMPT.replace("]", "]</think>")
    ((rule, pointer, message),) = of_prompts(anchored(["[assistant]"]), chat)
    assert (rule, pointer) == ("LT609", "/start_anchor")
    assert message == 'the generation prompt itself writes "</think>" into "content"'
    assert of_prompts(anchored(r"\[assistant\](?:</think>)?"), chat) == []


@pytest.mark.parametrize("written", ["<think>", "<think>Hm.", "<think>\n\n</think>\n\n", "\n"])
def test_a_prompt_that_opens_a_region(written: str) -> None:
    chat = CHAT + PROMPT.replace("]", "]" + written)
    assert of_prompts(anchored(["[assistant]"], thinking=THINKING), chat) == []


def test_without_a_field_for_all_text_nothing_is_written() -> None:
    spec = {"start_anchor": "[assistant]", "fields": {"thinking": THINKING}}
    assert of_prompts(spec, CHAT + PROMPT.replace("]", "]</think>")) == []


def test_the_dialect_is_rendered_too() -> None:
    spec = {"dialect": "extended-1", **template(thinking=THINKING)}
    assert places(spec, "LT608") == []
    assert [rule for rule, _, _ in of_prompts(spec, CHAT)] == ["LT608"]
