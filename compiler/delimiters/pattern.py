r"""Read a delimiter pattern: text in `regex` syntax -> nodes.

Our own reader, so that what is generated does not depend on the Python that runs the compiler.
The `regex` package has the last word: what it refuses is refused here too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Literal

import regex
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from compiler.delimiters import escapes
from compiler.delimiters.mistakes import UNSUPPORTED_FLAGS, explain
from compiler.delimiters.nodes import (
    EMPTY,
    Alternation,
    Anchor,
    Any,
    Atomic,
    Backreference,
    Capture,
    Class,
    Look,
    Node,
    Range,
    Repeat,
    Sequence,
    Span,
    Text,
    children,
)
from compiler.delimiters.sets import SetError, read_set

_LONGEST = 150  # steps one after another; streaming patterns nest as deep
_NOT_NEWLINE = Class((Range("\n", "\n"),), negated=True)


class PatternError(ValueError):
    """A pattern that cannot be read; `position` is an offset in the pattern, from 0."""

    def __init__(self, message: str, position: int, hint: str | None = None) -> None:
        super().__init__(f"{message} (at offset {position})")
        self.message = message
        self.position = position
        self.hint = hint


def parse_pattern(text: str) -> Node:
    """The tree of a pattern in `regex` syntax (version 0, DOTALL, Unicode).

    Raises PatternError for what `regex` refuses, and for the few things it takes that have no
    place in a delimiter: recursion, approximate matching, conditionals, verbose mode.
    """
    try:
        tree = _grammar().parse(text)
    except (UnexpectedCharacters, UnexpectedToken) as error:
        raise _syntax_error(text, error) from None
    try:
        node = _Reader(tree).read()
        _ask_regex(text)
    except RecursionError:
        raise PatternError("the pattern is nested too deep", 0) from None
    if _length(node) > _LONGEST:
        raise PatternError("the pattern is too long", 0, "a list of literals may be of any length")
    return node


def literals_node(literals: tuple[str, ...]) -> Node:
    """The tree of a list of literal delimiters: any of them, the longest first."""
    longest_first = sorted(set(literals), key=lambda literal: (-len(literal), literal))
    branches = tuple(Text(literal) for literal in longest_first)
    return branches[0] if len(branches) == 1 else Alternation(branches)


@cache
def _grammar() -> Lark:
    source = Path(__file__).with_name("pattern.lark").read_text(encoding="utf-8")
    return Lark(source, parser="lalr", lexer="contextual", propagate_positions=True)


def _syntax_error(text: str, error: UnexpectedCharacters | UnexpectedToken) -> PatternError:
    at_end = isinstance(error, UnexpectedToken) and error.token.type == "$END"
    position = len(text) if at_end else error.pos_in_stream or 0
    expected = error.accepts if isinstance(error, UnexpectedToken) else error.allowed
    message, hint = explain(text[position:], in_set="SET_CLOSE" in (expected or ()))
    return PatternError(message, position, hint)


def _ask_regex(text: str) -> None:
    try:
        regex.compile(text, regex.DOTALL)
    except regex.error as error:
        raise PatternError(error.msg, min(error.pos or 0, len(text))) from None


@dataclass(frozen=True)
class _Flags:
    """The flags in force at one place of the pattern."""

    ignore_case: bool = False
    multiline: bool = False
    dot_all: bool = True

    def changed(self, token: Token) -> _Flags:
        """The flags after `(?i)` or inside `(?i:`; raises PatternError for others than i, m, s."""
        on, _, off = token.strip("(?:)").replace("V0", "").partition("-")
        flags = self
        for letters, value in ((on, True), (off, False)):
            for letter in letters:
                flags = flags._with(letter, value, _span(token)[0])
        return flags

    def _with(self, letter: str, value: bool, position: int) -> _Flags:
        match letter:
            case "i":
                return replace(self, ignore_case=value)
            case "m":
                return replace(self, multiline=value)
            case "s":
                return replace(self, dot_all=value)
            case "u":
                return self
        what = UNSUPPORTED_FLAGS.get(letter, "version 1 of the syntax")
        raise PatternError(f"{what} is not supported", position, f"leave out the flag {letter}")


class _Reader:
    """Turns one syntax tree into nodes; knows the pattern's groups and which are open."""

    def __init__(self, tree: Tree[Token]) -> None:
        self._tree = tree
        self._numbers: dict[str, int] = {}  # of named groups; equal names share a number
        self._count = 0
        self._open: list[int] = []
        self._closed: set[int] = set()
        self._groups: dict[int, int] = {}  # offset of a group's opening -> its number
        for opening in tree.scan_values(_is_capture):
            self._groups[_span(opening)[0]] = self._new_number(_group_name(opening))

    def read(self) -> Node:
        pattern = self._tree.children[0]
        assert isinstance(pattern, Tree)
        return self._pattern(pattern, _Flags())

    def _new_number(self, name: str | None) -> int:
        if name in self._numbers:
            return self._numbers[name]
        self._count += 1
        if name:
            self._numbers[name] = self._count
        return self._count

    def _pattern(self, tree: Tree[Token], flags: _Flags) -> Node:
        branches = []
        for branch in _trees(tree):
            node, flags = self._branch(branch, flags)  # `(?i)` also covers later branches
            branches.append(node)
        return branches[0] if len(branches) == 1 else Alternation(tuple(branches), _span(tree))

    def _branch(self, tree: Tree[Token], flags: _Flags) -> tuple[Node, _Flags]:
        items: list[Node] = []
        repeatable = False  # whether a quantifier may follow
        is_run = False  # whether it would take the last character of the last item only
        for child in tree.children:
            kind = child.type if isinstance(child, Token) else ""
            if kind == "QUANTIFIER":
                if not repeatable:
                    raise _stray_quantifier(child, bool(items))
                items[-1:] = _repeated(items[-1], str(child), _span(child), is_run)
                repeatable = False
            elif kind == "FLAGS":
                assert isinstance(child, Token)
                flags = flags.changed(child)
            elif kind != "COMMENT":
                items.append(self._item(child, flags))
                repeatable = True
                is_run = kind == "TEXT"
        if len(items) == 1:
            return items[0], flags
        return (Sequence(tuple(items), _span(tree)) if items else EMPTY), flags

    def _item(self, item: Tree[Token] | Token, flags: _Flags) -> Node:
        span = _span(item)
        if isinstance(item, Tree):
            return self._set(item, flags) if item.data == "set" else self._group(item, flags)
        match item.type:
            case "DOT":
                return Any(span) if flags.dot_all else replace(_NOT_NEWLINE, span=span)
            case "CARET":  # multiline: no character before, or a newline
                at_line = Look(_NOT_NEWLINE, ahead=False, negated=True, span=span)
                return at_line if flags.multiline else Anchor("start", span)
            case "DOLLAR":
                at_line = Look(_NOT_NEWLINE, ahead=True, negated=True, span=span)
                return at_line if flags.multiline else Anchor("last line", span)
            case "REFERENCE":
                return self._reference(item[4:-1], flags, span)
            case "ESCAPE":
                return self._escape(str(item), flags, span)
        return Text(str(item), flags.ignore_case, span)

    def _escape(self, escape: str, flags: _Flags, span: Span) -> Node:
        place = escapes.place(escape)
        if place is not None:
            return replace(place, span=span)
        name = escapes.group_reference(escape)
        if name is not None:
            return self._reference(name, flags, span)
        try:
            return escapes.atom(escape, flags.ignore_case, span)
        except escapes.EscapeError as error:
            raise PatternError(str(error), span[0]) from None

    def _reference(self, name: str, flags: _Flags, span: Span) -> Node:
        number = int(name) if name.isdecimal() else self._numbers.get(name, 0)
        if not 0 < number <= self._count:
            raise PatternError(f"there is no group {name}", span[0])
        if number in self._open:
            raise PatternError(f"group {name} refers to itself", span[0])
        if number not in self._closed:
            raise PatternError(f"group {name} comes later", span[0])
        return Backreference(number, flags.ignore_case, span)

    def _set(self, tree: Tree[Token], flags: _Flags) -> Node:
        tokens = [child for child in tree.children if isinstance(child, Token)]
        try:
            members, negated = read_set([str(token) for token in tokens[:-1]])
        except SetError as error:
            raise PatternError(str(error), _span(tokens[error.index])[0]) from None
        return Class(members, negated, flags.ignore_case, _span(tree))

    def _group(self, tree: Tree[Token], flags: _Flags) -> Node:
        opening, body = tree.children[:2]
        assert isinstance(opening, Token) and isinstance(body, Tree)
        span = _span(tree)
        if _is_capture(opening):
            number = self._groups[span[0]]
            self._open.append(number)
            inner = self._pattern(body, flags)
            self._closed.add(self._open.pop())
            return Capture(inner, number, _group_name(opening), span)
        if opening.endswith(":"):
            return self._pattern(body, flags.changed(opening))
        inner = self._pattern(body, flags)
        if opening == "(?>":
            return Atomic(inner, span)
        return Look(inner, ahead="<" not in opening, negated="!" in opening, span=span)


