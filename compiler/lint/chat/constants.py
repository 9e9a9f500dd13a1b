"""LT103: Python's spelling of constants."""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import nodes

from compiler.lint.chat.subject import ChatSubject
from compiler.lint.problems import LintFinding

_SPELLINGS = {"True": "true", "False": "false", "None": "none"}


def check_constants(subject: ChatSubject) -> Iterator[LintFinding]:
    """`True`, `False` and `None` where they are constants: no attributes, tests, argument names."""
    names = {token.start: token for token in subject.tokens if token.text in _SPELLINGS}
    for constant in subject.tree.find_all(nodes.Const):
        if constant.lineno in names:
            token = names[constant.lineno]
            spelling = _SPELLINGS[token.text]
            fix = subject.fix(f"{token.text} -> {spelling}", [(token.start, token.end, spelling)])
            message = f"{token.text} is Python's spelling"
            yield LintFinding("LT103", "", message, f"write {spelling}", token.start, fix=fix)
