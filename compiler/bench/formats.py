"""All parsers of the repository on the same ordinary text: what a chunk and a reply of it cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import prod
from typing import Any

from compiler.bench.measure import Row, feed, seconds, seconds_each
from compiler.bench.streaming import Floor
from compiler.bench.texts import chunks, prose
from compiler.memory import CompiledTemplate, compile_template

_LENGTH = 40_000
_CHUNKS = (4, 1)  # characters

# Where text outside of regions is not part of the message, what an answer begins with.
_HEADERS = {
    "beam": "<|channel|>final<|message|>",
    "gpt_oss": "<|channel|>final<|message|>",
    "inkling": "<|content_text|>",
    "kimi_k3": "<|open|>response<|sep|>",
    "muse": " to=user<|message|>",
}


def formats_rows(kind: str, specs: Sequence[tuple[str, dict[str, Any]]]) -> Iterator[Row]:
    """Rows for many templates, given by name: in chunks, as multiples of the floor, and whole."""
    compiled = [(name, compile_template(spec)) for name, spec in specs]
    what = f"{len(compiled)} {kind} parsers, text of an answer"
    for size in _CHUNKS:
        costs = {name: _of_floor(name, each, size) for name, each in compiled}
        yield _row(f"{what}, chunks of {size}", costs, "of the floor")
    costs = {name: _whole(name, each) for name, each in compiled}
    yield _row(f"{what}, whole", costs, "ns/char")


def _row(what: str, costs: dict[str, float], unit: str) -> Row:
    """The geometric mean, and the models that pay the least and the most."""
    mean = prod(costs.values()) ** (1 / len(costs))
    least, *_, most = sorted(costs, key=lambda name: costs[name])
    note = f"{least} {costs[least]:.2f}, {most} {costs[most]:.2f}"
    return Row(what, mean, unit, note=note)


def _of_floor(name: str, compiled: CompiledTemplate, size: int) -> float:
    pieces = chunks(prose(_LENGTH), size)

    def parser() -> Any:
        made = compiled.Parser("")
        made.feed(_HEADERS.get(name, ""))
        return made

    ours, floor = seconds_each([feed(parser, pieces), feed(Floor, pieces)], 5)
    return ours / floor


def _whole(name: str, compiled: CompiledTemplate) -> float:
    text = _HEADERS.get(name, "") + prose(_LENGTH)
    return seconds(partial(compiled.parse, text, prefix="")) / len(text) * 1e9
