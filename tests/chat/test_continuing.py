"""Texts that end inside the final message."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from runtime.chat import ChatTemplate

PLAIN = ChatTemplate("{% for m in messages %}<{{ m.role }}>{{ m.content }}</s>\n{% endfor %}")
TRIMMED = ChatTemplate("{% for m in messages %}<{{ m.role }}>{{ m.content|trim }}</s>{% endfor %}")
PARTS = ChatTemplate("{% for p in messages[-1].content %}[{{ p.text }}{{ p.type }}]{% endfor %}")
THOUGHT = ChatTemplate(
    "<think>{{ messages[-1].reasoning_content }}</think>{{ messages[-1].content }}"
)

BOTH = ChatTemplate("{{ messages[-1].reasoning }}|{{ messages[-1].thinking }}|")
REPEATED = ChatTemplate("{% for _ in [1, 2] %}[{{ messages[-1].content }}]{% endfor %}")


def answer(content: Any, **fields: Any) -> list[dict[str, Any]]:
    return [{"role": "user", "content": "Q"}, {"role": "assistant", "content": content, **fields}]


@pytest.mark.parametrize(
    ("template", "messages", "field", "text"),
    [
        (PLAIN, answer("It is"), True, "<user>Q</s>\n<assistant>It is"),
        (PLAIN, answer("It is"), "content", "<user>Q</s>\n<assistant>It is"),
        (PLAIN, answer(" It is "), True, "<user>Q</s>\n<assistant> It is "),
        (TRIMMED, answer(" It is "), True, "<user>Q</s><assistant>It is"),
        (PARTS, answer([{"text": "a"}, {"text": "b"}]), True, "[a][b"),
        (PARTS, answer([{"text": "a", "type": "x"}, {"type": "image"}]), True, "[a"),
        (PARTS, answer(({"text": "a "},)), True, "[a "),
        (THOUGHT, answer("", reasoning_content="Hm"), "reasoning_content", "<think>Hm"),
        (THOUGHT, answer("", reasoning="Hm"), "reasoning", "<think>Hm"),
        (THOUGHT, answer("", reasoning="Hm"), "thinking", "<think>Hm"),
        (THOUGHT, answer("A", thinking="Hm"), True, "<think>Hm</think>A"),
        # Another reasoning than the continued one ends nothing.
        (BOTH, answer("", reasoning="Hm", thinking="So"), "reasoning", "Hm"),
        # Of several tags the last counts; the others stay, as in transformers.
        (REPEATED, answer("a "), True, "[a CONTINUE_FINAL_MESSAGE_TAG ][a "),
    ],
)
def test_where_the_text_ends(
    template: ChatTemplate, messages: list[Any], field: bool | str, text: str
) -> None:
    before = deepcopy(messages)
    assert template.render(messages, continue_final_message=field) == text
    assert messages == before


@pytest.mark.parametrize(
    ("template", "messages", "field", "error"),
    [
        (PLAIN, answer(None), True, 'the final message has no "content" to continue!'),
        (PLAIN, answer("a"), "reasoning", 'the final message has no "reasoning" to continue!'),
        (
            PLAIN,
            answer("a", name="b"),
            "name",
            'set to "name" but this is not an accepted field in the chat_template',
        ),
        (PARTS, answer([{"type": "image"}]), True, "could not find any text to continue"),
        (
            ChatTemplate("{{ messages[-1].content[1:] }}"),
            answer("ab"),
            True,
            "Final message to continue: ab\nRendered chat:\nbCONTINUE_FINAL_MESSAGE_TAG ",
        ),
        (
            ChatTemplate("{{ messages[-1].content[0] }}"),
            answer(" ab "),
            True,
            "they are compatible.Final message to continue: ab\nRendered chat:\n ",
        ),
    ],
)
def test_nothing_to_continue(
    template: ChatTemplate, messages: list[Any], field: bool | str, error: str
) -> None:
    with pytest.raises(ValueError, match="continue_final_message is set") as raised:
        template.render(messages, continue_final_message=field)
    assert error in str(raised.value)


def test_an_empty_conversation_in_a_batch() -> None:
    with pytest.raises(ValueError, match="the conversation is empty!"):
        PLAIN.render_batch([[]], continue_final_message=True)


def test_what_is_no_text() -> None:
    with pytest.raises(TypeError, match="unsupported operand"):
        PLAIN.render(answer(5), continue_final_message=True)
    with pytest.raises(TypeError):
        PARTS.render(answer([{"text": None}]), continue_final_message=True)


def test_a_prompt_after_a_continued_message() -> None:
    with pytest.raises(ValueError, match="not compatible"):
        PLAIN.render(answer("a"), add_generation_prompt=True, continue_final_message=True)


def test_a_batch_is_continued_each_for_itself() -> None:
    texts = PLAIN.render_batch([answer("a"), answer("b ")], continue_final_message=True)
    assert texts == ["<user>Q</s>\n<assistant>a", "<user>Q</s>\n<assistant>b "]
