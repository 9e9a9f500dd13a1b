"""What lies beside a template."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ModelFolder:
    """What a model's folder tells about the prompts that a response template continues."""

    chat_template: str | None = None
    special_tokens: Mapping[str, str] = field(default_factory=dict)
