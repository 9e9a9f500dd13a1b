r"""What a stream holds back for a delimiter, in words.

    <think>          from any beginning of <think>
    </think>\s*      from any beginning of </think>, then while \s follows
    (?=.*?</think>)  until it is known whether .*?</think> follows

The words are read off the pattern's tree, as the streaming pattern (hold_back.py) is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from compiler.delimiters.characters import is_single
from compiler.delimiters.lowered import lower, sequence
from compiler.delimiters.nodes import (
    Alternation,
    Anchor,
    Any,
    Atomic,
    Class,
    Look,
    Node,
    Repeat,
    Sequence,
    Text,
)
from compiler.delimiters.printer import Printer
from compiler.delimiters.widths import width

_PRINTER = Printer("regex")  # prints classes as they are written


def held_for(node: Node) -> tuple[str, ...]:
    """A phrase for each way to write the delimiter; none for those found at once."""
    bare = lower(node, captures=())
    if isinstance(bare, Alternation) and any(not isinstance(way, Text) for way in bare.branches):
        ways: tuple[Node, ...] = bare.branches
    else:
        ways = (bare,)
    return tuple(dict.fromkeys(phrase for way in ways if (phrase := _phrase(way))))


def written(node: Node) -> str:
    """A node as a person writes it: literal text plainly, all else as a pattern."""
    if isinstance(node, Text) and not node.fold:
        text = node.text
        return text if text.isprintable() and text == text.strip() else _PRINTER.text(node)
    if isinstance(node, Alternation) and all(isinstance(way, Text) for way in node.branches):
        return " or ".join(map(written, node.branches))
    return re.sub(r"\[(\\[dDsSwW])\]", r"\1", _PRINTER.text(node))


def _phrase(way: Node) -> str:
    items = way.items if isinstance(way, Sequence) else (way,)
    if len(items) == 1 and _is_fixed(items[0]) and width(items[0])[1] == 1:
        return ""
    return ", then ".join(_steps(items))


def _steps(items: tuple[Node, ...]) -> Iterator[str]:
    """What may be pending, from the start of the delimiter on."""
    begun = False  # whether a character must have been taken
    for is_run, group in groupby(items, key=_is_fixed):
        parts = list(group)
        if is_run:
            yield _fixed(sequence(parts), begun)
            begun = True
            continue
        for part in parts:
            is_last = part is items[-1]
            if is_last and isinstance(part, Repeat) and part.mode == "lazy":
                if part.low:
                    yield f"up to {written(replace(part, high=part.low))}"
                continue
            yield _variable(part, begun, is_last)
            begun = begun or width(part)[0] > 0


def _fixed(part: Node, begun: bool) -> str:
    if begun:
        return f"up to {written(part)}"
    return (
        f"from {written(part)}" if width(part)[1] == 1 else f"from any beginning of {written(part)}"
    )


def _variable(part: Node, begun: bool, is_last: bool) -> str:
    """What may be pending at a part whose length is not fixed, or that looks at other text."""
    match part:
        case Anchor(place="start"):
            return "at the start of the text only"
        case Anchor():
            return "until the text goes on or ends"
        case Look(ahead=False):
            where = "does not stand" if part.negated else "stands"
            return f"only where {written(part.body)} {where} before"
        case Look():
            return f"until it is known whether {written(part.body)} follows"
        case Repeat(high=None, body=Any()):
            return "to the end of the text" if is_last else "over any text"
        case Repeat(high=None) if is_single(part.body):
            return f"while {written(part.body)} follows"
        case Repeat(low=0, high=1):
            return f"until it is known whether {written(part.body)} follows"
    return (
        f"until {written(part)} is complete" if begun else f"from any beginning of {written(part)}"
    )


def _is_fixed(node: Node) -> bool:
    """Whether a node takes text whose length does not depend on what follows."""
    match node:
        case Text() | Any() | Class():
            return True
        case Sequence():
            return all(map(_is_fixed, node.items))
        case Alternation():
            return all(_is_fixed(way) and width(way)[0] > 0 for way in node.branches)
        case Repeat():
            return node.low == node.high and _is_fixed(node.body)
        case Atomic():
            return _is_fixed(node.body)
    return False
