"""Lint a chat template given as text."""

from __future__ import annotations

from pathlib import Path

from compiler.lint.chat.checks import chat_problems
from compiler.lint.chat.source import ChatSource
from compiler.lint.files import TemplateFile
from compiler.lint.fixing import Linted, mend
from compiler.lint.folder import ModelFolder
from compiler.lint.problems import Problem
from compiler.lint.selection import Selection


def problems_of(text: str) -> tuple[Problem, ...]:
    return chat_problems(ChatSource("t.jinja", text))


def rules_of(text: str) -> list[str]:
    return [problem.diagnostic.rule for problem in problems_of(text)]


def places_of(text: str, rule: str) -> list[str]:
    """Where a rule is broken, as `line:column`."""
    found = [problem.diagnostic for problem in problems_of(text) if problem.diagnostic.rule == rule]
    return [f"{each.location.line}:{each.location.column}" for each in found]


def mended(text: str, *rules: str) -> Linted:
    """The text with the fixes of these rules, or of all."""
    file = TemplateFile(Path("t.jinja"), "t.jinja", text, ModelFolder())
    return mend(file, Selection(select=rules))
