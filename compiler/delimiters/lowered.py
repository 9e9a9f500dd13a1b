r"""Lower a pattern tree to the few forms that the derivations know.

(?:a(?:b|c))      ->  a(?:b|c)                  groups that do not capture are gone
[\s\S], (?:.|\n)  ->  any character
[.]               ->  the text "."
\bF               ->  (?<!\w)F                  boundaries are look-arounds, by their neighbours
(?:ab){1}, a{0}   ->  ab, nothing
"""

from __future__ import annotations

from collections.abc import Collection, Set
from dataclasses import dataclass, replace

from compiler.delimiters.characters import (
    Characters,
    characters,
    complement,
    is_single,
    meet,
    words,
)
from compiler.delimiters.first import first
from compiler.delimiters.nodes import (
    EMPTY,
    NOWHERE,
    Alternation,
    Anchor,
    Any,
    Atomic,
    Backreference,
    Boundary,
    Capture,
    Category,
    Class,
    Look,
    Node,
    Range,
    Repeat,
    Sequence,
    Text,
    walk,
)
from compiler.delimiters.widths import width

_WORD = Class((Category("WORD"),))
_OPPOSITES = (
    (Category("SPACE"), Category("SPACE", negated=True)),
    (Category("DIGIT"), Category("DIGIT", negated=True)),
    (Category("WORD"), Category("WORD", negated=True)),
)


def lower(node: Node, captures: Collection[int] | None = None) -> Node:
    """The lowered tree; only the groups numbered in `captures` stay (None: all).

    What a negated look captures is lost after it: its groups stay only if they are referred to.
    """
    inside = walk(node)
    referred = {inner.number for inner in inside if isinstance(inner, Backreference)}
    numbers = {inner.number for inner in inside if isinstance(inner, Capture)}
    return _Lowering(numbers if captures is None else set(captures), referred).lower(node)


@dataclass(frozen=True)
class _Lowering:
    """Lowers nodes; knows which groups stay, and which are referred to."""

    captures: Set[int]
    referred: Set[int]

    def lower(self, node: Node) -> Node:
        match node:
            case Sequence():
                return sequence([self.lower(item) for item in _bounded(node.items)])
            case Alternation():
                return _alternation([self.lower(branch) for branch in node.branches], node)
            case Boundary():
                return self.lower(_look_around(node, None, None))
            case Class():
                return _class(node)
            case Capture():
                body = self.lower(node.body)
                return replace(node, body=body) if node.number in self.captures else body
            case Look():
                kept = self.captures & self.referred if node.negated else self.captures
                return replace(node, body=replace(self, captures=kept).lower(node.body))
            case Atomic():
                return _atomic(replace(node, body=self.lower(node.body)))
            case Repeat():
                return _repeat(replace(node, body=self.lower(node.body)), _captures(node))
        return node


def sequence(items: list[Node]) -> Node:
    """The items in a row: nested sequences opened, neighbouring texts joined."""
    flat: list[Node] = []
    for item in items:
        for part in item.items if isinstance(item, Sequence) else (item,):
            before = flat[-1] if flat else None
            if isinstance(part, Text) and isinstance(before, Text) and part.fold == before.fold:
                span = (before.span[0], part.span[1])
                flat[-1] = Text(before.text + part.text, part.fold, span)
            else:
                flat.append(part)
    for index, item in enumerate(flat[:-1]):
        flat[index] = _run_before(item, flat[index + 1])
    spans = [item.span for item in flat if item.span != NOWHERE] or [NOWHERE]
    return flat[0] if len(flat) == 1 else Sequence(tuple(flat), (spans[0][0], spans[-1][1]))