def _repeated(node: Node, quantifier: str, span: Span, is_run: bool) -> list[Node]:
    """The items that `node` becomes when repeated: of a run of characters, only the last is."""
    before: list[Node] = []
    if is_run and isinstance(node, Text) and len(node.text) > 1:
        split = node.span[1] - 1
        before = [replace(node, text=node.text[:-1], span=(node.span[0], split))]
        node = replace(node, text=node.text[-1], span=(split, node.span[1]))
    return [*before, _repeat(node, quantifier, (node.span[0], span[1]))]


def _repeat(node: Node, quantifier: str, span: Span) -> Repeat:
    bare = quantifier if len(quantifier) == 1 else quantifier.rstrip("?+")
    mode: Literal["greedy", "lazy", "possessive"] = "greedy"
    if bare != quantifier:
        mode = "lazy" if quantifier.endswith("?") else "possessive"
    match bare or quantifier[0]:
        case "*":
            return Repeat(node, 0, None, mode, span)
        case "+":
            return Repeat(node, 1, None, mode, span)
        case "?":
            return Repeat(node, 0, 1, mode, span)
    low, comma, high = bare[1:-1].partition(",")
    unlimited = bool(comma) and not high
    return Repeat(node, int(low or 0), None if unlimited else int(high or low), mode, span)


def _stray_quantifier(token: Tree[Token] | Token, after_item: bool) -> PatternError:
    message = "a quantifier after a quantifier" if after_item else "nothing to repeat"
    return PatternError(message, _span(token)[0], "write \\ before a literal one")


def _length(node: Node) -> int:
    """How many steps, one after another or one inside another, a way through a pattern takes."""
    lengths = [_length(child) for child in children(node)]
    if isinstance(node, Alternation):
        return max(lengths)
    return sum(lengths) if isinstance(node, Sequence) else 1 + sum(lengths)


def _trees(tree: Tree[Token]) -> list[Tree[Token]]:
    return [child for child in tree.children if isinstance(child, Tree)]


def _span(node: Tree[Token] | Token) -> Span:
    if isinstance(node, Tree):
        meta = node.meta
        return (0, 0) if meta.empty else (meta.start_pos, meta.end_pos)
    return (node.start_pos or 0, node.end_pos or 0)


def _is_capture(token: object) -> bool:
    is_opening = isinstance(token, Token) and token.type == "GROUP_OPEN"
    return is_opening and (token == "(" or (str(token).endswith(">") and token != "(?>"))


def _group_name(opening: Token) -> str | None:
    return opening.strip("(?P<>") or None
