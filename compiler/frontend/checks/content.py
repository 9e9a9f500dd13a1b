"""Rules RT3xx: content parsers and their arguments.

transformers does not look at "content_args" before a region closes. What must fail there is an
error here; what it ignores or takes by chance is a warning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from compiler.diagnostics import Finding
from compiler.frontend.checks.delimiters import check_pattern, named_groups
from compiler.frontend.checks.values import check_flag, unknown_keys
from compiler.frontend.content_parsers import CONTENT_PARSERS, ContentParser
from compiler.frontend.json_positions import child_pointer
from compiler.frontend.wording import did_you_mean, kind_of, listed, quoted


def check_content(
    spec: Mapping[str, object],
    name_key: str,
    arguments_key: str,
    pointer: str,
    extended: bool = False,
) -> Iterator[Finding]:
    """The parser named under `name_key` with its arguments under `arguments_key`.

    The keys are "content" and "content_args" in a field, "name" and "args" in a value parser.
    """
    name = spec.get(name_key, "text")
    parser = CONTENT_PARSERS.get(name) if isinstance(name, str) else None
    if not isinstance(name, str) or parser is None:
        shown = quoted(name) if isinstance(name, str) else kind_of(name)
        message = f"unknown content parser {shown}; there are {listed(CONTENT_PARSERS)}"
        hint = did_you_mean(name, CONTENT_PARSERS)
        yield Finding("RT301", child_pointer(pointer, name_key), message, hint)
        return
    arguments = spec.get(arguments_key, {})
    place = child_pointer(pointer, arguments_key)
    if isinstance(arguments, dict):
        yield from _check_arguments(name, parser, arguments, place)
    elif parser.arguments:
        message = f"{quoted(arguments_key)} is an object, not {kind_of(arguments)}"
        yield Finding("RT302", place, message)
    else:
        message = f"{quoted(arguments_key)} should be an object; {quoted(name)} ignores it"
        yield Finding("RT902", place, message)


def _check_arguments(
    name: str, parser: ContentParser, arguments: Mapping[str, object], pointer: str
) -> Iterator[Finding]:
    message = f"{quoted(name)} has no argument {{}}; it is ignored"
    yield from unknown_keys(arguments, parser.arguments, pointer, "RT903", message, {})
    for key, kind in parser.arguments.items():
        if kind == "pattern":
            yield from _check_tag_pattern(name, arguments, key, pointer)
        elif key not in arguments:
            continue
        elif kind == "flag":
            yield from check_flag(arguments, key, pointer)
        elif kind == "string pairs":
            yield from _check_string_pairs(arguments[key], child_pointer(pointer, key))
        elif kind == "parser":
            yield from _check_value_parser(arguments[key], child_pointer(pointer, key))
        else:
            null_splits = kind == "white space separator"
            yield from _check_separator(arguments, key, pointer, null_splits)


def _check_tag_pattern(
    name: str, arguments: Mapping[str, object], key: str, pointer: str
) -> Iterator[Finding]:
    place = child_pointer(pointer, key)
    if arguments.get(key) is None:
        yield Finding("RT303", pointer, f"{quoted(name)} needs {quoted(key)}")
        return
    yield from check_pattern(arguments[key], place)
    groups = named_groups(arguments, key)
    if groups is None:
        return
    if "key" not in groups:
        hint = "(?P<key>...) takes the name of a value"
        yield Finding("RT304", place, 'the pattern has no group "key"', hint)
    if "value" not in groups:
        hint = "(?P<value>...) takes the text of a value"
        yield Finding("RT910", place, 'without a group "value" every value is empty', hint)


def _check_string_pairs(value: Any, pointer: str) -> Iterator[Finding]:
    """transformers unpacks whatever Python can unpack into two strings, "<>" for one."""
    try:
        pairs = [(opener, closer) for opener, closer in value]
    except (TypeError, ValueError):
        pairs = None
    if pairs is None or not all(isinstance(side, str) for pair in pairs for side in pair):
        yield Finding("RT305", pointer, "string delimiters are a list of [open, close] strings")
        return
    is_plain = isinstance(value, list) and all(isinstance(pair, list) for pair in value)
    if not is_plain or not all(side for pair in pairs for side in pair):
        message = "string delimiters should be a list of [open, close], both not empty"
        yield Finding("RT902", pointer, message)


def _check_separator(
    arguments: Mapping[str, object], key: str, pointer: str, null_splits: bool
) -> Iterator[Finding]:
    value, place = arguments[key], child_pointer(pointer, key)
    if value is None and null_splits:
        message = f"{quoted(key)} should be a string; null splits at every run of white space"
        yield Finding("RT902", place, message)
    elif not isinstance(value, str):
        yield Finding("RT305", place, f"{quoted(key)} is a string, not {kind_of(value)}")
    elif not value:
        yield Finding("RT305", place, f"{quoted(key)} cannot be empty")


def _check_value_parser(value: object, pointer: str) -> Iterator[Finding]:
    if value is None:  # values stay text
        return
    if not isinstance(value, dict):
        message = f"a value parser is an object with a name, not {kind_of(value)}"
        hint = f'write {{"name": {quoted(value)}}}' if isinstance(value, str) else None
        yield Finding("RT305", pointer, message, hint)
        return
    message = "a value parser has no key {}; it is ignored"
    yield from unknown_keys(value, ("name", "args"), pointer, "RT903", message, {})
    yield from check_content(value, "name", "args", pointer)
