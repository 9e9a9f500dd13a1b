"""LT610: named groups that are needed, but take no part in some matches."""

from __future__ import annotations

from collections.abc import Iterator

from compiler.delimiters.nodes import (
    Alternation,
    Atomic,
    Capture,
    Look,
    Node,
    Repeat,
    Sequence,
    walk,
)
from compiler.delimiters.pattern import parse_pattern
from compiler.delimiters.trees import tree_of
from compiler.frontend.json_positions import child_pointer
from compiler.frontend.syntax import Field
from compiler.frontend.wording import quoted
from compiler.lint.problems import LintFinding
from compiler.lint.response.subject import Subject, placeholders, used_parsers


def check_groups(subject: Subject) -> Iterator[LintFinding]:
    """Placeholders without a value, and tags without a key or a value to be read."""
    hint = "a group that may be empty, (?P<name>[a-z]*), takes part all the same"
    for field in subject.template.fields:
        for name, pointer in (*_missing_values(field), *_incomplete_tags(field)):
            message = f"a region fails where the group {quoted(name)} takes no part in a match"
            yield LintFinding("LT610", pointer, message, hint)


def _missing_values(field: Field) -> Iterator[tuple[str, str]]:
    """Groups in a transform, and where; what a group lacks, an item of a list may have."""
    optional = set() if field.transform_each else _optional_groups(field)
    return ((path, pointer) for path, pointer in placeholders(field) if path in optional)


def _incomplete_tags(field: Field) -> Iterator[tuple[str, str]]:
    for parser in used_parsers(field):
        if parser.name == "xml-inline":
            pointer = child_pointer(parser.arguments_pointer, "tag_pattern")
            lacking = _lacking(parse_pattern(parser.arguments["tag_pattern"]))
            read = {"key", "value"} if parser.arguments.get("value_parser") else {"key"}
            yield from ((name, pointer) for name in sorted(lacking & read))


def _optional_groups(field: Field) -> set[str]:
    """The groups of a field's delimiters of which none is sure to take part."""
    trees = [tree_of(delimiter) for delimiter in (field.opener, field.closer) if delimiter]
    lacking = set().union(*map(_lacking, trees))
    sure = set().union(*(_groups(tree) - _lacking(tree) for tree in trees))
    return lacking - sure - {"content"}


def _groups(node: Node) -> set[str]:
    return {inner.name for inner in walk(node) if isinstance(inner, Capture) and inner.name}


def _lacking(node: Node) -> set[str]:
    """The groups in a node that may be left out of a match of it."""
    return _groups(node) - _taking_part(node)


def _taking_part(node: Node) -> set[str]:
    match node:
        case Capture(name=str(name)):
            return {name} | _taking_part(node.body)
        case Capture() | Atomic() | Look(negated=False):
            return _taking_part(node.body)
        case Repeat() if node.low:
            return _taking_part(node.body)
        case Sequence():
            return set().union(*map(_taking_part, node.items))
        case Alternation():
            first, *others = map(_taking_part, node.branches)
            return first.intersection(*others)
    return set()
