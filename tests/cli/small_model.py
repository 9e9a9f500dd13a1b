"""A small model, and what running a command gives."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TINY: dict[str, Any] = {
    "defaults": {"role": "assistant"},
    "start_anchor": "<bot>",
    "fields": {
        "thinking": {"open": "<think>", "close_pattern": "</think>\\s*"},
        "tool_calls": {
            "open": "<call>",
            "close": "</call>",
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "function": "{content}"},
        },
        "content": {"close": "<end>"},
    },
}
# The same format in the dialect: calls that cannot be read are dropped.
IN_DIALECT: dict[str, Any] = {
    "dialect": "extended-1",
    "defaults": {"role": "assistant"},
    "start_anchor": "<bot>",
    "ignore": "<end>",
    "fields": {
        "thinking": {"open": "<think>", "close": "</think>", "glue": {"close": ["", "\\s*"]}},
        "tool_calls": {**TINY["fields"]["tool_calls"], "on_invalid": "drop"},
        "content": {},
    },
}


@dataclass(frozen=True)
class Ran:
    """How a command ended, and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def rows(self) -> list[Any]:
        return [json.loads(line) for line in self.out.splitlines()]


Chatc = Callable[..., Ran]


def write_model(name: str, template: Any) -> Path:
    """A folder under grammars/ with this template: JSON data, or the text of the file."""
    folder = Path("grammars", name)
    folder.mkdir(parents=True)
    text = template if isinstance(template, str) else json.dumps(template, indent=2)
    (folder / "response_template.json").write_text(text, encoding="utf-8")
    return folder
