"""A response template as its checks see it, and the parts of it that many of them look at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from compiler.delimiters.nodes import Node
from compiler.delimiters.pattern import parse_pattern
from compiler.frontend.json_positions import child_pointer
from compiler.frontend.placeholders import placeholder_in
from compiler.frontend.syntax import Delimiter, Field, Template
from compiler.lint.folder import ModelFolder

Role = Literal["open", "close", "start anchor", "tag"]

REASONING = ("thinking", "reasoning_content", "reasoning")
CONTENT = "content"
CALLS = "tool_calls"


@dataclass(frozen=True)
class Subject:
    """A valid template, the JSON that it was read from, and what lies beside it."""

    template: Template
    spec: Mapping[str, Any]
    folder: ModelFolder


@dataclass(frozen=True)
class Pattern:
    """A regular expression in a template. `node` is its tree, not lowered."""

    text: str
    pointer: str
    role: Role
    node: Node


@dataclass(frozen=True)
class UsedParser:
    """A content parser that a field names, for its text or for the values in it."""

    name: str
    arguments: Mapping[str, Any]
    pointer: str  # of the name
    arguments_pointer: str


def patterns(template: Template) -> Iterator[Pattern]:
    """Every regular expression of a template, in the order of its fields."""
    yield from _of_delimiter(template.anchor, "start anchor")
    for field in template.fields:
        yield from _of_delimiter(field.opener, "open")
        yield from _of_delimiter(field.closer, "close")
        for parser in used_parsers(field):
            if parser.name == "xml-inline":
                text = parser.arguments["tag_pattern"]
                pointer = child_pointer(parser.arguments_pointer, "tag_pattern")
                yield Pattern(text, pointer, "tag", parse_pattern(text))


def used_parsers(field: Field) -> Iterator[UsedParser]:
    """The content parser of a field, its value parser, and so on."""
    pointer = child_pointer(field.pointer, "content")
    arguments_pointer = child_pointer(field.pointer, "content_args")
    parser = UsedParser(field.content, field.content_args, pointer, arguments_pointer)
    while True:
        yield parser
        inner = parser.arguments.get("value_parser")
        if parser.name not in ("xml-inline", "kv-lines") or not isinstance(inner, dict):
            return
        place = child_pointer(parser.arguments_pointer, "value_parser")
        arguments = inner.get("args")
        parser = UsedParser(
            name=inner.get("name", "text"),
            arguments=arguments if isinstance(arguments, dict) else {},
            pointer=child_pointer(place, "name"),
            arguments_pointer=child_pointer(place, "args"),
        )


def placeholders(field: Field) -> Iterator[tuple[str, str]]:
    """The path of each placeholder of a field's transform ("content.name"), and its pointer."""
    pending = [(field.transform, child_pointer(field.pointer, "transform"))]
    while pending:
        value, pointer = pending.pop(0)
        if isinstance(value, str) and (found := placeholder_in(value, extended=False)):
            yield found.paths[0], pointer
        elif isinstance(value, dict):
            pending += [(item, child_pointer(pointer, key)) for key, item in value.items()]
        elif isinstance(value, list):
            pending += [(item, child_pointer(pointer, i)) for i, item in enumerate(value)]


def _of_delimiter(delimiter: Delimiter | None, role: Role) -> Iterator[Pattern]:
    if delimiter is not None and delimiter.pattern is not None:
        tree = parse_pattern(delimiter.pattern)
        yield Pattern(delimiter.pattern, delimiter.pointer, role, tree)
