"""LT104: values that look as Python prints them."""

from __future__ import annotations

from collections.abc import Iterator

from compiler.lint.chat.probes import PARTS
from compiler.lint.chat.subject import ChatSubject
from compiler.lint.problems import LintFinding

_TELLING = {  # what it prints, and what to write instead
    list: ("a list", "write x|tojson, or a loop over the items"),
    tuple: ("a list", "write x|tojson, or a loop over the items"),
    dict: ("a mapping", "write x|tojson"),
    bool: ("true or false", "write x|tojson, or 'yes' if x else 'no'"),
    type(None): ("none", "ask first: {% if x is not none %}, or write x or ''"),
}
_PARTS_HINT = "clients may send content in parts: write them in a loop if it is no string"


def check_printed_values(subject: ChatSubject) -> Iterator[LintFinding]:
    """Expressions that print a list, a mapping, a boolean or none when a probe is rendered."""
    told = set()
    for probe, offset, value in subject.rendered.printed:
        if type(value) in _TELLING and offset not in told:
            told.add(offset)
            what, hint = _TELLING[type(value)]
            message = f"with {probe}, this prints {what} as Python writes it"
            is_content = probe in PARTS and isinstance(value, list)
            yield LintFinding("LT104", "", message, _PARTS_HINT if is_content else hint, offset)
