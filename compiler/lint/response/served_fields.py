"""LT501 to LT505 and LT515: what serving engines refuse when they start."""

from __future__ import annotations

from collections.abc import Iterator

from compiler.frontend.json_positions import child_pointer
from compiler.frontend.syntax import Field
from compiler.frontend.wording import quoted
from compiler.lint.problems import LintFinding
from compiler.lint.response.engines import PYTHON_SERVERS, SERVERS, SGLANG
from compiler.lint.response.subject import CALLS, CONTENT, REASONING, Subject

_TAKEN = ("thinking", CONTENT, CALLS)  # by every engine


def check_dialect(subject: Subject) -> Iterator[LintFinding]:
    """LT515: the extended dialect, in which the template is."""
    message = f"the extended dialect is refused by transformers, {SERVERS}"
    hint = "give them the parser itself, or a template of version 1"
    yield LintFinding("LT515", "/dialect", message, hint, on_key=True)


def check_names(subject: Subject) -> Iterator[LintFinding]:
    """LT501: the name of the reasoning; LT502: the names of other fields and defaults."""
    for field in subject.template.fields:
        if field.name in REASONING and field.name not in _TAKEN:
            who = PYTHON_SERVERS if field.name == "reasoning_content" else SERVERS
            message = f"the name {quoted(field.name)} is refused by {who}"
            hint = 'every engine takes "thinking"; messages then have that key'
            yield LintFinding("LT501", field.pointer, message, hint, on_key=True)
        elif field.name not in _TAKEN:
            message = f"a field {quoted(field.name)} is refused by {SERVERS}"
            hint = 'they know "thinking", "content" and "tool_calls"'
            yield LintFinding("LT502", field.pointer, message, hint, on_key=True)
    for name in subject.template.defaults:
        if name != "role":
            message = f"a default of {quoted(name)} is refused by {PYTHON_SERVERS}"
            hint = 'they take a default of "role" alone'
            place = child_pointer("/defaults", name)
            yield LintFinding("LT502", place, message, hint, on_key=True)


def check_join(subject: Subject) -> Iterator[LintFinding]:
    """LT503: joined regions."""
    for field in subject.template.fields:
        if field.join is None:
            continue
        older, hint = "transformers before 5.16", None
        if _is_text(field):
            older = f"{PYTHON_SERVERS}, and by {older}"
            hint = "without it they stream every piece, but transformers keeps only the last one"
        place = child_pointer(field.pointer, "join")
        yield LintFinding("LT503", place, f'"join" is refused by {older}', hint, on_key=True)


def check_texts(subject: Subject) -> Iterator[LintFinding]:
    """LT504: reasoning and content that are more than text."""
    for field in filter(_is_text, subject.template.fields):
        if field.content != "text":
            message = (
                f"{quoted(field.name)} read by {quoted(field.content)} is refused by {SERVERS}"
            )
            yield LintFinding("LT504", child_pointer(field.pointer, "content"), message)
        if field.transform is not None:
            message = f"a transform of {quoted(field.name)} is refused by {SERVERS}"
            place = child_pointer(field.pointer, "transform")
            yield LintFinding("LT504", place, message, on_key=True)


def check_calls(subject: Subject) -> Iterator[LintFinding]:
    """LT505: calls without an opener."""
    for field in subject.template.fields:
        if field.name == CALLS and field.is_implicit:
            message = f"{quoted(CALLS)} without an opener is refused by {SGLANG}"
            yield LintFinding("LT505", field.pointer, message, on_key=True)


def _is_text(field: Field) -> bool:
    return field.name == CONTENT or field.name in REASONING
