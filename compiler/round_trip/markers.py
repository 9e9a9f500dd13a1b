"""The markers of a format, as texts: what arguments may hold that must not count there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, product

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
    children,
)
from compiler.delimiters.pattern import parse_pattern
from compiler.delimiters.trees import tree_of
from compiler.frontend.syntax import Delimiter, Field, Template

_MOST = 4  # texts of one delimiter
_FEWEST_CHARACTERS = 3  # shorter ones are punctuation


def markers(template: Template) -> tuple[str, ...]:
    """Texts that open or close something, where calls have `strings`; otherwise none.

    Those of values between tags are among them, and parts that delimiters may have. A string
    between two markers of its own cannot hold the one that ends it.
    """
    ends = {end for field in _calls(template) if field.strings for _, end in field.strings.pairs}
    if not any(field.strings for field in _calls(template)):
        return ()
    delimiters = [tree_of(delimiter) for delimiter in _delimiters(template)]
    texts = [text for tree in delimiters for text in _texts(tree)]
    for tree in (*delimiters, *map(parse_pattern, _tag_patterns(template))):
        texts += _literals(tree)
    return tuple(dict.fromkeys(text for text in texts if not any(end in text for end in ends)))


def stand_on_lines(template: Template) -> bool:
    """Whether markers may stand at the start of a line of an argument, too.

    Where values are between tags and no `strings`, such a line may be the end of the call.
    """
    return all(
        field.strings or "tag_pattern" not in field.content_args for field in _calls(template)
    )


def _calls(template: Template) -> list[Field]:
    return [field for field in template.fields if field.name == "tool_calls"]


def _delimiters(template: Template) -> Iterator[Delimiter]:
    for field in template.fields:
        yield from (each for each in (field.opener, field.closer) if each)
        if field.section:
            yield from (field.section.opener, field.section.closer)
    if template.ignored:
        yield template.ignored


def _tag_patterns(template: Template) -> Iterator[str]:
    for field in _calls(template):
        if "tag_pattern" in field.content_args:
            yield field.content_args["tag_pattern"]


def _texts(tree: Node) -> list[str]:
    """What a delimiter matches, a text for each way; white space around is not of the marker."""
    return _long_enough(_samples(tree))[:_MOST]


def _literals(tree: Node) -> list[str]:
    """What is written out in a pattern, whether it must be there or not."""
    texts = _long_enough(_runs(tree))
    return [text for text in texts if not text.isalnum()]


def _runs(tree: Node) -> Iterator[str]:
    """Literal texts, each as long as it goes on."""
    items = tree.items if isinstance(tree, Sequence) else (tree,)
    for is_text, run in groupby(items, lambda item: isinstance(item, Text)):
        nodes = list(run)
        if is_text:
            yield "".join(node.text for node in nodes if isinstance(node, Text))
        else:
            for node in nodes:
                for child in children(node):
                    yield from _runs(child)


def _long_enough(texts: Iterable[str]) -> list[str]:
    return [text for text in map(str.strip, texts) if len(text) >= _FEWEST_CHARACTERS]


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
