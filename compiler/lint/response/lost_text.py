"""LT604 to LT607: text of the model that does not reach the message."""

from __future__ import annotations

from collections.abc import Iterator

from compiler.frontend.checks.transform import value_kind
from compiler.frontend.wording import quoted
from compiler.lint.problems import LintFinding
from compiler.lint.response.subject import CALLS, Subject

_FAIL_ON_SPACE = ("int", "float", "json", "python-call-list")


def check_dropped(subject: Subject) -> Iterator[LintFinding]:
    """LT604: text between regions that belongs to no field."""
    if subject.template.implicit is None:
        message = "every field has an opener, so text between regions is dropped"
        hint = "a field without an opener takes that text"
        yield LintFinding("LT604", "/fields", message, hint, on_key=True)


def check_replaced(subject: Subject) -> Iterator[LintFinding]:
    """LT605: text between regions of which the last piece counts; LT606: calls, the same."""
    template = subject.template
    implicit = template.implicit
    is_cut = implicit is not None and (len(template.fields) > 1 or implicit.closer is not None)
    if implicit is not None and is_cut and not implicit.repeats:
        message = (
            f"of the pieces of text between regions {quoted(implicit.name)} keeps the last one, "
            "be it white space"
        )
        hint = 'with "repeats": true and "join": "\\n\\n" it keeps all of them'
        yield LintFinding("LT605", implicit.pointer, message, hint, on_key=True)
    for field in template.fields:
        is_one_call = value_kind(subject.spec["fields"][field.name]) == "object"
        if field.name == CALLS and is_one_call and not field.repeats:
            message = "of several calls the last one is kept"
            hint = 'with "repeats": true the value is the list of all calls'
            yield LintFinding("LT606", field.pointer, message, hint, on_key=True)


def check_white_space(subject: Subject) -> Iterator[LintFinding]:
    """LT607: a line break between regions that a content parser refuses."""
    field = subject.template.implicit
    if field is None or len(subject.template.fields) == 1 or field.content not in _FAIL_ON_SPACE:
        return
    if not field.content_args.get("allow_non_json"):
        message = f"white space between regions is refused by {quoted(field.content)}"
        hint = "give the field an opener, or let the closers of the others take white space"
        yield LintFinding("LT607", field.pointer, message, hint, on_key=True)
