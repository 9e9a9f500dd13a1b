"""LT506 to LT510: features that transformers gained or changed; others read them in the old way."""

from __future__ import annotations

from collections.abc import Iterator

from compiler.delimiters.nodes import Capture, Node, walk
from compiler.delimiters.trees import tree_of
from compiler.frontend.content_parsers import CONTENT_PARSERS
from compiler.frontend.json_positions import child_pointer
from compiler.frontend.syntax import Delimiter, Field
from compiler.lint.problems import LintFinding
from compiler.lint.response.engines import PYTHON_SERVERS, SERVERS
from compiler.lint.response.subject import Subject, UsedParser, placeholders, used_parsers

_OLD = "transformers before 5.24"


def check_content_parsers(subject: Subject) -> Iterator[LintFinding]:
    """LT506, LT508 and LT509: content parsers and arguments."""
    for field in subject.template.fields:
        for parser in used_parsers(field):
            if parser.name == "python-call-list":
                message = f'"python-call-list" is refused by {_OLD}, {SERVERS}'
                yield LintFinding("LT506", parser.pointer, message)
            if parser.name == "json" and parser.arguments.get("unquoted_keys"):
                message = f"bare keys are read in another way by {_OLD}, {SERVERS}"
                hint = (
                    "there a bare key follows the brace or comma at once, "
                    'and "{key:" in a string changes, too'
                )
                place = child_pointer(parser.arguments_pointer, "unquoted_keys")
                yield LintFinding("LT508", place, message, hint, on_key=True)
            if _merges_arrays(parser):
                message = (
                    f"a repeated key whose first value is an array is merged in another way by "
                    f"{_OLD}, {PYTHON_SERVERS}"
                )
                place = child_pointer(parser.arguments_pointer, "merge_duplicates")
                yield LintFinding("LT509", place, message, on_key=True)


def check_placeholders(subject: Subject) -> Iterator[LintFinding]:
    """LT507: groups of closers; LT510: paths."""
    for field in subject.template.fields:
        in_opener, in_closer = _groups(field.opener), _groups(field.closer)
        for path, pointer in placeholders(field):
            if path in in_closer and not _is_hidden(path, field):
                old = "is taken from the opener" if path in in_opener else "is not filled"
                message = f'"{{{path}}}", a group of the closer, {old} by {_OLD}, {SERVERS}'
                yield LintFinding("LT507", pointer, message)
            if "." in path:
                message = f'"{{{path}}}" stays as it is written in transformers before 5.16'
                yield LintFinding("LT510", pointer, message)


def _merges_arrays(parser: UsedParser) -> bool:
    if parser.name != "xml-inline" or not parser.arguments.get("merge_duplicates"):
        return False
    inner = parser.arguments.get("value_parser")
    name = inner.get("name", "text") if isinstance(inner, dict) else "text"
    return CONTENT_PARSERS[name].gives in ("any", "array")


def _is_hidden(name: str, field: Field) -> bool:
    """Whether something else has that name in the scope of the transform."""
    return name == "content" and not field.transform_each


def _groups(delimiter: Delimiter | None) -> set[str]:
    tree: Node | None = tree_of(delimiter) if delimiter else None
    inside = walk(tree) if tree else []
    return {node.name for node in inside if isinstance(node, Capture) and node.name}
