"""The markers of a format, as texts: what arguments may hold that must not count there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from compiler.delimiters.nodes import (
    Alternation,
    Any,
    Atomic,
    Backreference,
    Capture,
    Class,
    Node,
    Range,
    Repeat,
    Sequence,
    Text,
)
from compiler.delimiters.trees import tree_of
from compiler.frontend.syntax import Delimiter, Field, Template

_MOST = 4  # texts of one delimiter
_FEWEST_CHARACTERS = 3  # shorter ones are punctuation


def markers(template: Template) -> tuple[str, ...]:
    """Texts that open or close something, where calls have `strings`; otherwise none.

    A string between two markers of its own cannot hold the one that ends it.
    """
    ends = {end for field in _calls(template) if field.strings for _, end in field.strings.pairs}
    if not any(field.strings for field in _calls(template)):
        return ()
    texts = (text for delimiter in _delimiters(template) for text in _texts(delimiter))
    return tuple(dict.fromkeys(text for text in texts if not any(end in text for end in ends)))


def _calls(template: Template) -> list[Field]:
    return [field for field in template.fields if field.name == "tool_calls"]


def _delimiters(template: Template) -> Iterator[Delimiter]:
    for field in template.fields:
        yield from (each for each in (field.opener, field.closer) if each)
        if field.section:
            yield from (field.section.opener, field.section.closer)
    if template.ignored:
        yield template.ignored


def _texts(delimiter: Delimiter) -> list[str]:
    """What the delimiter matches, a text for each way; white space around is not of the marker."""
    found = [text.strip() for text in _samples(tree_of(delimiter))]
    return [text for text in found if len(text) >= _FEWEST_CHARACTERS][:_MOST]


def _samples(node: Node) -> list[str]:
    """The shortest texts that a node matches, one for each branch; "" for what only looks."""
    match node:
        case Text():
            return [node.text]
        case Any():
            return ["x"]
        case Class():
            return [_member(node)]
        case Capture() | Atomic():
            return _samples(node.body)
        case Repeat():
            return [text * node.low for text in _samples(node.body)]
        case Alternation():
            return [text for branch in node.branches for text in _samples(branch)][:_MOST]
        case Sequence():
            rows = product(*map(_samples, node.items))
            return ["".join(row) for row, _ in zip(rows, range(_MOST), strict=False)]
        case Backreference():
            return [""]
    return [""]


def _member(node: Class) -> str:
    """A character of the class: of those that names have, if there is one."""
    likely = "xa1_- \n"
    texts = [member for member in node.members if isinstance(member, Range)]
    if node.negated:
        return next(c for c in likely if not any(m.first <= c <= m.last for m in texts))
    return next((m.first for m in texts), "x")
