"""All checks of response templates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from compiler.diagnostics import TemplateError
from compiler.frontend.load import load
from compiler.frontend.validate import validate
from compiler.lint.folder import ModelFolder
from compiler.lint.problems import LintFinding, Problem, located, reading_order
from compiler.lint.response.changed_features import check_content_parsers, check_placeholders
from compiler.lint.response.chunks import check_end_of_text, check_growing
from compiler.lint.response.groups import check_groups
from compiler.lint.response.lost_text import check_dropped, check_replaced, check_white_space
from compiler.lint.response.prompts import check_prompts
from compiler.lint.response.reachable import check_empty, check_hidden, check_possible
from compiler.lint.response.rust_patterns import check_literal_start, check_rust_syntax
from compiler.lint.response.served_fields import (
    check_calls,
    check_dialect,
    check_join,
    check_names,
    check_texts,
)
from compiler.lint.response.subject import Subject

NOTHING_BESIDE = ModelFolder()

Check = Callable[[Subject], Iterator[LintFinding]]

CHECKS: tuple[Check, ...] = (
    check_names,
    check_join,
    check_texts,
    check_calls,
    check_content_parsers,
    check_placeholders,
    check_rust_syntax,
    check_literal_start,
    check_end_of_text,
    check_growing,
    check_hidden,
    check_possible,
    check_empty,
    check_dropped,
    check_replaced,
    check_white_space,
    check_prompts,
    check_groups,
)

# What is right in version 1 need not be so in the dialect, and its readers are others.
DIALECT_CHECKS: tuple[Check, ...] = (check_dialect, check_dropped, check_prompts)


def response_problems(
    target: Path | Mapping[str, Any], folder: ModelFolder = NOTHING_BESIDE
) -> tuple[Problem, ...]:
    """Everything that is wrong with the response template in a file, or given, in its order.

    A template that is refused gets the reasons alone.
    """
    try:
        source = load(target)
        checked = validate(source)
    except TemplateError as error:
        return tuple(map(Problem, error.diagnostics))
    assert isinstance(source.spec, dict)  # RT101
    subject = Subject(checked.template, source.spec, folder)
    checks = DIALECT_CHECKS if checked.template.extended else CHECKS
    found = located(source, (finding for check in checks for finding in check(subject)))
    return tuple(sorted((*map(Problem, checked.warnings), *found), key=reading_order))
