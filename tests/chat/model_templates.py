"""The models' own chat templates, and a moment for those that print the date."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

GRAMMARS = Path(__file__).parents[2] / "grammars"
MODELS = tuple(sorted(path.parent.name for path in GRAMMARS.glob("*/chat_template.jinja")))

# In place of the class `datetime`, as far as templates reach it.
FROZEN_DATETIME = SimpleNamespace(now=lambda: datetime(2031, 5, 3, 9, 5))


def chat_source(model: str) -> str:
    return (GRAMMARS / model / "chat_template.jinja").read_text("utf-8")


def response_spec(model: str) -> Any:
    return json.loads((GRAMMARS / model / "response_template.json").read_text("utf-8"))
