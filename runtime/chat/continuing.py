"""Rendering up to the middle of the final message, for a model to continue it.

A tag is appended to the text to continue; the rendered text ends where the tag shows up. Rules and
messages are those of transformers 5.24.0, `continue_final_message`.
"""

from __future__ import annotations

from typing import Any

from runtime.chat.inputs import REASONING_FIELDS
from runtime.events import Message

_TAG = "CONTINUE_FINAL_MESSAGE_TAG "  # its final space shows whether the template strips the text


def tag_final_message(chat: list[Message], field: str, source: str) -> Any:
    """Append the tag to a field of the final message, in place; the text before the tag.

    `field`: a key of the message that the template `source` reads, its value a text or a list of
    content blocks. Raises ValueError where there is nothing to continue, TypeError where it is no
    text.
    """
    if not chat:
        raise ValueError("continue_final_message is set but the conversation is empty!")
    message = chat[-1]
    value = message.get(field)
    if value is None:
        raise ValueError(
            "continue_final_message is set but the final message has no " f'"{field}" to continue!'
        )
    fields = _fields_of_value(message, field, value)
    if not any(name in source for name in fields):
        raise ValueError(
            f'continue_final_message is set to "{field}" '
            "but this is not an accepted field in the chat_template"
        )
    if isinstance(value, (list, tuple)):
        return _tag_last_text(value)
    for name in fields:
        message[name] = message[name] + _TAG
    return value


def cut_at_tag(text: str, continued: Any) -> str:
    """The rendered text up to the tag after the continued one.

    Raises ValueError where the template leaves out the text or the tag.
    """
    stripped = continued.strip()
    if stripped not in text or _TAG.strip() not in text:
        raise ValueError(
            "continue_final_message is set but the final message does not appear in the chat after "
            "applying the chat template! This can happen if the chat template deletes portions of "
            "the final message. Please verify the chat template and final message in your chat to "
            "ensure they are compatible."
            f"Final message to continue: {stripped}\nRendered chat:\n{text}"
        )
    end = text.rindex(_TAG.strip())
    if text.startswith(_TAG, end):
        return text[:end]
    return text[:end].rstrip()


def _fields_of_value(message: Message, field: str, value: Any) -> list[str]:
    """The field, or every name under which a reasoning field's value is given."""
    if field in REASONING_FIELDS:
        return [name for name in REASONING_FIELDS if message.get(name) == value]
    return [field]


def _tag_last_text(blocks: Any) -> Any:
    for block in reversed(blocks):
        if "text" in block:
            text = block["text"]
            block["text"] = text + _TAG
            return text
    raise ValueError(
        "continue_final_message is set but we could not find any text to continue "
        "in the final message!"
    )
