"""Rules RT4xx: the transform of a field and what its placeholders can reach."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import regex

from compiler.diagnostics import Finding
from compiler.frontend.checks.delimiters import named_groups
from compiler.frontend.content_parsers import CONTENT_PARSERS, ValueKind
from compiler.frontend.json_positions import child_pointer
from compiler.frontend.wording import did_you_mean, kind_of, listed, quoted

# The placeholder of transformers 5.24.0, with the \w of the `regex` package.
_PLACEHOLDER = regex.compile(r"\{(\w+(?:\.\w+)*)\}")
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
    for place, text in _strings(field["transform"], child_pointer(pointer, "transform")):
        placeholder = _PLACEHOLDER.search(text)
        if placeholder is None:
            continue
        if placeholder.group() != text:
            message = f"{quoted(placeholder.group())} is mixed with other text"
            hint = "a placeholder is the whole string; text around it is not supported"
            yield Finding("RT401", place, message, hint, offset=placeholder.start())
        elif each is False:
            yield from _check_path(placeholder.group(1), field, place)
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


def _check_path(path: str, field: Mapping[str, object], pointer: str) -> Iterator[Finding]:
    """A placeholder that cannot be filled raises at the first region; transformers loads it."""
    openers, closers = named_groups(field, "open_pattern"), named_groups(field, "close_pattern")
    if openers is None or closers is None:
        return
    root, _, rest = path.partition(".")
    scope = sorted({"content", *openers, *closers})
    if root not in scope:
        message = f"{quoted(root)} is never defined; there is {listed(scope)}"
        yield Finding("RT904", pointer, message, did_you_mean(root, scope))
    elif rest and (root != "content" or _content_kind(field) not in ("object", "any")):
        message = f"{quoted(root)} is never an object, so {quoted(rest)} cannot be looked up in it"
        yield Finding("RT904", pointer, message)


def _check_each(field: Mapping[str, object], pointer: str) -> Iterator[Finding]:
    if _content_kind(field) not in ("array", "any"):
        place = child_pointer(pointer, "transform_each")
        content = quoted(str(field.get("content", "text")))
        message = f'"transform_each" needs a list; content {content} never gives one'
        yield Finding("RT907", place, message, on_key=True)


def _content_kind(field: Mapping[str, object]) -> ValueKind:
    """The kind of value the content parser makes; "any" if the parser is unknown."""
    name = field.get("content", "text")
    known = isinstance(name, str) and name in CONTENT_PARSERS
    return CONTENT_PARSERS[str(name)].gives if known else "any"
