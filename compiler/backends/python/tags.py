r"""Tag patterns cut at their `.*?`, so that tags are found by looking for each part once.

    <parameter=(?P<key>[^>]+)>\n?(?P<value>.*?)\n?</parameter>

is an opener `<parameter=(?P<key>[^>]+)>\n?`, the gap `value`, from whose end a newline is dropped,
and a closer `</parameter>`. A pattern that cannot be cut so without changing what it matches stays
whole: the cut is exact where no part could have ended earlier, and no closer starts with text that
the part or the trim before it could have taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from compiler.delimiters.characters import Characters, characters, is_single, meet
from compiler.delimiters.nodes import (
    Alternation,
    Any,
    Capture,
    Category,
    Class,
    Look,
    Node,
    Repeat,
    Sequence,
    Text,
)

_SPACE = Class((Category("SPACE"),))


@dataclass(frozen=True)
class TagPart:
    """A gap (`.*?`), what is dropped from its end, and the closer that ends it."""

    gap: str  # name of the group, "" for none
    trim: str | None  # a function of runtime/content/xml_inline.py
    closer: Node


@dataclass(frozen=True)
class TagParts:
    """A tag pattern in parts."""

    opener: Node
    parts: tuple[TagPart, ...]


def cut_tag(pattern: Node) -> TagParts | None:
    """The parts of a tag pattern; None where it has to stay whole."""
    runs, gaps = _split(_items(pattern))
    opener, *rest = runs
    if not gaps or not opener or not _is_certain(opener):
        return None
    parts = []
    for number, (gap, run) in enumerate(zip(gaps, rest, strict=True), 1):
        trim = _trim(run[0]) if run else None
        closer = run[1:] if trim else run
        is_last = number == len(gaps)
        if not closer or not _starts_visibly(closer[0]) or not (is_last or _is_certain(closer)):
            return None
        parts.append(TagPart(gap, trim, Sequence(tuple(closer))))
    return TagParts(Sequence(tuple(opener)), tuple(parts))


def _items(pattern: Node) -> Iterator[Node]:
    if isinstance(pattern, Sequence):
        for item in pattern.items:
            yield from _items(item)
    else:
        yield pattern


def _split(items: Iterator[Node]) -> tuple[list[list[Node]], list[str]]:
    """The runs of items between gaps, and the gaps' names."""
    runs: list[list[Node]] = [[]]
    gaps: list[str] = []
    for item in items:
        body = item.body if isinstance(item, Capture) else item
        if isinstance(body, Repeat) and _is_gap(body):
            gaps.append((item.name or "") if isinstance(item, Capture) else "")
            runs.append([])
        else:
            runs[-1].append(item)
    return runs, gaps


def _is_gap(node: Repeat) -> bool:
    bounds = (node.low, node.high, node.mode)
    return isinstance(node.body, Any) and bounds == (0, None, "lazy")


def _trim(item: Node) -> str | None:
    """The function that drops what the item takes from the end of a gap; None for another item."""
    if not isinstance(item, Repeat) or item.mode != "greedy" or item.low != 0:
        return None
    if isinstance(item.body, Text) and item.body.text == "\n" and item.high == 1:
        return "trim_newline"
    is_space = isinstance(item.body, Class) and replace(item.body, span=_SPACE.span) == _SPACE
    return "trim_space" if is_space and item.high is None else None


def _is_certain(run: list[Node]) -> bool:
    """Whether a run matches in one way only, but for a trim at its end."""
    flat = [inner for item in run for inner in _opened(item)]
    for item, following in zip(flat, [*flat[1:], None], strict=True):
        if isinstance(item, Repeat) and is_single(item.body) and item.mode == "greedy":
            ends = _trim(item) if following is None else _first(following)
            if not ends or (
                following is not None and meet(characters(item.body), _first(following))
            ):
                return False
        elif not (is_single(item) or (isinstance(item, Text) and not item.fold)):
            return False
    return True


def _opened(node: Node) -> Iterator[Node]:
    match node:
        case Capture():
            yield from _opened(node.body)
        case Sequence():
            for item in node.items:
                yield from _opened(item)
        case _:
            yield node


def _first(node: Node) -> Characters:
    """What a literal or a one-character node starts with; nothing for others."""
    if isinstance(node, Text):
        return characters(Text(node.text[0], node.fold))
    return characters(node) if is_single(node) else ()


def _starts_visibly(node: Node) -> bool:
    """Whether every match starts with a literal character that is not white space."""
    match node:
        case Text():
            return not node.fold and not node.text[0].isspace()
        case Alternation():
            return all(_starts_visibly(branch) for branch in node.branches)
        case Look():
            return node.ahead and not node.negated and _starts_visibly(node.body)
        case Sequence():
            seen = (item for item in node.items if not (isinstance(item, Look) and not item.ahead))
            first = next(seen, None)
            return first is not None and _starts_visibly(first)
    return False
