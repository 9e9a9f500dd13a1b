r"""Print a pattern tree as the text of a `re` or `regex` pattern.

For stdlib `re` the classes follow the tables of `regex`: `\w` prints as `[{WORD}]`. The two read
everything else that is printed here alike; engine.py says which trees need `regex`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Literal, TypeGuard

import regex

from compiler.delimiters.nodes import (
    Alternation,
    Anchor,
    Any,
    Atomic,
    Backreference,
    Boundary,
    Capture,
    Category,
    Class,
    ClassMember,
    Look,
    Node,
    Property,
    Range,
    Repeat,
    Sequence,
    Text,
)

Engine = Literal["re", "regex"]
Groups = Mapping[int, str]  # number of a group that is to capture -> its name, "" for none

_CONTROLS = {"\n": r"\n", "\t": r"\t", "\r": r"\r", "\f": r"\f", "\v": r"\v"}
_SPECIAL = frozenset(r".^$*+?{}[]\|()")
_SPECIAL_IN_SET = frozenset(r"^]-[\{}")
_REGEX_CATEGORIES = {"SPACE": "s", "DIGIT": "d", "WORD": "w"}
_PLACES = {"start": "^", "end": r"\Z", "last line": "$"}
_BOUNDARIES = {"edge": r"\b", "no edge": r"\B", "word start": r"\m", "word end": r"\M"}
_MODES = {"greedy": "", "lazy": "?", "possessive": "+"}


class Printer:
    """Prints trees for one engine. Groups outside `groups` do not capture."""

    def __init__(self, engine: Engine, groups: Groups | None = None) -> None:
        self.engine = engine
        self.groups = groups or {}

    def text(self, node: Node) -> str:
        """The text of a node; an alternation is not parenthesised."""
        match node:
            case Alternation():
                return "|".join(self.text(branch) for branch in node.branches)
            case Sequence():
                return "".join(self.part(item) for item in node.items)
            case Text():
                text = "".join(map(escape_character, node.text))
                return f"(?i:{text})" if node.fold else text
            case Any():
                return "."
            case Class():
                return self._class(node)
            case Repeat():
                return self._unit(node.body) + quantifier(node.low, node.high, node.mode)
            case Capture():
                return self._capture(node)
            case Backreference():
                return self.backreference(node)
            case Atomic():
                return f"(?>{self.text(node.body)})"
            case Look():
                return self.look(node)
            case Anchor():
                return self.anchor(node)
            case Boundary():
                return _BOUNDARIES[node.kind]

    def part(self, node: Node) -> str:
        """The text of a node as one item of a sequence."""
        text = self.text(node)
        return f"(?:{text})" if isinstance(node, Alternation) else text

    def look(self, node: Look) -> str:
        """The text of a look-ahead or look-behind."""
        return look_text(self.text(node.body), node.ahead, node.negated)

    def anchor(self, node: Anchor) -> str:
        """The text of an anchor."""
        return _PLACES[node.place]

    def backreference(self, node: Backreference) -> str:
        """The text of a backreference."""
        name = self.groups[node.number]
        place = sorted(self.groups).index(node.number) + 1
        reference = f"(?P={name})" if name else f"(?:\\{place})"  # a digit may follow
        return f"(?i:{reference})" if node.fold else reference

    def _capture(self, node: Capture) -> str:
        if node.number not in self.groups:
            return self.part(node.body)
        name = self.groups[node.number]
        return f"({f'?P<{name}>' if name else ''}{self.text(node.body)})"

    def _unit(self, node: Node) -> str:
        text = self.text(node)
        if isinstance(node, Any | Class) or (isinstance(node, Text) and len(node.text) == 1):
            return text
        return f"(?:{text})"

    def _class(self, node: Class) -> str:
        if self.engine == "regex":
            text = _set(node.members, node.negated, _regex_member)
            return f"(?i:{text})" if node.fold else text
        return _exact_class(node)


def look_text(body: str, ahead: bool, negated: bool) -> str:
    """The text of a look-ahead or look-behind over the text of its body."""
    return f"(?{'' if ahead else '<'}{'!' if negated else '='}{body})"


def quantifier(low: int, high: int | None, mode: str = "greedy") -> str:
    """The text of a quantifier."""
    match (low, high):
        case (0, None):
            counts = "*"
        case (1, None):
            counts = "+"
        case (0, 1):
            counts = "?"
        case _ if low == high:
            counts = f"{{{low}}}"
        case _:
            counts = f"{{{low},{'' if high is None else high}}}"
    return counts + _MODES[mode]


def escape_character(character: str, special: frozenset[str] = _SPECIAL) -> str:
    """A literal character in a pattern: as itself where it can be seen, else as an escape."""
    if character in special:
        return "\\" + character
    if character in _CONTROLS:
        return _CONTROLS[character]
    if not _is_hidden(character):
        return character
    code = ord(character)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


@cache
def _is_hidden(character: str) -> bool:
    """Controls, surrogates, unassigned code points and spaces other than the plain one."""
    return character != " " and regex.match(r"[\p{C}\p{Z}]", character) is not None


def _set(members: Iterable[ClassMember], negated: bool, member: Callable[..., str]) -> str:
    return f"[{'^' if negated else ''}{''.join(map(member, members))}]"


def _regex_member(member: ClassMember) -> str:
    match member:
        case Category():
            letter = _REGEX_CATEGORIES[member.name]
            return "\\" + (letter.upper() if member.negated else letter)
        case Property():
            return member.text
        case Range():
            return _range(member)


def _range(member: Range) -> str:
    first = escape_character(member.first, _SPECIAL_IN_SET)
    if member.first == member.last:
        return first
    return f"{first}-{escape_character(member.last, _SPECIAL_IN_SET)}"


def _exact_member(member: ClassMember) -> str:
    match member:
        case Range():
            return _range(member)
        case Category(negated=False):
            return f"{{{member.name}}}"
        case Category(name="SPACE"):
            return r"\S\x1c-\x1f"  # four characters are spaces for `re` alone
    raise ValueError(f"{member} is not for `re`")


def _exact_class(node: Class) -> str:
    r"""A class for `re`, whose sets cannot hold the complement of `{WORD}` or `{DIGIT}`.

    `[^\W_]` is printed as `(?:(?![_])[{WORD}])`, `[\W_]` as `(?:[_]|[^{WORD}])`.
    """
    outside = [m for m in node.members if _is_complement(m)]
    inside = [m for m in node.members if not _is_complement(m)]
    if not outside:
        return _set(inside, node.negated, _exact_member)
    complements = [f"[^{{{member.name}}}]" for member in outside]
    listed = [_set(inside, False, _exact_member)] if inside else []
    if not node.negated:
        return _either([*listed, *complements])
    if len(outside) > 1:
        return f"(?:(?!{'|'.join([*listed, *complements])}).)"
    word = f"[{{{outside[0].name}}}]"
    return f"(?:(?!{listed[0]}){word})" if listed else word


def _either(classes: list[str]) -> str:
    return classes[0] if len(classes) == 1 else f"(?:{'|'.join(classes)})"


def _is_complement(member: ClassMember) -> TypeGuard[Category]:
    return isinstance(member, Category) and member.negated and member.name != "SPACE"
