"""Special markers: rule RT513, and RT912 for those that protect nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from compiler.delimiters.nodes import Node
from compiler.delimiters.pattern import parse_pattern
from compiler.delimiters.ties import may_contain
from compiler.delimiters.trees import tree_of
from compiler.diagnostics import Finding
from compiler.frontend.json_positions import child_pointer
from compiler.frontend.syntax import Field, Template
from compiler.frontend.wording import kind_of, quoted


def check_special(special: object) -> Iterator[Finding]:
    """Rule RT513: markers are texts, each there once."""
    if not isinstance(special, list) or not special:
        given = "an empty array" if special == [] else kind_of(special)
        yield Finding("RT513", "/special", f'"special" is an array of markers, not {given}')
        return
    for position, marker in enumerate(special):
        place = child_pointer("/special", position)
        if not isinstance(marker, str):
            yield Finding("RT513", place, f"a marker is a string, not {kind_of(marker)}")
        elif len(marker) < 2:
            yield Finding("RT513", place, "a special marker has two characters or more")
        elif marker in special[:position]:
            yield Finding("RT513", place, f"{quoted(marker)} is there twice")


def check_unused(template: Template) -> Iterator[Finding]:
    """Rule RT912, of a template that is right otherwise."""
    if not template.special:
        return
    patterns = [*_patterns(template)]
    texts = [text for field in template.fields for text in _texts(field)]
    for position, marker in enumerate(template.special):
        in_text = any(marker in text for text in texts)
        if not in_text and not any(may_contain(pattern, marker) for pattern in patterns):
            message = f"no delimiter has {quoted(marker)} in it"
            yield Finding("RT912", child_pointer("/special", position), message)


def _patterns(template: Template) -> Iterator[Node]:
    own = (each for field in template.fields for each in field.delimiters)
    delimiters = [template.anchor, template.ignored, *own]
    yield from (tree_of(delimiter) for delimiter in delimiters if delimiter)
    for field in template.fields:
        for arguments in _arguments(field):
            if "tag_pattern" in arguments:
                yield parse_pattern(arguments["tag_pattern"])


def _texts(field: Field) -> Iterator[str]:
    if field.strings:
        yield from (text for pair in field.strings.pairs for text in pair)
    for arguments in _arguments(field):
        yield from _strings(arguments)


def _arguments(field: Field) -> Iterator[Mapping[str, Any]]:
    yield field.content_args
    yield from (content.args for content in field.other_contents)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)
