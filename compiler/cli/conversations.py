"""Conversations that a command reads: messages, and what else a chat template gets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from compiler.cli.terminal import Unusable
from compiler.cli.texts import parsed_json, read_text, text_or_file

_OPTIONS = (  # arguments of rendering with an option of their own
    "messages",
    "tools",
    "documents",
    "add_generation_prompt",
    "continue_final_message",
)


@dataclass(frozen=True)
class Conversation:
    """Messages, tool schemas and documents, all JSON objects."""

    messages: list[Any]
    tools: list[Any] | None
    documents: list[Any] | None


def read_conversation(
    paths: Sequence[str], tools_path: str | None, documents_path: str | None
) -> Conversation:
    """The messages of all files, in order; "-" is stdin.

    A file holds a list of messages, one message, or an object with `messages` and maybe `tools` and
    `documents`, of which the last ones count, unless they have a file. Raises Unusable.
    """
    messages: list[Any] = []
    beside: dict[str, list[Any]] = {}
    for path in paths:
        value = parsed_json(read_text(path), path)
        if isinstance(value, dict) and "messages" in value:
            messages += _objects(value["messages"], f"{path}: messages")
            for name in ("tools", "documents"):
                if value.get(name) is not None:
                    beside[name] = _objects(value[name], f"{path}: {name}")
        else:
            is_message = isinstance(value, dict) and "role" in value
            messages += [value] if is_message else _objects(value, f"{path}: messages")
    if not messages:
        raise Unusable(f"{', '.join(paths)}: there is no message")
    for name, other in (("tools", tools_path), ("documents", documents_path)):
        if other is not None:
            beside[name] = _objects(parsed_json(read_text(other), other), f"{other}: {name}")
    return Conversation(messages, beside.get("tools"), beside.get("documents"))


def read_variables(value: str) -> dict[str, Any]:
    """The JSON object that is the value, or in the file that `@FILE` names. Raises Unusable."""
    variables = parsed_json(text_or_file(value), "--kwargs")
    if not isinstance(variables, dict):
        raise Unusable("--kwargs: variables are a JSON object")
    for name in _OPTIONS:
        if name in variables:
            raise Unusable(f"--kwargs: {name!r} has an option of its own")
    return variables


def _objects(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise Unusable(f"{name} are a JSON array of objects")
    return value
