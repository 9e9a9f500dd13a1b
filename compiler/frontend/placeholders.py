"""The placeholders of a transform, as text and as what they name.

v1:          "{content.arguments}"
the dialect: "{content.arguments|content.parameters|{}}"   the first that is there, or a literal
             "{id?}"                                       left out where it is not there
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import regex

# The placeholder of transformers 5.24.0, with the \w of the `regex` package.
_PATH = r"\w+(?:\.\w+)*"
_PLACEHOLDER = regex.compile(rf"\{{({_PATH})\}}")
_DIALECT_PLACEHOLDER = regex.compile(
    rf"\{{(?P<paths>{_PATH}(?:\|{_PATH})*)(?:\|(?P<literal>[^|].*)|(?P<optional>\?))?\}}",
    regex.DOTALL,
)
_DIALECT_BEGINNING = regex.compile(rf"\{{{_PATH}(?:\||\?\}}|\}})")

# What a person may have meant as a placeholder: "{ content }", "{a.b-c}", "{content.a | null}".
_NEARLY = regex.compile(r"\{+\s*[^\W\d][\w.?\[\]-]*\s*(?:\|.*)?\}+", regex.DOTALL)


@dataclass(frozen=True)
class Placeholder:
    """What takes the place of a string in a transform: the value of the first path that is there.

    The parts of a path are its root, which is in the scope of the transform, and keys of objects.
    """

    paths: tuple[str, ...]
    literals: tuple[Any, ...] = ()  # JSON for where none is; at most one
    optional: bool = False  # where none is, what holds the placeholder goes without it


def placeholder_in(text: str, extended: bool) -> Placeholder | None:
    """The placeholder that the text is; None if it is any other text."""
    plain = _PLACEHOLDER.fullmatch(text)
    if plain:
        return Placeholder((plain[1],))
    found = _DIALECT_PLACEHOLDER.fullmatch(text) if extended else None
    if found is None:
        return None
    first, *others = found["paths"].split("|")
    literal, optional = found["literal"], found["optional"] is not None
    if literal is None and others and tuple(_json(others[-1])):  # null, true, 0
        literal = others.pop()
    literals = () if literal is None else tuple(_json(literal))
    if literal is not None and (optional or not literals):
        return None
    return Placeholder((first, *others), literals, optional)


def placeholder_part(text: str, extended: bool) -> tuple[int, str] | None:
    """Where a placeholder begins inside a text, and as much of it as can be seen; or None."""
    found = (_DIALECT_BEGINNING if extended else _PLACEHOLDER).search(text)
    return (found.start(), found.group()) if found else None


def is_nearly_placeholder(text: str) -> bool:
    """Whether a text that is no placeholder looks like one."""
    return _NEARLY.fullmatch(text) is not None


def _json(text: str) -> Iterator[Any]:
    try:
        yield json.loads(text)
    except (ValueError, RecursionError):
        return
