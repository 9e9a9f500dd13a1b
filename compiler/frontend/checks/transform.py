"""Rules RT4xx: the transform of a field and what its placeholders can reach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import regex

from compiler.diagnostics import Finding
from compiler.frontend.checks.delimiters import named_groups
from compiler.frontend.content_parsers import DIALECT_PARSERS, ValueKind
from compiler.frontend.json_positions import child_pointer
from compiler.frontend.placeholders import (
    Placeholder,
    is_nearly_placeholder,
    placeholder_in,
    placeholder_part,
)
from compiler.frontend.wording import did_you_mean, kind_of, listed, quoted

_GROUP_OPENING = regex.compile(r"\(\?P?<\w")


def check_transform(
    field: Mapping[str, object], pointer: str, extended: bool = False
) -> Iterator[Finding]:
    """The transform, whether it is applied to each item, and the groups it may use."""
    each = field.get("transform_each", False)
    if not isinstance(each, bool):
        place = child_pointer(pointer, "transform_each")
        yield Finding("RT402", place, f'"transform_each" is true or false, not {kind_of(each)}')
    if field.get("transform") is None:
        if each is True:
            place = child_pointer(pointer, "transform_each")
            message = '"transform_each" needs a "transform" to apply to each item'
            yield Finding("RT403", place, message, on_key=True)
        yield from _check_unused_groups(field, pointer)
        return
    whole = child_pointer(pointer, "transform")
    for place, text in _strings(field["transform"], whole):
        placeholder = placeholder_in(text, extended)
        if placeholder is None:
            yield from _check_text(text, place, extended)
        elif placeholder.optional and place == whole:
            yield Finding(
                "RT401", place, "an optional placeholder needs something to be left out of"
            )
        elif each is False:
            yield from _check_paths(placeholder, field, place)
    if each is True:
        yield from _check_each(field, pointer)


def value_kind(field: Mapping[str, object]) -> ValueKind:
    """The kind of value a region of the field gives, after the transform."""
    transform = field.get("transform")
    if transform is None or transform == "{content}":
        return "array" if field.get("transform_each") is True else _content_kind(field)
    if field.get("transform_each") is True or isinstance(transform, list):
        return "array"
    if isinstance(transform, dict):
        return "object"
    return "any" if isinstance(transform, str) else "scalar"


def _strings(value: object, pointer: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield pointer, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _strings(item, child_pointer(pointer, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from _strings(item, child_pointer(pointer, i))


def _check_unused_groups(field: Mapping[str, object], pointer: str) -> Iterator[Finding]:
    for key in ("open_pattern", "close_pattern"):
        groups = named_groups(field, key)
        if groups:
            opening = _GROUP_OPENING.search(str(field[key]))
            yield Finding(
                "RT404",
                child_pointer(pointer, key),
                f"named groups need a transform to reach the message: {listed(sorted(groups))}",
                'add a "transform" that uses them, or write (?:...) instead of (?P<name>...)',
                offset=opening.start() if opening else None,
            )


def _check_text(text: str, pointer: str, extended: bool) -> Iterator[Finding]:
    """A text that is no placeholder should not look like one either."""
    part = placeholder_part(text, extended)
    if part is None:
        if extended and is_nearly_placeholder(text):
            hint = 'write "{path|path|JSON}" or "{path?}" without spaces; a path is words and dots'
            yield Finding("RT911", pointer, f"{quoted(text)} is no placeholder, but text", hint)
        return
    start, seen = part
    if not seen.endswith("}") and start == 0:
        hint = 'write "{path|path|JSON}" or "{path?}"'
        yield Finding("RT401", pointer, f"{quoted(text)} is not a placeholder", hint)
        return
    message = f"{quoted(seen)} is mixed with other text"
    hint = "a placeholder is the whole string; text around it is not supported"
    yield Finding("RT401", pointer, message, hint, offset=start)


def _check_paths(
    placeholder: Placeholder, field: Mapping[str, object], pointer: str
) -> Iterator[Finding]:
    """A placeholder that cannot be filled raises at the first region; transformers loads it."""
    openers, closers = named_groups(field, "open_pattern"), named_groups(field, "close_pattern")
    if openers is None or closers is None:
        return
    scope = sorted({"content", *openers, *closers})
    for path in placeholder.paths:
        root, _, rest = path.partition(".")
        if root not in scope:
            message = f"{quoted(root)} is never defined; there is {listed(scope)}"
            yield Finding("RT904", pointer, message, did_you_mean(root, scope))
        elif rest and (root != "content" or _content_kind(field) not in ("object", "any")):
            message = (
                f"{quoted(root)} is never an object, so {quoted(rest)} cannot be looked up in it"
            )
            yield Finding("RT904", pointer, message)


def _check_each(field: Mapping[str, object], pointer: str) -> Iterator[Finding]:
    if _content_kind(field) not in ("array", "any"):
        place = child_pointer(pointer, "transform_each")
        content = field.get("content", "text")
        shown = quoted(content) if isinstance(content, str) else "of this kind"
        message = f'"transform_each" needs a list; content {shown} never gives one'
        yield Finding("RT907", place, message, on_key=True)


def _content_kind(field: Mapping[str, object]) -> ValueKind:
    """The kind of value the content parser makes; "any" if it is unknown or depends on the text."""
    content = field.get("content", "text")
    kinds = {
        _kind_of_parser(item) for item in (content if isinstance(content, list) else [content])
    }
    return kinds.pop() if len(kinds) == 1 else "any"


def _kind_of_parser(content: object) -> ValueKind:
    name = content.get("name") if isinstance(content, dict) else content
    known = isinstance(name, str) and name in DIALECT_PARSERS
    return DIALECT_PARSERS[str(name)].gives if known else "any"
