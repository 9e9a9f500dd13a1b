"""The ways in which a reply is cut before it is parsed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

_SEEDS = range(5)
_LONGEST = 12  # characters of a random chunk


@dataclass(frozen=True)
class Cut:
    """A reply in chunks; `where` it was cut, in words ("" where the chunking says it all)."""

    chunks: tuple[str, ...]
    where: str = ""


def _characters(reply: str) -> Iterator[Cut]:
    yield Cut(tuple(reply))


def _splits(reply: str) -> Iterator[Cut]:
    for offset in range(1, len(reply)):
        yield Cut((reply[:offset], reply[offset:]), f"at {offset}")


def _random(reply: str) -> Iterator[Cut]:
    for seed in _SEEDS:
        yield Cut(tuple(_pieces(reply, Random(seed))), f"seed {seed}")


def _pieces(reply: str, random: Random) -> Iterator[str]:
    start = 0
    while start < len(reply):
        end = start + 1 + int(random.random() * _LONGEST)
        yield reply[start:end]
        start = end


WHOLE = "whole"  # not streamed: `parse` takes the reply at once

# Name, as --chunking takes it -> all cuts of a reply.
CHUNKINGS: dict[str, Callable[[str], Iterator[Cut]]] = {
    WHOLE: lambda reply: iter([Cut((reply,))]),
    "characters": _characters,
    "splits": _splits,
    "random": _random,
}
