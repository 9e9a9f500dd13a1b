r"""Derive the streaming pattern of a delimiter: the end of the buffer stands for any text to come.

The streaming pattern tries the ways of the delimiter in their order. A way that takes a whole
delimiter, whatever text follows, sets a *done* group. A way that runs into the end of the buffer
stops there: that match sets no done group and is held back.

    <think>      ->  <think>(?P<DONE>)|<(?:t(?:h(?:i(?:nk?)?)?)?)?\Z
    </t>\s*      ->  </t>\s*(?:(?P<WAIT>\Z)|(?P<DONE>))|<(?:/t?)?\Z
    (?=.*?<x>)   ->  (?=.*?<x>)(?P<DONE>)|(?P<WAIT>)
    \n(?!ab)     ->  \n(?:(?!ab|a?\Z)(?P<DONE>)|a?\Z)
    (?:ab)+c     ->  (?:ab|a\Z)+(?:\Z|c(?P<DONE>))

One rule makes this simple: no step is taken after the end was met. What follows an item that may
end at the end of the buffer is an alternative to `\Z`. So look-behinds and `^` are sure where they
stand, and a done group is reached by whole delimiters only. (A round of a loop may start at the
end; if it fails there, the loop is left, and the alternative to what follows it is `\Z`.)

A *wait* group marks an end that is as good as a state: until the text its `Wait` names arrives,
the match stays pending from the same start, and nothing need be searched again. Trees are lowered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from compiler.delimiters.characters import characters, is_single, meet
from compiler.delimiters.decided import NEVER, Decided, stripped
from compiler.delimiters.endings import ending, ends_the_text, looks_at_end, stopped_by
from compiler.delimiters.first import first
from compiler.delimiters.nodes import (
    EMPTY,
    Alternation,
    Anchor,
    Any,
    Atomic,
    Backreference,
    Boundary,
    Capture,
    Class,
    Look,
    Node,
    Range,
    Repeat,
    Sequence,
    Text,
)
from compiler.delimiters.pattern_text import PatternText
from compiler.delimiters.printer import Printer, escape_character, look_text, quantifier
from compiler.delimiters.widths import is_nullable

_END = r"\Z"
_BLOCK = 32  # characters of a literal that are held as one; longer ones nest too deep for `re`


@dataclass(frozen=True)
class Wait:
    """A held match that stays held: while new text is all `stay`, or until `literal` is in it.

    `stay` matches one character, `leave` one that is none of these. The literal may begin in the
    last `len(literal) - 1` characters held before.
    """

    group: str
    stay: PatternText | None = None
    leave: PatternText | None = None
    literal: str | None = None


@dataclass(frozen=True)
class HoldBack:
    """A streaming pattern and what its groups mean."""

    text: PatternText
    done_groups: tuple[str, ...]
    waits: tuple[Wait, ...]


def hold_back(
    node: Node, printer: Printer, bodies: Mapping[int, Node], done: str, wait: str
) -> HoldBack:
    """The streaming pattern of a lowered tree; `bodies` are those of its capturing groups."""
    derivation = _Derivation(printer, bodies, done, wait)
    ways = derivation.ways((node,), _Place(is_tail=True, may_end=False, may_wait=True))
    text = "|".join(ways)
    for name in printer.groups.values():
        if f"(?P<{name}>" not in text:  # it stood where no match goes on, and is never set
            text = text.replace(f"(?P={name})", "(?!)")
    return HoldBack(PatternText(text), tuple(derivation.done_groups), tuple(derivation.waits))


@dataclass(frozen=True)
class _Place:
    """Where in the pattern a step is taken."""

    is_tail: bool  # when the items at hand are through, the delimiter is
    may_end: bool  # the buffer may end here, and no other way has taken care of that
    may_wait: bool  # a pending match here is what the whole search finds

    def with_end(self, may_end: bool) -> _Place:
        return replace(self, may_end=may_end)


class _Derivation:
    """The ways of one delimiter. A way is text without a bare `|`; ways are in their order."""

    def __init__(self, printer: Printer, bodies: Mapping[int, Node], done: str, wait: str) -> None:
        self._printer = printer
        self._bodies = bodies
        self._done = done
        self._wait = wait
        self.done_groups: list[str] = []
        self.waits: list[Wait] = []

    def ways(self, items: tuple[Node, ...], place: _Place) -> list[str]:
        """The ways through the items, one after another."""
        if not items:
            return [self._new_done()] if place.is_tail else [""]
        item, rest = items[0], items[1:]
        match item:
            case Sequence():
                return self.ways((*item.items, *rest), place)
            case Text():
                return self._text(item, rest, place)
            case Any() | Class():
                taken = self._printer.text(item) + self._then(rest, place.with_end(True))
                return [taken, _END] if place.may_end else [taken]
            case Repeat() if is_single(item.body):
                return self._run(item, rest, place)
            case Repeat():
                return self._loop(item, rest, place)
            case Alternation():
                return self._choice(item, rest, place)
            case Atomic() | Capture():
                return [self._enclosed(item, place) + self._after_end(rest, place)]
            case Look():
                return self._look(item, rest, place)
            case Backreference():
                return self._backreference(item, rest, place)
            case Anchor(place="start"):
                return ["^" + self._then(rest, place)]
            case Anchor():  # the text may go on: pending at best
                return [r"\n?\Z" if item.place == "last line" else _END]
            case Boundary():
                raise ValueError("boundaries are lowered to look-arounds")

    def possible(self, node: Node) -> str:
        """What matches wherever some text to come would let `node` match."""
        return "|".join(self.ways((node,), _Place(is_tail=False, may_end=True, may_wait=False)))

    def certain(self, node: Node) -> str:
        """What matches wherever `node` matches whatever text comes."""
        return Decided(self._printer, self.possible, hopeful=False).text(node)

    # -- texts and runs of one class

    def _text(
        self, item: Text, rest: tuple[Node, ...], place: _Place, *, waits: bool = False
    ) -> list[str]:
        if len(item.text) > _BLOCK:
            rest = (replace(item, text=item.text[_BLOCK:]), *rest)
            item = replace(item, text=item.text[:_BLOCK])
        whole = self._printer.text(item) + self._then(rest, place.with_end(True))
        beginning = _beginning(item, place.may_end)
        if waits:
            beginning = self._new_wait(beginning, literal=item.text)
        return [whole, beginning] if beginning else [whole]

    def _run(self, item: Repeat, rest: tuple[Node, ...], place: _Place) -> list[str]:
        unit = self._printer.text(item.body)
        text = unit + quantifier(item.low, item.high, item.mode)
        if item.low == item.high:
            ways = [text + self._then(rest, place.with_end(True))]
        else:
            ways = [text + _grouped(self._after_run(item, rest, place))]
        least = 0 if place.may_end else 1
        if item.low > least:  # fewer than enough
            ways.append(_times(unit, least, item.low - 1) + _END)
        return ways

    def _after_run(self, item: Repeat, rest: tuple[Node, ...], place: _Place) -> list[str]:
        is_lazy_any = isinstance(item.body, Any) and item.mode == "lazy" and item.high is None
        if place.may_wait and is_lazy_any and rest:
            literal = rest[0]
            if isinstance(literal, Text) and not literal.fold:
                return self._text(literal, rest[1:], place.with_end(True), waits=True)
        stay = _staying(item, rest) if place.may_wait else None
        if stay is None and not rest and not place.is_tail:
            return [""]
        end = self._new_wait(_END, stay=stay) if stay else _END
        return [end, *self.ways(rest, place.with_end(False))]

    # -- groups and loops

    def _loop(self, item: Repeat, rest: tuple[Node, ...], place: _Place) -> list[str]:
        if not rest and place.is_tail and (item.low, item.high, item.mode) == (0, 1, "greedy"):
            taken = self.ways((item.body,), place.with_end(True))
            return [*taken, *self.ways((), place)]
        stop = stopped_by(item.body)
        if stop and (item.low, item.high, item.mode) == (0, None, "greedy"):
            return [self._up_to(stop, rest, place)]
        # A second round may start at the end, where its own first loop has read nothing.
        inner = _Place(is_tail=False, may_end=False, may_wait=place.may_wait and item.high == 1)
        body = self.ways((item.body,), inner)
        if item.low > 1:  # the rounds that are still to come
            body = [_END, *body]
        text = f"(?:{'|'.join(body)}){quantifier(item.low, item.high, item.mode)}"
        way = text + self._after_end(rest, place)
        return [_END, way] if item.low and place.may_end else [way]

    def _up_to(self, stop: Text, rest: tuple[Node, ...], place: _Place) -> str:
        """Any text up to `stop`: it ends where the stop, or a beginning of it, is."""
        whole, end = self._printer.text(stop), _beginning(stop, may_end=True)
        loop = f"(?:(?!{whole}|{end}).)*"
        if not stop.fold and place.may_wait:
            end = self._new_wait(end, literal=stop.text)
        return loop + _grouped([end, *self.ways(rest, place.with_end(False))])

    def _choice(self, item: Alternation, rest: tuple[Node, ...], place: _Place) -> list[str]:
        inner = place if not rest else replace(place, is_tail=False)
        ways = [way for branch in item.branches for way in self.ways((branch,), inner)]
        return [_grouped(ways) + self._after_end(rest, place)] if rest else ways

    def _enclosed(self, item: Atomic | Capture, place: _Place) -> str:
        ways = self.ways((item.body,), replace(place, is_tail=False))
        kind = "?>" if isinstance(item, Atomic) else f"?P<{self._printer.groups[item.number]}>"
        return f"({kind}{'|'.join(ways)})"

    def _after_end(self, rest: tuple[Node, ...], place: _Place) -> str:
        """What follows an item that may have ended at the end of the buffer."""
        if not rest and not place.is_tail:
            return ""  # it follows the group around
        return _grouped([_END, *self.ways(rest, place.with_end(False))])

    def _backreference(
        self, item: Backreference, rest: tuple[Node, ...], place: _Place
    ) -> list[str]:
        whole = self._printer.text(item) + self._then(rest, place.with_end(True))
        beginning = f"(?:{self.possible(stripped(self._bodies[item.number]))})"
        return [whole, (f"(?i:{beginning})" if item.fold else beginning) + _END]

    # -- looks

    def _look(self, item: Look, rest: tuple[Node, ...], place: _Place) -> list[str]:
        if not item.ahead:
            return self._look_behind(item, rest, place)
        body, text = item.body, self._printer.text(item.body)
        if is_single(body):
            way = look_text(text, True, item.negated) + self._then(rest, place.with_end(False))
            return [_END, way] if place.may_end else [way]
        if isinstance(body, Text) and len(body.text) <= _BLOCK:
            beginning = _beginning(body, place.may_end)
            seen = f"{text}|{beginning}" if item.negated else text
            way = look_text(seen, True, item.negated) + self._then(rest, place.with_end(False))
            return [way, beginning]
        return self._undecided(item, rest, place)

    def _undecided(self, item: Look, rest: tuple[Node, ...], place: _Place) -> list[str]:
        """A look-ahead of more than a text: sure to match, sure not to, or pending."""
        certain, possible = self.certain(item.body), self.possible(item.body)
        always = _reaches_every_end(item.body)
        never = certain == NEVER or ends_the_text(item.body)
        # Where nothing can fail after the look, a pending way is tried only if no other was sure.
        is_last = place.is_tail and not rest
        sure_first = is_last and not item.negated
        refuted = "" if never or sure_first else look_text(certain, True, True)
        imagined = "" if always or (is_last and item.negated) else look_text(possible, True, False)
        literal = "" if looks_at_end(item.body) else ending(item.body)
        mark = self._new_wait("", literal=literal) if always and literal and place.may_wait else ""
        pending = refuted + imagined + mark + _leap(place)
        if item.negated:
            if always:
                return [pending]
            way = look_text(possible, True, True) + self._then(rest, place)
        elif never:
            return [pending]
        else:
            after = place.with_end(place.may_end and is_nullable(item.body))
            way = look_text(certain, True, False) + self._then(rest, after)
        return [way, *self._leading_run(item, place), pending]

    def _leading_run(self, look: Look, place: _Place) -> list[str]:
        """Of a look that begins with a run: while the run goes on, nothing is decided."""
        items = look.body.items if isinstance(look.body, Sequence) else (look.body,)
        run = items[0] if items and place.may_wait else None
        if not isinstance(run, Repeat) or not is_single(run.body):
            return []
        following, empty = first(Sequence(items[1:]))
        if run.high is not None or empty or meet(characters(run.body), following):
            return []
        return [f"{self._printer.text(run.body)}+{self._new_wait(_END, stay=run.body)}"]

    def _look_behind(self, item: Look, rest: tuple[Node, ...], place: _Place) -> list[str]:
        if not looks_at_end(item.body):
            return [self._printer.text(item) + self._then(rest, place)]
        certain = self.certain(item.body)
        possible = Decided(self._printer, self.possible, hopeful=True).text(item.body)
        sure = look_text(possible if item.negated else certain, False, item.negated)
        pending = look_text(certain, False, True) + look_text(possible, False, False)
        return [sure + self._then(rest, place), pending + _leap(place)]

    # -- names and joints

    def _then(self, rest: tuple[Node, ...], place: _Place) -> str:
        return _grouped(self.ways(rest, place))

    def _new_done(self) -> str:
        number = len(self.done_groups) + 1
        self.done_groups.append(self._done if number == 1 else f"{self._done}__{number}")
        return f"(?P<{self.done_groups[-1]}>)"

    def _new_wait(
        self, pending: str, *, stay: Node | None = None, literal: str | None = None
    ) -> str:
        number = len(self.waits) + 1
        group = self._wait if number == 1 else f"{self._wait}__{number}"
        if stay is None:
            self.waits.append(Wait(group, literal=literal))
        else:
            kept, left = self._printer.text(stay), self._printer.text(_opposite(stay))
            self.waits.append(Wait(group, stay=PatternText(kept), leave=PatternText(left)))
        return f"(?P<{group}>{pending})"


def _grouped(ways: list[str]) -> str:
    return ways[0] if len(ways) == 1 else f"(?:{'|'.join(ways)})"


def _leap(place: _Place) -> str:
    """From a pending look to the end; needless where the match is over anyway."""
    return "" if place.is_tail else r".*\Z"


def _times(unit: str, low: int, high: int) -> str:
    if high == 0:
        return ""
    return unit if (low, high) == (1, 1) else unit + quantifier(low, high)


def _beginning(item: Text, may_end: bool) -> str:
    """The text up to the end of the buffer, but not all of it; "" if there is no such thing."""
    first_sure = "" if may_end else item.text[0]
    inner = ""
    for character in reversed(item.text[len(first_sure) : -1]):
        shown = escape_character(character)
        inner = f"(?:{shown}{inner})?" if inner else f"{shown}?"
    text = "".join(map(escape_character, first_sure)) + inner
    if len(item.text) == 1 and first_sure:
        return ""
    return (f"(?i:{text})" if item.fold and text else text) + _END


def _staying(item: Repeat, rest: tuple[Node, ...]) -> Node | None:
    """The class of characters that keep a loop running to the end; None if none surely do."""
    if item.high is not None:
        return None
    leaving, empty = first(Sequence(rest))
    if item.mode != "lazy" or (not empty and not meet(characters(item.body), leaving)):
        return item.body
    if empty or len(leaving) > _BLOCK:
        return None
    members = tuple(Range(chr(start), chr(end)) for start, end in leaving)
    match item.body:
        case Any():
            return Class(members, negated=True)
        case Class(negated=True):
            return replace(item.body, members=(*item.body.members, *members))
    return None


def _opposite(node: Node) -> Node:
    """The class of the characters that a class does not match."""
    match node:
        case Class():
            return replace(node, negated=not node.negated)
        case Text():
            return Class((Range(node.text, node.text),), negated=True, fold=node.fold)
    return Look(EMPTY, ahead=True, negated=True)  # of no characters


def _reaches_every_end(node: Node) -> bool:
    """Whether some text to come always lets a node match: it starts with any text at all."""
    if isinstance(node, Sequence):
        return bool(node.items) and _reaches_every_end(node.items[0])
    if not isinstance(node, Repeat) or node.mode == "possessive":
        return False
    return isinstance(node.body, Any) and node.high is None
