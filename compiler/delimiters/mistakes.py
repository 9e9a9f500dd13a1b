r"""What to tell the writer of a pattern that cannot be read: a message and a remedy."""

from __future__ import annotations

import re

# What stands where reading stopped -> message, hint. The first that fits is told.
_MISTAKES: tuple[tuple[str, str, str | None], ...] = (
    (r"\)", "unbalanced )", r"write \) for a literal parenthesis"),
    (r"\\$", "a backslash at the end of the pattern", r"write \\ for a literal backslash"),
    (r"\{", "approximate matching is not supported", r"write \{ for a literal brace"),
    (r"\(\?(?:R|[+-]?\d|&|P[>&])", "recursion is not supported", None),
    (r"\(\?\(", "conditional groups are not supported", "use an alternation"),
    (r"\(\?\|", "branch reset is not supported", "name the groups"),
    (r"\(\*", "backtracking verbs are not supported", r"write \(\* for the literal text"),
    (r"\(\?#", "unterminated comment", "end it with )"),
    (r"\(\?P?<", "a bad group name", "write (?P<name>...) with a name like tool_name"),
    (r"\(\?P=", "a bad group reference", "write (?P=name)"),
    (r"\(\?", "unknown kind of group", r"write \( for a literal parenthesis"),
    (r"\[:", "unknown class", None),
)

UNSUPPORTED_FLAGS = {
    "V1": "version 1 of the syntax",
    "a": "ASCII-only matching",
    "b": "approximate matching",
    "e": "approximate matching",
    "f": "full case folding",
    "L": "locale-dependent matching",
    "p": "POSIX matching",
    "r": "searching backwards",
    "w": "the default word boundary",
    "x": "verbose mode",
}


def explain(rest: str, in_set: bool) -> tuple[str, str | None]:
    """The message and hint for a pattern that cannot be read at the start of `rest`."""
    if not rest:
        if in_set:
            return "a set without ]", r"write \[ for a literal bracket"
        return "a group without )", r"write \( for a literal parenthesis"
    for pattern, message, hint in _MISTAKES:
        if re.match(pattern, rest):
            return message, hint
    return f"unexpected {rest[0]!r}", None
