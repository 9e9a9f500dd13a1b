"""Literal texts that every match of a pattern contains or ends with. Trees are lowered."""

from __future__ import annotations

from compiler.delimiters.nodes import (
    Alternation,
    Anchor,
    Any,
    Atomic,
    Capture,
    Look,
    Node,
    Repeat,
    Sequence,
    Text,
    walk,
)


def ending(node: Node) -> str:
    """The longest text known to end every match; "" if none is."""
    match node:
        case Text(fold=False):
            return node.text
        case Capture() | Atomic():
            return ending(node.body)
        case Sequence() if node.items:
            return _row_ending(node.items)
        case Alternation():
            return _common_ending([ending(branch) for branch in node.branches])
        case Repeat() if node.low:
            return ending(node.body)
    return ""


def needed(node: Node) -> str | None:
    """A text that every match of a pattern with a loop contains from the loop on; None if unknown.

    Where the text does not occur, a search for the pattern is in vain, however long its loops.
    """
    if isinstance(node, Alternation):
        needs = {needed(branch) for branch in node.branches}
        return needs.pop() if len(needs) == 1 else None
    items = node.items if isinstance(node, Sequence) else (node,)
    start = next((index for index, item in enumerate(items) if has_loop(item)), len(items))
    return max((_contained(item) for item in items[start:]), key=len, default="") or None


def has_loop(node: Node) -> bool:
    """Whether something in a node may repeat without limit."""
    return any(isinstance(inner, Repeat) and inner.high is None for inner in walk(node))


def looks_at_end(node: Node) -> bool:
    r"""Whether more text after a match could undo it: `$`, `\Z` or a look-ahead is in it."""
    return any(
        (isinstance(inner, Anchor) and inner.place != "start")
        or (isinstance(inner, Look) and inner.ahead)
        for inner in walk(node)
    )


def ends_the_text(node: Node) -> bool:
    """Whether every match of a node has the end of the text in it."""
    match node:
        case Anchor():
            return node.place != "start"
        case Capture() | Atomic() | Look(ahead=True, negated=False):
            return ends_the_text(node.body)
        case Repeat():
            return node.low > 0 and ends_the_text(node.body)
        case Sequence():
            return any(map(ends_the_text, node.items))
        case Alternation():
            return all(map(ends_the_text, node.branches))
    return False


def stopped_by(node: Node) -> Text | None:
    """The text that ends a loop over this body: that of `(?!text).`; None for other bodies."""
    match node:
        case Sequence(items=(Look(ahead=True, negated=True, body=Text() as text), Any())):
            return text
    return None


def _row_ending(items: tuple[Node, ...]) -> str:
    last = items[-1]
    if isinstance(last, Look) and not last.ahead:
        return ending(Sequence(items[:-1]))
    return ending(last)


def _common_ending(texts: list[str]) -> str:
    shortest = min(texts, key=len)
    lengths = range(len(shortest), 0, -1)
    endings = (shortest[-length:] for length in lengths)
    return next((end for end in endings if all(text.endswith(end) for text in texts)), "")


def _contained(node: Node) -> str:
    """The longest text known to be in every match, or right after it; "" if none is."""
    match node:
        case Text(fold=False):
            return node.text
        case Capture() | Atomic():
            return _contained(node.body)
        case Look(ahead=True, negated=False):
            return _contained(node.body)
        case Repeat() if node.low:
            return _contained(node.body)
        case Sequence():
            return max((_contained(item) for item in node.items), key=len, default="")
        case Alternation():
            texts = {_contained(branch) for branch in node.branches}
            return texts.pop() if len(texts) == 1 else ""
    return ""
