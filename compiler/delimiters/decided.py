"""Print patterns whose look-aheads the end of the buffer leaves open, for better or for worse."""

from __future__ import annotations

from collections.abc import Callable

from compiler.delimiters.endings import looks_at_end
from compiler.delimiters.nodes import (
    EMPTY,
    Alternation,
    Anchor,
    Atomic,
    Capture,
    Look,
    Node,
    Repeat,
    Sequence,
    walk,
)
from compiler.delimiters.printer import Printer, look_text

NEVER = "(?!)"


class Decided(Printer):
    """Prints a pattern with every open question answered: yes if `hopeful`, else no.

    Hopeful, it matches what some text to come would let match; else what matches whatever comes.
    What a pattern takes is printed as it is: only look-aheads and `$` see the end of the buffer.
    `possible` gives the text that matches where some text to come lets a node match.
    """

    def __init__(self, printer: Printer, possible: Callable[[Node], str], hopeful: bool) -> None:
        super().__init__(printer.engine, printer.groups)
        self._printer = printer
        self._possible = possible
        self._hopeful = hopeful

    def text(self, node: Node) -> str:
        if not self._hopeful and _commits(node):
            return NEVER
        if not looks_at_end(node):
            return self._printer.text(node)
        return super().text(node)

    def look(self, node: Look) -> str:
        hopeful = self._hopeful != node.negated  # what the body must be asked
        if node.ahead and hopeful:
            return look_text(self._possible(node.body), True, node.negated)
        inner = Decided(self._printer, self._possible, hopeful)
        return look_text(inner.text(node.body), node.ahead, node.negated)

    def anchor(self, node: Anchor) -> str:
        if node.place == "start" or self._hopeful:
            return super().anchor(node)
        return NEVER


def stripped(node: Node) -> Node:
    """A node without looks, anchors and groups: it matches at least what the node does."""
    match node:
        case Look() | Anchor():
            return EMPTY
        case Capture():
            return stripped(node.body)
        case Atomic():
            return stripped(node.body)
        case Repeat():
            mode = "greedy" if node.mode == "possessive" else node.mode
            return Repeat(stripped(node.body), node.low, node.high, mode)
        case Sequence():
            return Sequence(tuple(map(stripped, node.items)))
        case Alternation():
            return Alternation(tuple(map(stripped, node.branches)))
    return node


def _commits(node: Node) -> bool:
    """Whether it matters which way a node is matched: with more text it might be another."""
    return any(
        isinstance(inner, Atomic | Capture)
        or (isinstance(inner, Repeat) and inner.mode == "possessive")
        for inner in walk(node)
    )
