"""Rules RT2xx: openers, closers and the start anchor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import regex

from compiler.delimiters.nodes import Node
from compiler.delimiters.pattern import PatternError, parse_pattern
from compiler.diagnostics import Finding
from compiler.frontend.json_positions import child_pointer
from compiler.frontend.wording import kind_of, quoted


def check_delimiter(
    spec: Mapping[str, object], literal_key: str, pointer: str
) -> Iterator[Finding]:
    """The delimiter under `literal_key` ("open", "close", "start_anchor") or its pattern key."""
    pattern_key = f"{literal_key}_pattern"
    if literal_key in spec and pattern_key in spec:
        message = f"{quoted(literal_key)} and {quoted(pattern_key)} exclude each other"
        yield Finding("RT201", child_pointer(pointer, pattern_key), message, on_key=True)
    if literal_key in spec:
        yield from _check_literals(spec[literal_key], child_pointer(pointer, literal_key))
    if pattern_key in spec:
        yield from check_pattern(spec[pattern_key], child_pointer(pointer, pattern_key))


def check_start_anchor(spec: Mapping[str, object]) -> Iterator[Finding]:
    """The template has exactly one of "start_anchor" and "start_anchor_pattern"."""
    if "start_anchor" not in spec and "start_anchor_pattern" not in spec:
        message = 'neither "start_anchor" nor "start_anchor_pattern" is given'
        hint = 'the text that starts an assistant message, such as "<|im_start|>assistant\\n"'
        yield Finding("RT206", "", message, hint)
    yield from check_delimiter(spec, "start_anchor", "")


def check_pattern(pattern: object, pointer: str) -> Iterator[Finding]:
    """A pattern is a string that the compiler reads; the `regex` package reads some more."""
    if not isinstance(pattern, str):
        yield Finding("RT207", pointer, f"a pattern is a string, not {kind_of(pattern)}")
        return
    try:
        parse_pattern(pattern)
    except PatternError as error:
        rule = "RT203" if _groups(pattern) is None else "RT204"
        yield Finding(rule, pointer, error.message, error.hint, error.position)
    except RecursionError:
        yield Finding("RT203", pointer, "nested too deep")


def readable(pattern: object) -> Node | None:
    """The tree of a pattern; None if there is a mistake in it."""
    try:
        return parse_pattern(pattern) if isinstance(pattern, str) else None
    except (PatternError, RecursionError):
        return None


def named_groups(spec: Mapping[str, object], pattern_key: str) -> Mapping[str, int] | None:
    """Group numbers by name of the pattern under `pattern_key`; None if it cannot be read."""
    if pattern_key not in spec:
        return {}
    pattern = spec[pattern_key]
    return _groups(pattern) if isinstance(pattern, str) else None


def _groups(pattern: str) -> Mapping[str, int] | None:
    """Group numbers by name; None if the `regex` package refuses the pattern."""
    try:
        groups: Mapping[str, int] = regex.compile(pattern, regex.DOTALL).groupindex
    except (regex.error, ValueError, KeyError, OverflowError, RecursionError):
        return None  # a mistake, contradicting flags, absurd numbers, nested too deep
    return groups


def _check_literals(value: object, pointer: str) -> Iterator[Finding]:
    if isinstance(value, str):
        literals = {pointer: value}
    elif isinstance(value, list):
        literals = {child_pointer(pointer, i): item for i, item in enumerate(value)}
        if not value:
            yield Finding("RT205", pointer, "the list has no literal")
    else:
        message = f"a literal delimiter is a string or a list of strings, not {kind_of(value)}"
        yield Finding("RT202", pointer, message)
        return
    for place, literal in literals.items():
        if not isinstance(literal, str):
            message = f"every literal in the list is a string, not {kind_of(literal)}"
            yield Finding("RT202", place, message)
        elif not literal:
            yield Finding("RT205", place, "a literal delimiter cannot be empty")