def _run_before(node: Node, after: Node) -> Node:
    """A possessive run is an ordinary one if what follows cannot be in it: `\\s*+<` is `\\s*<`."""
    if not isinstance(node, Repeat) or node.mode != "possessive" or not is_single(node.body):
        return node
    if node.high is not None or any(isinstance(inner, Anchor) for inner in walk(after)):
        return node
    leaving, empty = first(after)
    is_apart = not empty and not meet(characters(node.body), leaving)
    return replace(node, mode="greedy") if is_apart else node


def _alternation(branches: list[Node], origin: Alternation) -> Node:
    flat: list[Node] = []
    for branch in branches:
        flat += branch.branches if isinstance(branch, Alternation) else (branch,)
    if any(isinstance(branch, Any) for branch in flat) and all(map(is_single, flat)):
        return Any(origin.span)
    return Alternation(tuple(flat), origin.span)


def _class(node: Class) -> Node:
    if len(node.members) == 1 and not node.negated:
        (member,) = node.members
        if isinstance(member, Range) and member.first == member.last:
            return Text(member.first, node.fold, node.span)
    if len(node.members) == 1:
        (member,) = node.members
        if isinstance(member, Category) and member.negated:  # `\S` is `[^\s]`
            return replace(node, members=(Category(member.name),), negated=not node.negated)
    both = any(one in node.members and other in node.members for one, other in _OPPOSITES)
    return Any(node.span) if both else node  # `regex` 2026.11.19 reads `[^\s\S]` so, too


def _atomic(node: Atomic) -> Node:
    fixed = isinstance(node.body, Text) or is_single(node.body)
    return node.body if fixed else node


def _captures(node: Node) -> bool:
    return any(isinstance(inner, Capture) for inner in walk(node))


def _repeat(node: Repeat, captures: bool) -> Node:
    if captures and (node.low, node.high) != (1, 1):
        return node  # whether it is gone through can be told from its groups
    if node.high == 0 or node.body == EMPTY:
        return EMPTY
    if width(node.body)[1] == 0:  # only looks: once is as good as many times
        return node.body if node.low else EMPTY
    if (node.low, node.high) == (1, 1):
        return _atomic(Atomic(node.body, node.span)) if node.mode == "possessive" else node.body
    return node


def _bounded(items: tuple[Node, ...]) -> list[Node]:
    """The items with every boundary replaced by what it asks of its neighbours."""
    lowered: list[Node] = []
    for index, item in enumerate(items):
        if isinstance(item, Boundary):
            before = _edge(items[index - 1], -1) if index else None
            after = _edge(items[index + 1], 0) if index + 1 < len(items) else None
            item = _look_around(item, before, after)
        lowered.append(item)
    return lowered


def _edge(node: Node, index: int) -> bool | None:
    """Whether the last (-1) or first (0) character of a node is a word's; None: unknown."""
    match node:
        case Text():
            return _is_word(characters(replace(node, text=node.text[index])))
        case Class():
            return _is_word(characters(node))
        case Capture() | Atomic():
            return _edge(node.body, index)
        case Sequence() if node.items:
            return _edge(node.items[index], index)
        case Repeat() if node.low and is_single(node.body):
            return _edge(node.body, index)
    return None


def _is_word(of: Characters) -> bool | None:
    if not meet(of, complement(words())):
        return True
    return None if meet(of, words()) else False


def _look_around(node: Boundary, before: bool | None, after: bool | None) -> Node:
    if node.kind == "word start":
        return Sequence((_look(False, True), _look(True, False)))
    if node.kind == "word end":
        return Sequence((_look(False, False), _look(True, True)))
    is_edge = node.kind == "edge"
    if before is not None:  # an edge needs the other kind of character after it
        return _look(True, negated=before == is_edge)
    if after is not None:
        return _look(False, negated=after == is_edge)
    after_word = Sequence((_look(False, False), _look(True, negated=is_edge)))
    after_other = Sequence((_look(False, True), _look(True, negated=not is_edge)))
    return Alternation((after_word, after_other))


def _look(ahead: bool, negated: bool) -> Look:
    return Look(_WORD, ahead, negated)
