"""Rules RT3xx: content parsers and their arguments.

transformers does not look at "content_args" before a region closes. What must fail there is an
error here; what it ignores or takes by chance is a warning.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from compiler.diagnostics import Finding
from compiler.frontend.checks.delimiters import check_pattern, named_groups
from compiler.frontend.checks.values import check_flag, unknown_keys
from compiler.frontend.content_parsers import ArgumentKind, ContentParser, content_parsers
from compiler.frontend.json_positions import child_pointer
from compiler.frontend.known_keys import DIALECT
from compiler.frontend.wording import did_you_mean, kind_of, listed, quoted

# Kinds of argument that are one of some strings; None: any.
_TEXTS: Mapping[ArgumentKind, tuple[str, ...] | None] = {
    "text": None,
    "entities": ("xml",),
    "call separator": ("comma", "newline"),
}
_IN_THE_DIALECT = f'in a template with "dialect": "{DIALECT}"'


def check_content(
    spec: Mapping[str, object],
    name_key: str,
    arguments_key: str,
    pointer: str,
    extended: bool = False,
) -> Iterator[Finding]:
    """The parser named under `name_key` with its arguments under `arguments_key`.

    The keys are "content" and "content_args" in a field, "name" and "args" in a value parser. In
    the dialect "content" may also be a parser with its arguments, or a list of parsers.
    """
    place = child_pointer(pointer, name_key)
    name, arguments = spec.get(name_key, "text"), _Arguments(spec, arguments_key, pointer)
    if extended and name_key == "content" and isinstance(name, dict):
        yield from _check_named(name, place)
    elif extended and name_key == "content" and isinstance(name, list):
        if not name:
            yield Finding("RT301", place, "the list has no content parser")
        for i, choice in enumerate(name):
            if isinstance(choice, dict):
                yield from _check_named(choice, child_pointer(place, i))
            else:
                yield from _check_parser(choice, child_pointer(place, i), arguments, extended)
    else:
        yield from _check_parser(name, place, arguments, extended)


@dataclass(frozen=True)
class _Arguments:
    """Where the arguments of a content parser are."""

    spec: Mapping[str, object]
    key: str
    pointer: str  # of the spec


def _check_named(content: Mapping[str, object], pointer: str) -> Iterator[Finding]:
    """A parser of the dialect with its arguments: {"name": ..., "args": ...}."""
    message = "a content parser has no key {}; it is ignored"
    yield from unknown_keys(content, ("name", "args"), pointer, "RT903", message, {})
    if "name" not in content:
        yield Finding("RT301", pointer, 'a content parser has a "name"')
    else:
        yield from check_content(content, "name", "args", pointer, True)


def _check_parser(
    name: object, name_place: str, given: _Arguments, extended: bool
) -> Iterator[Finding]:
    parsers = content_parsers(extended)
    parser = parsers.get(name) if isinstance(name, str) else None
    if not isinstance(name, str) or parser is None:
        shown = quoted(name) if isinstance(name, str) else kind_of(name)
        message = f"unknown content parser {shown}; there are {listed(parsers)}"
        yield Finding("RT301", name_place, message, did_you_mean(name, parsers))
        return
    arguments = given.spec.get(given.key, {})
    place = child_pointer(given.pointer, given.key)
    if isinstance(arguments, dict):
        yield from _check_arguments(name, parser, arguments, place, extended)
    elif parser.arguments_in(extended):
        message = f"{quoted(given.key)} is an object, not {kind_of(arguments)}"
        yield Finding("RT302", place, message)
    else:
        message = f"{quoted(given.key)} should be an object; {quoted(name)} ignores it"
        yield Finding("RT902", place, message)


def _check_arguments(
    name: str,
    parser: ContentParser,
    arguments: Mapping[str, object],
    pointer: str,
    extended: bool,
) -> Iterator[Finding]:
    known = parser.arguments_in(extended)
    message = f"{quoted(name)} has no argument {{}}; it is ignored"
    elsewhere = {} if extended else dict.fromkeys(parser.in_dialect, _IN_THE_DIALECT)
    yield from unknown_keys(arguments, known, pointer, "RT903", message, elsewhere)
    for key, kind in known.items():
        place = child_pointer(pointer, key)
        if kind == "pattern":
            yield from _check_tag_pattern(name, arguments, key, pointer)
        elif key not in arguments:
            continue
        elif kind == "plain pattern":
            yield from check_pattern(arguments[key], place)
        elif kind == "flag":
            yield from check_flag(arguments, key, pointer)
        elif kind == "string pairs":
            yield from _check_string_pairs(arguments[key], place, extended)
        elif kind == "parser":
            yield from _check_value_parser(arguments[key], place, extended)
        elif kind == "types":
            yield from _check_types(arguments, key, pointer)
        elif kind in _TEXTS:
            yield from _check_text(key, arguments[key], place, _TEXTS[kind])
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


def _check_string_pairs(value: Any, pointer: str, extended: bool) -> Iterator[Finding]:
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
        yield Finding("RT305" if extended else "RT902", pointer, message)


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


def _check_value_parser(value: object, pointer: str, extended: bool) -> Iterator[Finding]:
    if value is None:  # values stay text
        return
    if not isinstance(value, dict):
        message = f"a value parser is an object with a name, not {kind_of(value)}"
        hint = f'write {{"name": {quoted(value)}}}' if isinstance(value, str) else None
        yield Finding("RT305", pointer, message, hint)
        return
    message = "a value parser has no key {}; it is ignored"
    yield from unknown_keys(value, ("name", "args"), pointer, "RT903", message, {})
    yield from check_content(value, "name", "args", pointer, extended)


def _check_types(arguments: Mapping[str, object], key: str, pointer: str) -> Iterator[Finding]:
    """Of the dialect: which parser makes the value, by what the tag's group "type" took."""
    types, place = arguments[key], child_pointer(pointer, key)
    if not isinstance(types, dict) or not types:
        given = "an empty object" if types == {} else kind_of(types)
        hint = 'write {"string": "text", "*": "json"}'
        yield Finding("RT305", place, f"{quoted(key)} is an object of parsers, not {given}", hint)
        return
    groups = named_groups(arguments, "tag_pattern")
    if groups is not None and "type" not in groups:
        hint = '(?P<type>...) in "tag_pattern" takes the type of a value'
        yield Finding("RT304", place, f'{quoted(key)} needs a group "type"', hint)
    for kind, parser in types.items():
        where = child_pointer(place, kind)
        if isinstance(parser, dict):
            yield from _check_named(parser, where)
        else:
            yield from _check_parser(parser, where, _Arguments({}, "args", where), True)


def _check_text(
    key: str, value: object, pointer: str, choices: tuple[str, ...] | None
) -> Iterator[Finding]:
    if choices is None:
        if not isinstance(value, str):
            yield Finding("RT305", pointer, f"{quoted(key)} is a string, not {kind_of(value)}")
    elif value not in choices:
        shown = quoted(value) if isinstance(value, str) else kind_of(value)
        message = f"{quoted(key)} is {' or '.join(map(quoted, choices))}, not {shown}"
        yield Finding("RT305", pointer, message, did_you_mean(value, choices))
