r"""Name the parts of a tag pattern that may cost more than linear time.

Tags are found one behind another, which spares some of what a search for a delimiter costs:

    <p (?P<key>\w+)>(?P<value>.*?)</p>         is cut at its `.*?`: each part is looked for once
    <p (?P<key>\w+)>(?P<value>.*?)(?:</p>|\Z)  never goes through the text of a value in vain
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from compiler.backends.python.tags import cut_tag
from compiler.delimiters.characters import characters, complement, is_single, meet
from compiler.delimiters.lowered import lower, sequence
from compiler.delimiters.nodes import (
    Alternation,
    Anchor,
    Any,
    Atomic,
    Backreference,
    Capture,
    Category,
    Class,
    Look,
    Node,
    Repeat,
    Sequence,
    Text,
    walk,
)
from compiler.delimiters.slowness import Slowness, slow_parts
from compiler.delimiters.widths import is_nullable, width

_END = Text("\0")  # the end of the text as a character
_NO_SPACE = complement(characters(Class((Category("SPACE"),))))


def slow_tag_parts(pattern: Node) -> tuple[Slowness, ...]:
    """Where finding tags may take more than linear time, in source order."""
    groups = {node.number: node.body for node in walk(pattern) if isinstance(node, Capture)}
    found = set()
    for searched in _searched(pattern):
        # Behind any character: unlike delimiters, tags are also tried inside of runs.
        found |= {*slow_parts(sequence([Any(), lower(_as_consumed(searched, groups), ())]))}
        gaps = filter(_is_gap, walk(searched))
        found |= {Slowness("a loop that a match may start inside of", gap.span) for gap in gaps}
    return tuple(sorted(found, key=lambda slow: (slow.span, slow.reason)))


def _searched(pattern: Node) -> Iterator[Node]:
    """What is looked for one after another, each part from where the one before has ended."""
    if cut := cut_tag(pattern):
        yield cut.opener
        yield from (part.closer for part in cut.parts)
        return
    items = pattern.items if isinstance(pattern, Sequence) else (pattern,)
    bodies = [item.body if isinstance(item, Capture) else item for item in items]
    gap = next((place for place, body in enumerate(bodies) if _is_gap(body)), None)
    if gap is not None and all(map(_matches_at_end, items[gap + 1 :])):
        yield Sequence(items[:gap])
        yield Sequence(items[gap + 1 :])
    else:
        yield pattern


def _is_gap(node: Node) -> bool:
    return isinstance(node, Repeat) and isinstance(node.body, Any) and node.high is None


def _matches_at_end(node: Node) -> bool:
    """Whether a node matches wherever the text ends."""
    match node:
        case Anchor():
            return node.place != "start"
        case Capture() | Atomic() | Look(ahead=True, negated=False):
            return _matches_at_end(node.body)
        case Sequence():
            return all(map(_matches_at_end, node.items))
        case Alternation():
            return any(map(_matches_at_end, node.branches))
        case Repeat():
            return is_nullable(node)
    return False


def _as_consumed(node: Node, groups: dict[int, Node]) -> Node:
    """The tree with text in place of what costs as much: it takes characters, or fails.

    That are look-aheads over white space behind a literal, each of which goes through a run of its
    own; references to groups of limited length; and the end of the text.
    """
    match node:
        case Backreference() if width(groups[node.number])[1] is not None:
            return groups[node.number]
        case Anchor() if node.place != "start":
            return _END
        case Sequence():
            row = zip(node.items, (None, *node.items), strict=False)
            items = [_without_look(item, before) for item, before in row]
            return replace(node, items=tuple(_as_consumed(item, groups) for item in items))
        case Alternation():
            branches = tuple(_as_consumed(branch, groups) for branch in node.branches)
            return replace(node, branches=branches)
        case Look() | Capture() | Atomic() | Repeat():
            return replace(node, body=_as_consumed(node.body, groups))
    return node


def _without_look(node: Node, before: Node | None) -> Node:
    """What a look-ahead over white space behind a literal looks for; another node as it is."""
    if not isinstance(node, Look) or not node.ahead or node.negated:
        return node
    if not isinstance(before, Text) or before.text[-1].isspace():
        return node
    loops = [each.body for each in walk(node) if isinstance(each, Repeat) and each.high is None]
    only_space = all(is_single(body) and not meet(characters(body), _NO_SPACE) for body in loops)
    return node.body if only_space else node
