"""Response templates to lint, and what is found in them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from compiler.diagnostics import Diagnostic
from compiler.lint.folder import ModelFolder
from compiler.lint.response.checks import response_problems

THINKING = {"open": "<think>", "close": "</think>"}
CALL = {"type": "function", "function": "{content}"}
CALLS = {
    "open": "<call>",
    "close": "</call>",
    "repeats": True,
    "content": "json",
    "transform": CALL,
}


def template(**fields: Any) -> dict[str, Any]:
    """A template of these fields, and one that takes all other text."""
    return {"start_anchor": "<bot>", "fields": {"content": {"repeats": True}, **fields}}


def found(spec: Any, *rules: str, chat: str | None = None) -> list[Diagnostic]:
    """What is found in a template, of these rules or any, with a chat template beside it."""
    problems = response_problems(spec, ModelFolder(chat))
    assert all(problem.fix is None for problem in problems)
    diagnostics = [problem.diagnostic for problem in problems]
    return [each for each in diagnostics if not rules or each.rule in rules]


def places(spec: Any, *rules: str) -> list[tuple[str, str]]:
    """The rule and the pointer of all that is found."""
    return [(each.rule, each.pointer) for each in found(spec, *rules)]


def caret(diagnostic: Diagnostic) -> str:
    """The text of the line from the place of the diagnostic on."""
    location = diagnostic.location
    assert location.column is not None
    return location.line_text[location.column - 1 :]


def spec_of(example: str, kind: str) -> tuple[Mapping[str, Any], str | None]:
    """The template, and the chat template beside it, of an example in the catalogue."""
    value = json.loads(example)
    if kind == "files":
        return json.loads(value["response_template.json"]), value["chat_template.jinja"]
    return ({"start_anchor": "A", "fields": {"x": value}} if kind == "field" else value), None
