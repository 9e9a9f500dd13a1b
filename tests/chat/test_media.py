"""OpenAI's image blocks, as processors rewrite them."""

from __future__ import annotations

from typing import Any

import pytest

from runtime.chat import ChatTemplate
from runtime.chat.media import with_image_blocks

BLOCKS = [
    ({"type": "image_url", "image_url": {"url": "u", "detail": "low"}, "x": 1}, "u"),
    ({"type": "image_url", "image_url": "u"}, "u"),
    ({"type": "image_url", "image_url": {}}, ""),
    ({"type": "image_url", "image_url": None}, None),
]


@pytest.mark.parametrize(("block", "url"), BLOCKS)
def test_image_urls_become_images(block: Any, url: str | None) -> None:
    message = {"role": "user", "content": [block, {"type": "text", "text": "a"}]}
    (seen,) = with_image_blocks([message])
    assert seen["content"] == [{"type": "image", "url": url}, {"type": "text", "text": "a"}]
    assert message["content"][0] is block


@pytest.mark.parametrize(
    "content",
    [
        "text",
        ["text"],
        [{"type": "image_url"}],
        [{"type": "image", "image_url": "u"}],
        ({"type": "image_url", "image_url": "u"},),
    ],
)
def test_other_content_stays(content: Any) -> None:
    assert with_image_blocks([{"role": "user", "content": content}]) == [
        {"role": "user", "content": content}
    ]


def test_a_template_takes_them() -> None:
    template = ChatTemplate("{% for p in messages[0].content %}<{{ p.type }}>{% endfor %}")
    messages = [{"role": "user", "content": [BLOCKS[0][0]]}]
    assert template.render(messages) == "<image_url>"
    assert template.render(with_image_blocks(messages)) == "<image>"
