"""What parsing token ids costs beside parsing the text that they spell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from compiler.bench.measure import Row, Run, seconds_each
from compiler.bench.texts import prose
from compiler.memory import CompiledTemplate, compile_template

_SPECIAL = ("<bot>", "<think>", "</think>")
_SHORT, _LONG = 10_000, 1_000_000  # characters


def ids_rows() -> Iterator[Row]:
    """Times of one id after the other, of a short and of a long reply."""
    compiled = compile_template(
        {
            "dialect": "extended-1",
            "special": list(_SPECIAL),
            "start_anchor": "<bot>",
            "fields": {"thinking": {"open": "<think>", "close": "</think>"}, "content": {}},
        }
    )
    for name, unit in (("prose", ""), ("quoted markers", "a <think> b </think>")):
        texts = [unit * (size // len(unit)) if unit else prose(size) for size in (_SHORT, _LONG)]
        short, long = (_each(compiled, text) for text in texts)
        yield Row(
            f"ids, {name}: 1 MB against 10 KB",
            long[0] * 1e9,
            "ns/id",
            note=f"{long[0] / short[0]:.2f} of the short text's cost an id; "
            f"{long[0] / long[1]:.2f} times the same pieces as text",
        )


def _each(compiled: CompiledTemplate, text: str) -> tuple[float, float]:
    """Seconds for an id, and for its text."""
    pieces = re.findall(r"</?|\w+>?|\W", text)  # no piece is a marker
    known = {piece: token for token, piece in enumerate(dict.fromkeys([*_SPECIAL, *pieces]))}
    vocab = {token: piece for piece, token in known.items()}
    ids = [known[piece] for piece in pieces]

    def of_ids() -> Run:
        return _run(compiled.Parser("", vocab=vocab).feed_ids, [[token] for token in ids])

    def of_text() -> Run:
        return _run(compiled.Parser("").feed, pieces)

    by_ids, by_text = seconds_each([of_ids, of_text], 2)
    return by_ids / len(ids), by_text / len(ids)


def _run(feed: Callable[[Any], object], chunks: list[Any]) -> Run:
    def run() -> None:
        for chunk in chunks:
            feed(chunk)

    return run
