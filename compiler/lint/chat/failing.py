"""LT205, LT206: templates that fail on what clients send."""

from __future__ import annotations

from collections.abc import Iterator

from compiler.lint.chat.probes import (
    ANSWERED,
    ANSWERED_WITHOUT_CONTENT,
    CALL,
    CALL_WITHOUT_CONTENT,
    USER,
)
from compiler.lint.chat.rendering import Outcome
from compiler.lint.chat.subject import ChatSubject
from compiler.lint.problems import LintFinding

_PAIRS = ((CALL_WITHOUT_CONTENT, CALL), (ANSWERED_WITHOUT_CONTENT, ANSWERED))
_CONTENT = ("content", '"content"', "'content'")


def check_missing_content(subject: ChatSubject) -> Iterator[LintFinding]:
    """Templates that fail on a message with calls because it has no content."""
    outcomes = subject.rendered.outcomes
    for without, with_content in _PAIRS if outcomes else ():
        failed = outcomes[without]
        names_content = "no attribute 'content'" in str(failed.error)
        if failed.error and (names_content or outcomes[with_content].error is None):
            message = f"with {without}, this fails: {_told(failed)}"
            hint = "transformers drops content that is none: write message.content or ''"
            yield LintFinding("LT205", "", message, hint, _place(subject, failed, _CONTENT))
            return


def check_simplest(subject: ChatSubject) -> Iterator[LintFinding]:
    """Templates that fail on one message of a user."""
    outcomes = subject.rendered.outcomes
    if outcomes and outcomes[USER].error is not None:
        message = f"with {USER}, this fails: {_told(outcomes[USER])}"
        yield LintFinding("LT206", "", message, None, _place(subject, outcomes[USER]))


def _told(failed: Outcome) -> str:
    return f"{type(failed.error).__name__}: {failed.error}"


def _place(subject: ChatSubject, failed: Outcome, names: tuple[str, ...] = ()) -> int:
    """The first of these names in the tag that failed, or else its first token."""
    tag = subject.tag_at(failed.offset or 0)
    return next((token.start for token in tag if token.text in names), tag[1].start if tag else 0)
