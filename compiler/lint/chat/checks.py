"""All checks of chat templates."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from compiler.lint.chat.constants import check_constants
from compiler.lint.chat.failing import check_missing_content, check_simplest
from compiler.lint.chat.methods import check_method_values, check_methods
from compiler.lint.chat.names import (
    check_filters,
    check_generation_tags,
    check_inclusions,
    check_loop_controls,
    check_tests,
    check_underscores,
)
from compiler.lint.chat.printing import check_printed_values
from compiler.lint.chat.reading import NotJinja
from compiler.lint.chat.source import ChatSource
from compiler.lint.chat.spans import check_captured_spans
from compiler.lint.chat.subject import ChatSubject, read_subject
from compiler.lint.chat.whitespace import check_end, check_settings
from compiler.lint.problems import LintFinding, Problem, located

Check = Callable[[ChatSubject], Iterator[LintFinding]]

CHECKS: tuple[Check, ...] = (
    check_methods,
    check_method_values,
    check_constants,
    check_printed_values,
    check_settings,
    check_loop_controls,
    check_generation_tags,
    check_filters,
    check_tests,
    check_missing_content,
    check_simplest,
    check_captured_spans,
    check_underscores,
    check_inclusions,
    check_end,
)


def chat_problems(source: ChatSource) -> tuple[Problem, ...]:
    """Everything that is wrong with a chat template, in its order."""
    try:
        subject = read_subject(source)
    except NotJinja as error:
        message = f"this is not Jinja: {error}"
        return located(source, [LintFinding("LT001", "", message, offset=error.offset)])
    return located(source, (finding for check in CHECKS for finding in check(subject)))
