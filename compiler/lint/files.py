"""A file to lint: the templates in it, and all that is wrong with them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from compiler.frontend.json_positions import child_pointer
from compiler.frontend.load import CONFIG_KEY
from compiler.lint.chat.checks import chat_problems
from compiler.lint.chat.source import ChatSource
from compiler.lint.folder import ModelFolder
from compiler.lint.problems import Problem
from compiler.lint.response.checks import response_problems

_CHAT_KEY = "chat_template"


@dataclass(frozen=True)
class TemplateFile:
    """A file with chat templates, a response template, or both. `text` keeps its line ends."""

    path: Path
    display: str
    text: str
    folder: ModelFolder


def lint(file: TemplateFile) -> tuple[Problem, ...]:
    """Everything that is wrong with the templates in a file, each template's in its order."""
    if file.path.suffix != ".json":
        return chat_problems(ChatSource(file.display, file.text))
    value = _json(file.text)
    problems = [
        problem
        for pointer in _chat_pointers(value)
        for problem in chat_problems(ChatSource(file.display, file.text, pointer))
    ]
    if _is_response_template(value):
        problems += response_problems(file.path, file.folder)
    return tuple(problems)


def has_templates(text: str) -> bool:
    """Whether a config has a template. One that cannot be read may have."""
    value = _json(text)
    return not isinstance(value, dict) or bool(value.keys() & {_CHAT_KEY, CONFIG_KEY})


def _json(text: str) -> object:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):  # rules of response templates say why
        return None
    return value


def _chat_pointers(value: object) -> Iterator[str]:
    """The JSON pointers of the chat templates in a config."""
    stored = value.get(_CHAT_KEY) if isinstance(value, dict) else None
    base = child_pointer("", _CHAT_KEY)
    if isinstance(stored, str):
        yield base
    elif isinstance(stored, dict):
        yield from (child_pointer(base, name) for name, text in stored.items() if _is_text(text))
    elif isinstance(stored, list):
        for position, entry in enumerate(stored):
            if isinstance(entry, dict) and _is_text(entry.get("template")):
                yield child_pointer(child_pointer(base, position), "template")


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_response_template(value: object) -> bool:
    """Whether it has one, or should: a JSON file without any template is meant to be one."""
    return not isinstance(value, dict) or CONFIG_KEY in value or _CHAT_KEY not in value
