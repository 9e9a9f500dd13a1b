"""Where each value of a JSON text starts: read only when there is something to report.

`json.loads` forgets positions, so Lark reads the text a second time. The grammar accepts all that
`json.loads` accepts (NaN and Infinity too) and is only run on text that `json.loads` has accepted.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lark import Lark, Token, Tree

_GRAMMAR = r"""
    ?value: object | array | STRING | NUMBER | CONSTANT
    object: "{" [pair ("," pair)*] "}"
    pair: STRING ":" value
    array: "[" [value ("," value)*] "]"

    STRING: /"(?:[^"\\]|\\.)*"/s
    NUMBER: /-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/
    CONSTANT: "true" | "false" | "null" | "NaN" | /-?Infinity/
    %ignore /[ \t\n\r]+/
"""

# One code point of a decoded string: a surrogate pair, an escape or a plain character.
_CODE_POINT = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|.", re.S
)


@dataclass(frozen=True)
class Positions:
    """Offsets into the text by JSON pointer.

    `keys` has members of objects only. `repeated` maps the pointer of a key that its object gives
    more than once to the offset of its first appearance; `values` and `keys` hold the last, which
    is the one JSON readers keep.
    """

    values: Mapping[str, int]
    keys: Mapping[str, int]
    repeated: Mapping[str, int]


def child_pointer(pointer: str, key: str | int) -> str:
    """The JSON pointer (RFC 6901) of a member or element of the value at `pointer`."""
    return f"{pointer}/{str(key).replace('~', '~0').replace('/', '~1')}"


def read_positions(text: str) -> Positions:
    """The positions in a JSON text. `text` must be accepted by `json.loads`."""
    values: dict[str, int] = {}
    keys: dict[str, int] = {}
    repeated: dict[str, int] = {}
    pending: list[tuple[str, Token | Tree[Token]]] = [("", _parser().parse(text))]
    while pending:  # no recursion: the text may be nested deeper than Python's stack
        pointer, node = pending.pop()
        values[pointer] = _start(node)
        if isinstance(node, Token):
            continue
        if node.data == "array":
            pending += [(child_pointer(pointer, i), item) for i, item in enumerate(node.children)]
            continue
        members: dict[str, Token | Tree[Token]] = {}
        for key, value in _pairs(node):
            member = child_pointer(pointer, json.loads(key))
            if member in members:
                repeated.setdefault(member, keys[member])
            members[member] = value
            keys[member] = _start(key)
        pending += members.items()
    return Positions(values, keys, repeated)


def offset_in_string(text: str, start: int, index: int) -> int:
    """Where code point `index` of the JSON string starting at `text[start]` is written.

    The index after the last code point is the closing quote.
    """
    literal = _string().match(text, start)
    if literal is None:
        return start
    starts = [m.start() for m in _CODE_POINT.finditer(text, start + 1, literal.end() - 1)]
    return starts[index] if index < len(starts) else literal.end() - 1


@functools.cache
def _parser() -> Lark:
    return Lark(
        _GRAMMAR, parser="lalr", start="value", propagate_positions=True, maybe_placeholders=False
    )


@functools.cache
def _string() -> re.Pattern[str]:
    return re.compile(r'"(?:[^"\\]|\\.)*"', re.S)


def _start(node: Token | Tree[Token]) -> int:
    start = node.start_pos if isinstance(node, Token) else node.meta.start_pos
    assert start is not None  # Lark gives every token of a text its position
    return start


def _pairs(node: Tree[Token]) -> Iterator[tuple[Token, Token | Tree[Token]]]:
    for pair in node.children:
        assert isinstance(pair, Tree)
        key, value = pair.children
        assert isinstance(key, Token)
        yield key, value
