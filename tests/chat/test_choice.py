"""Which template is taken, for tokenizers and for processors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runtime.chat.choice import processor_template, tokenizer_template

SEVERAL = {"default": "D", "tool_use": "T", "rag": "R"}
NAMELESS = {"tool_use": "T", "rag": "R"}
CASES = Path(__file__).with_name("cases.jsonl")


@pytest.mark.parametrize(
    ("templates", "wanted", "tools", "expected"),
    [
        ("one", None, None, "one"),
        ("one", None, [{}], "one"),
        ("one", "other", None, "other"),
        (None, "other", None, "other"),
        ("", None, None, ""),
        (SEVERAL, None, None, "D"),
        (SEVERAL, None, [{}], "T"),
        (SEVERAL, None, [], "T"),  # an empty list is tools all the same
        (SEVERAL, "rag", [{}], "R"),
        (SEVERAL, "typo", None, "typo"),  # no name, so a template
        (NAMELESS, None, [{}], "T"),
        ({"default": "D"}, None, [{}], "D"),
    ],
)
def test_what_a_tokenizer_takes(templates: Any, wanted: Any, tools: Any, expected: str) -> None:
    assert tokenizer_template(templates, wanted, tools) == expected


@pytest.mark.parametrize(
    ("templates", "wanted", "expected"),
    [
        ("one", None, "one"),
        ("one", "other", "other"),
        (None, "other", "other"),
        (SEVERAL, None, "D"),
        (SEVERAL, "tool_use", "T"),
        (SEVERAL, "typo", "typo"),
    ],
)
def test_what_a_processor_takes(templates: Any, wanted: Any, expected: str) -> None:
    assert processor_template(templates, wanted) == expected


def test_no_template_to_take() -> None:
    with pytest.raises(ValueError, match=r"tokenizer\.chat_template is not set"):
        tokenizer_template(None)
    with pytest.raises(ValueError, match=r"names are \['rag', 'tool_use'\]\.$"):
        tokenizer_template(NAMELESS)
    with pytest.raises(ValueError, match="processor does not have a chat template"):
        processor_template(None)
    with pytest.raises(ValueError, match=r"Available templates are: tool_use, rag$"):
        processor_template(NAMELESS)


def test_reported_cases_of_several_templates() -> None:
    for case in map(json.loads, CASES.read_text("utf-8").splitlines()):
        if isinstance(case["template"], dict):
            with pytest.raises(ValueError, match="no default") as raised:
                tokenizer_template(case["template"], tools=case["context"].get("tools"))
            assert all(name in str(raised.value) for name in case["template"])
