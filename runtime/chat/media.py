"""Content blocks of images, in the form that multimodal chat templates read."""

from __future__ import annotations

from typing import Any

from runtime.chat.inputs import conversation_messages
from runtime.events import Message


def with_image_blocks(messages: Any) -> list[Message]:
    """A conversation for `ChatTemplate.render`, as a processor hands it to its template.

    A block `{"type": "image_url", "image_url": url}`, or `{"url": url}` for the url, becomes
    `{"type": "image", "url": url}`; further keys of it are lost, and blocks in a tuple stay
    (transformers 5.24.0). A tokenizer leaves such blocks as they are.
    """
    chat = conversation_messages(messages)
    for message in chat:
        content = message.get("content")
        if isinstance(content, list):
            message["content"] = [_image_block(block) for block in content]
    return chat


def _image_block(block: Any) -> Any:
    if not isinstance(block, dict) or block.get("type") != "image_url" or "image_url" not in block:
        return block
    image = block["image_url"]
    return {"type": "image", "url": image.get("url", "") if isinstance(image, dict) else image}
