r"""The tree of a delimiter pattern: what `parse_pattern` makes and every later stage reads.

A pattern here is always read as response templates read it: `regex` syntax, version 0, DOTALL,
Unicode. Flags written inside a pattern are gone from the tree: `(?i)` is the `fold` mark of the
atoms it covers, `(?-s).` is a class, `(?m)^` is a look-behind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Span = tuple[int, int]  # start and end offset in the source pattern
NOWHERE: Span = (0, 0)  # for nodes that no source text stands for


@dataclass(frozen=True)
class Text:
    """A run of one or more literal characters."""

    text: str
    fold: bool = False  # letter case does not matter
    span: Span = NOWHERE


@dataclass(frozen=True)
class Any:
    """Any one character, the newline included."""

    span: Span = NOWHERE


@dataclass(frozen=True)
class Range:
    """The characters from `first` to `last` in a class; one character if they are equal."""

    first: str
    last: str


@dataclass(frozen=True)
class Category:
    r"""`\s`, `\d`, `\w` or, negated, `\S`, `\D`, `\W`."""

    name: Literal["SPACE", "DIGIT", "WORD"]
    negated: bool = False


@dataclass(frozen=True)
class Property:
    r"""A class that only `regex` knows, as written: `\p{L}`, `[:alpha:]`, `\h`."""

    text: str


ClassMember = Range | Category | Property


@dataclass(frozen=True)
class Class:
    """One character out of a set."""

    members: tuple[ClassMember, ...]
    negated: bool = False
    fold: bool = False
    span: Span = NOWHERE


@dataclass(frozen=True)
class Anchor:
    r"""A place in the text: `^` and `\A`; `\Z`; or `$`, which also is before a final newline."""

    place: Literal["start", "end", "last line"]
    span: Span = NOWHERE


@dataclass(frozen=True)
class Boundary:
    r"""`\b`, `\B`, `\m` or `\M`: whether a word character is before and after."""

    kind: Literal["edge", "no edge", "word start", "word end"]
    span: Span = NOWHERE


@dataclass(frozen=True)
class Look:
    """A look-ahead or look-behind; `negated`: the body must not match."""

    body: Node
    ahead: bool
    negated: bool
    span: Span = NOWHERE


@dataclass(frozen=True)
class Capture:
    """A capturing group, by number and, if it has one, by name."""

    body: Node
    number: int
    name: str | None = None
    span: Span = NOWHERE


@dataclass(frozen=True)
class Backreference:
    """The text of a group once more."""

    number: int
    fold: bool = False
    span: Span = NOWHERE


@dataclass(frozen=True)
class Atomic:
    """A group whose first way to match is the only one tried."""

    body: Node
    span: Span = NOWHERE


@dataclass(frozen=True)
class Repeat:
    """The body from `low` to `high` times; `high` None: without limit."""

    body: Node
    low: int
    high: int | None
    mode: Literal["greedy", "lazy", "possessive"] = "greedy"
    span: Span = NOWHERE


@dataclass(frozen=True)
class Sequence:
    """One item after another; no items: the empty pattern."""

    items: tuple[Node, ...]
    span: Span = NOWHERE


@dataclass(frozen=True)
class Alternation:
    """The first branch that lets the rest match, tried in order."""

    branches: tuple[Node, ...]
    span: Span = NOWHERE


Node = (
    Text
    | Any
    | Class
    | Anchor
    | Boundary
    | Look
    | Capture
    | Backreference
    | Atomic
    | Repeat
    | Sequence
    | Alternation
)
EMPTY = Sequence(())


def children(node: Node) -> tuple[Node, ...]:
    """The nodes directly inside a node, in reading order."""
    match node:
        case Look() | Capture() | Atomic() | Repeat():
            return (node.body,)
        case Sequence():
            return node.items
        case Alternation():
            return node.branches
    return ()


def walk(node: Node) -> list[Node]:
    """A node and everything inside it, in reading order."""
    return [node, *(inner for child in children(node) for inner in walk(child))]
