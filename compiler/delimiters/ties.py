"""Whether two delimiters may match at the same place of some text, or one have a text in it.

Each pattern becomes an automaton over sets of characters, read far enough: what it matches, then
any text. The two may tie if the automata, run side by side, can both get there. The end of the text
counts as a character, other anchors and look-arounds as empty, backreferences as any text, so the
answer no is proven and yes is a maybe.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field, replace

from compiler.delimiters.characters import Characters, characters, is_single, meet
from compiler.delimiters.lowered import lower
from compiler.delimiters.nodes import (
    Alternation,
    Anchor,
    Any,
    Atomic,
    Backreference,
    Capture,
    Look,
    Node,
    Repeat,
    Sequence,
    Text,
)

_MANY = 16  # rounds of a loop that are told apart; further ones count as any number
_TOO_MANY = 200_000  # pairs of states; two patterns with that many are taken to tie


def may_tie(a: Node, b: Node) -> bool:
    """Whether some text has a match of `a` and a match of `b` at one place; False is proven."""
    left, right = _Automaton(), _Automaton()
    starts = left.read(_with_sights(lower(a, ()))), right.read(_with_sights(lower(b, ())))
    pending = [(i, j) for i in left.closure(starts[0]) for j in right.closure(starts[1])]
    seen = set(pending)
    while pending:
        i, j = pending.pop()
        if i == _END == j:
            return True
        for on_left, after_left in left.steps(i):
            for on_right, after_right in right.steps(j):
                if meet(on_left, on_right):
                    reached = {(x, y) for x in after_left for y in after_right} - seen
                    seen |= reached
                    pending += sorted(reached)
        if len(seen) > _TOO_MANY:
            return True
    return False


def may_contain(node: Node, text: str) -> bool:
    """Whether some match of the pattern has the text in it; False is proven."""
    automaton = _Automaton()
    automaton.read(_with_sights(lower(node, ())))
    reached = set(range(len(automaton.moves)))
    for character in text:
        on = characters(Text(character))
        reached = {
            target
            for state in reached - {_END}
            for taken, targets in automaton.steps(state)
            if meet(taken, on)
            for target in targets
        }
    return bool(reached)


_END = 0  # the state of a finished match, in which any text may follow, and its end
_END_OF_TEXT: Characters = ((sys.maxunicode + 1, sys.maxunicode + 1),)
_ANYTHING: Characters = ((0, sys.maxunicode + 1),)


@dataclass
class _Automaton:
    """States are numbers; each has steps on characters and steps on nothing."""

    moves: list[list[tuple[Characters, int]]] = field(default_factory=lambda: [[(_ANYTHING, _END)]])
    jumps: list[list[int]] = field(default_factory=lambda: [[]])

    def read(self, node: Node) -> int:
        """Add the states of a pattern; the state that it starts in."""
        return self._before(node, _END)

    def closure(self, state: int) -> set[int]:
        """The states reached from one without taking a character."""
        reached, pending = {state}, [state]
        while pending:
            new = set(self.jumps[pending.pop()]) - reached
            reached |= new
            pending += new
        return reached

    def steps(self, state: int) -> list[tuple[Characters, set[int]]]:
        """What a state can take, and the states reached by it."""
        return [(on, self.closure(target)) for on, target in self.moves[state]]

    def _state(self, *jumps: int) -> int:
        self.moves.append([])
        self.jumps.append(list(jumps))
        return len(self.moves) - 1

    def _before(self, node: Node, after: int) -> int:
        """The state from which `node` leads to the state `after`."""
        match node:
            case Text():
                for character in reversed(node.text):
                    after = self._taking(characters(replace(node, text=character)), after)
                return after
            case Sequence():
                for item in reversed(node.items):
                    after = self._before(item, after)
                return after
            case Alternation():
                return self._state(*(self._before(branch, after) for branch in node.branches))
            case Capture() | Atomic():
                return self._before(node.body, after)
            case Repeat():
                return self._repeated(node, after)
            case Backreference():
                return self._repeated(Repeat(Any(), 0, None), after)
            case Anchor(place="end"):  # several in a row are several characters: more may follow
                return self._taking(_END_OF_TEXT, after)
        if is_single(node):
            return self._taking(characters(node), after)
        return after

    def _taking(self, on: Characters, after: int) -> int:
        state = self._state()
        self.moves[state].append((on, after))
        return state

    def _repeated(self, node: Repeat, after: int) -> int:
        low = min(node.low, _MANY)
        if node.high is None or node.high > _MANY:
            loop = self._state(after)
            self.jumps[loop].append(self._before(node.body, loop))
            after = loop
        else:
            for _ in range(node.high - low):
                after = self._state(after, self._before(node.body, after))
        for _ in range(low):
            after = self._before(node.body, after)
        return after


def _with_sights(node: Node) -> Node:
    """The pattern with a look-ahead at its end taken for what it looks at: any text follows."""
    match node:
        case Look(ahead=True, negated=False):
            return _with_sights(node.body)
        case Sequence() if node.items:
            return Sequence((*node.items[:-1], _with_sights(node.items[-1])))
        case Alternation():
            return Alternation(tuple(map(_with_sights, node.branches)))
    return node
