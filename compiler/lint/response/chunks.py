r"""LT513 and LT514: delimiters that streams find elsewhere than in the whole text.

transformers 5.24.0 and the engines with its parser search the text that has arrived. What they find
there is final once more text follows it, though some of that text might have belonged to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, permutations

from compiler.delimiters.endings import ends_the_text
from compiler.delimiters.lowered import lower
from compiler.delimiters.nodes import (
    Alternation,
    Anchor,
    Any,
    Atomic,
    Look,
    Node,
    Repeat,
    Sequence,
    walk,
)
from compiler.delimiters.trees import tree_of
from compiler.delimiters.widths import is_nullable, width
from compiler.frontend.syntax import Delimiter
from compiler.frontend.wording import quoted
from compiler.lint.problems import LintFinding
from compiler.lint.response.engines import PYTHON_SERVERS
from compiler.lint.response.literal_texts import literal_texts, without_end
from compiler.lint.response.subject import Subject

_READERS = f"transformers 5.24, {PYTHON_SERVERS}"


def check_end_of_text(subject: Subject) -> Iterator[LintFinding]:
    """LT513: the end of the text as one of several ways to match."""
    for delimiter, node in _delimiters(subject):
        if _may_end_empty(node) and not ends_the_text(node):
            ends = (inner for inner in walk(node) if isinstance(inner, Anchor))
            end = next(anchor for anchor in ends if anchor.place != "start")
            message = f"streamed by {_READERS}, the end of what has arrived counts as the end"
            hint = "every region ends with the text anyway"
            place = delimiter.pointer
            yield LintFinding("LT513", place, message, hint, offset=end.span[0])


def check_growing(subject: Subject) -> Iterator[LintFinding]:
    """LT514: what could be longer with more text."""
    for delimiter, node in _delimiters(subject):
        found = next(chain(_tails(node), _overlaps(node), _greedy(node)), None)
        if found is None:
            continue
        part, why = found
        where = part.span[0] if delimiter.pattern is not None else None
        message = f"streamed by {_READERS}, {why}"
        yield LintFinding("LT514", delimiter.pointer, message, offset=where)


def _delimiters(subject: Subject) -> Iterator[tuple[Delimiter, Node]]:
    for field in subject.template.fields:
        for delimiter in (field.opener, field.closer):
            if delimiter is not None:
                yield delimiter, lower(tree_of(delimiter), ())


def _may_end_empty(node: Node) -> bool:
    """Whether a node can match no character, at the end of the text only."""
    match node:
        case Anchor():
            return node.place != "start"
        case Atomic() | Repeat() | Look(ahead=True, negated=False):
            return _may_end_empty(node.body)
        case Sequence():
            return is_nullable(node) and any(map(_may_end_empty, node.items))
        case Alternation():
            return any(map(_may_end_empty, node.branches))
    return False


def _tails(node: Node) -> Iterator[tuple[Node, str]]:
    """What may be left out at the end of a match, and otherwise takes several characters."""
    match node:
        case Atomic():
            yield from _tails(node.body)
        case Alternation():
            for branch in node.branches:
                yield from _tails(branch)
        case Sequence():
            for item in reversed(node.items):
                yield from _tails(item)
                if not is_nullable(item) or isinstance(item, Look | Anchor):
                    return
        case Repeat() if node.low != node.high:
            if _steps(node.body) > 1:
                yield node, "an optional end is left out before all of it has arrived"
            else:
                yield from _tails(node.body)


def _steps(node: Node) -> int:
    """The characters that some way through a node takes at least."""
    match node:
        case Atomic():
            return _steps(node.body)
        case Alternation():
            return max(map(_steps, node.branches), default=0)
        case Sequence():
            return sum(map(_steps, node.items))
        case Repeat():
            return node.low * _steps(node.body)
    return width(node)[0]


def _overlaps(node: Node) -> Iterator[tuple[Node, str]]:
    """Two texts of a delimiter of which the one is found before the other has arrived."""
    texts = literal_texts(without_end(node)) or ()
    for longer, shorter in permutations(texts, 2):
        if _is_found_first(shorter, longer, texts.index(longer) < texts.index(shorter)):
            yield node, f"{quoted(shorter)} is found before {quoted(longer)} has arrived"


def _is_found_first(shorter: str, longer: str, is_second: bool) -> bool:
    """`is_second`: where both are found at one place, it is the longer that counts."""
    place = longer.find(shorter)
    left = len(longer) - len(shorter) - place
    return is_second and left > 1 if place == 0 else place > 0 and left > 0


def _greedy(node: Node) -> Iterator[tuple[Node, str]]:
    """Loops over any text that end where something is found for the last time."""
    match node:
        case Atomic():
            yield from _greedy(node.body)
        case Alternation():
            for branch in node.branches:
                yield from _greedy(branch)
        case Sequence():
            for index, item in enumerate(node.items):
                needs_more = not is_nullable(Sequence(node.items[index + 1 :]))
                if needs_more and _takes_anything(item):
                    yield item, "a greedy loop over any text ends too early"
                yield from _greedy(item)


def _takes_anything(node: Node) -> bool:
    match node:
        case Atomic():
            return _takes_anything(node.body)
        case Repeat(body=Any(), high=None):
            return node.mode != "lazy"
    return False
