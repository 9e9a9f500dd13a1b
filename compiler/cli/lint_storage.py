"""Rules LT8xx: chat templates of a model repository that are not the ones that are used.

The runtime, which knows what transformers loads, is imported by its name as text.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from compiler.cli.terminal import Unusable
from compiler.diagnostics import Diagnostic, Location
from compiler.lint.problems import Problem
from compiler.lint.rules import LINT_RULES

# A repository with one of these is loaded by processors too.
_OF_PROCESSORS = ("processor_config.json", "preprocessor_config.json", "chat_template.json")


def storage_problems(folder: Path) -> list[Problem]:
    """The surprises of a model repository, for tokenizers and, if it has one, its processor.

    Raises Unusable where transformers could not load the chat templates.
    """
    has_processor = any((folder / name).is_file() for name in _OF_PROCESSORS)
    found: dict[tuple[str, str, str], Problem] = {}
    for processor in (False, True) if has_processor else (False,):
        try:
            stored = import_module("runtime.chat.storage").load_chat_templates(folder, processor)
        except ValueError as error:
            raise Unusable(f"{folder.as_posix()}: {error}") from None
        for warning in stored.warnings:
            key = (warning.id, warning.file, warning.message)
            found.setdefault(key, _problem(folder, *key))
    return list(found.values())


def _problem(folder: Path, rule: str, file: str, message: str) -> Problem:
    place = Location((folder / file).as_posix())
    return Problem(Diagnostic(rule, LINT_RULES[rule].severity, message, "", None, place))
