r"""LT511 and LT512: patterns that the Rust frontend of vLLM cannot use.

It reads patterns with Rust's regular expressions and finds delimiters by the literals that they
start with. A pattern that it cannot use costs the whole template: the server starts without it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from compiler.delimiters.characters import characters, size
from compiler.delimiters.lowered import lower
from compiler.delimiters.nodes import (
    Alternation,
    Any,
    Atomic,
    Backreference,
    Boundary,
    Capture,
    Class,
    Look,
    Node,
    Repeat,
    Sequence,
    Text,
    walk,
)
from compiler.delimiters.widths import is_nullable
from compiler.lint.problems import LintFinding
from compiler.lint.response.engines import VLLM_RUST
from compiler.lint.response.subject import Pattern, Subject, patterns

_MOST_STARTS = 10  # characters of a class that may start a delimiter
_SETS = r"\[\^?\]?(?:\\.|\[:[^]]*:\]|[^]\\])*\]"
_QUANTIFIER = r"\{ *\d+ *(?:, *\d* *)?\}"
_ESCAPE = r"\\[pPxuU]\{[^}]*\}|\\."
_TOKEN = re.compile(rf"{_ESCAPE}|{_SETS}|\(\?#|{_QUANTIFIER}|.", re.DOTALL)
# The end of a tag pattern: it may look ahead there, in words without parentheses.
_LAST_LOOK = re.compile(r"\(\?=([^()]*)\)\)?\Z")


def check_rust_syntax(subject: Subject) -> Iterator[LintFinding]:
    """LT511: what Rust's regular expressions do not have, each kind once a pattern."""
    for pattern in patterns(subject.template):
        first: dict[str, int] = {}
        for what, offset in sorted(_unknown(pattern), key=lambda found: found[1]):
            first.setdefault(what, offset)
        for what, offset in first.items():
            message = f"{what} in a pattern is refused by {VLLM_RUST}"
            yield LintFinding("LT511", pattern.pointer, message, offset=offset)


def check_literal_start(subject: Subject) -> Iterator[LintFinding]:
    """LT512: delimiters that may start with nearly any character, or with none."""
    for pattern in patterns(subject.template):
        if pattern.role not in ("open", "close"):
            continue
        if any(isinstance(node, Look) for node in walk(pattern.node)):
            continue  # LT511
        starts = list(_starts(lower(pattern.node, ())))
        start = next((node for node in starts if _is_wide(node)), None)
        if start is not None:
            message = f"a delimiter that starts with no literal text is refused by {VLLM_RUST}"
            yield LintFinding("LT512", pattern.pointer, message, offset=start.span[0])


def _unknown(pattern: Pattern) -> Iterator[tuple[str, int]]:
    """What Rust does not know in a pattern, and where."""
    names: set[str] = set()
    looks_last = pattern.role == "tag" and _LAST_LOOK.search(pattern.text)
    for node in walk(pattern.node):
        start, end = node.span
        match node:
            case Look() if pattern.text.startswith("(?", start):
                if not (looks_last and looks_last.start() == start):
                    yield "look-around", start
            case Backreference():
                yield "a backreference", start
            case Atomic():
                yield "an atomic group", start
            case Boundary(kind="word start" | "word end"):
                yield f"{pattern.text[start:end]}", start
            case Capture(name=str(name)):
                if name in names:
                    yield "a second group of one name", start
                names.add(name)
    yield from _unknown_tokens(pattern.text)


def _unknown_tokens(text: str) -> Iterator[tuple[str, int]]:
    for token in _TOKEN.finditer(text):
        written, place = token[0], token.start()
        if written[0] == "\\" and (written[1] in "ZNhH0" or not written[1].isascii()):
            yield written, place
        elif written == "(?#":
            yield "a comment", place
        elif written == "{":
            yield "{ without a number after it", place
        elif len(written) > 1 and written[0] == "[":
            yield from _unknown_in_set(written[1:-1], place + 1)


def _unknown_in_set(text: str, base: int) -> Iterator[tuple[str, int]]:
    for token in re.finditer(r"\\.|\[:[^]]*:\]|.", text, re.DOTALL):
        if token[0] == "[":
            yield "[ in a set", base + token.start()
        elif token[0][0] == "\\" and token[0][1] in "NhH0":
            yield token[0], base + token.start()


def _starts(node: Node) -> Iterator[Node]:
    """The parts that a match may start with; the empty pattern where it may do without."""
    match node:
        case Capture() | Atomic():
            yield from _starts(node.body)
        case Repeat():
            yield from _starts(node.body)
            if node.low == 0:
                yield Sequence((), node.span)
        case Alternation():
            for branch in node.branches:
                yield from _starts(branch)
        case Sequence():
            for item in node.items:
                yield from (start for start in _starts(item) if not is_nullable(start))
                if not is_nullable(item):
                    return
            yield Sequence((), node.span)
        case _:
            yield node


def _is_wide(node: Node) -> bool:
    match node:
        case Text():
            return False
        case Class():
            return size(characters(node)) > _MOST_STARTS
    return isinstance(node, Any) or is_nullable(node)
