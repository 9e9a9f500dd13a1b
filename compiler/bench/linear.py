"""Adversarial texts: time per character from 10 KB to 1 MB, streamed and whole."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from compiler.bench.measure import Row, feed, seconds, seconds_each
from compiler.bench.strings import STRINGS_ADVERSARIES, call_template
from compiler.bench.texts import ADVERSARIES, Adversary, chunks, prose
from compiler.memory import CompiledTemplate, compile_template

_SHORT, _LONG = 10_000, 1_000_000


def linear_rows(name: str, spec: dict[str, Any]) -> Iterator[Row]:
    """Rows for one model: how much more a character costs in a long text than in a short one."""
    compiled = compile_template(spec)
    yield _row(f"{name}, prose", compiled, prose(_SHORT), prose(_LONG))
    for adversary in ADVERSARIES:
        if not adversary.models or name in adversary.models:
            yield _adversary_row(name, compiled, adversary)


def strings_linear_rows() -> Iterator[Row]:
    """The same for regions with strings, and for those that end with their value."""
    compiled = compile_template(call_template(strings="json", closes_with="value"))
    for adversary in STRINGS_ADVERSARIES:
        yield _adversary_row("strings", compiled, adversary)


def _adversary_row(name: str, compiled: CompiledTemplate, adversary: Adversary) -> Row:
    short, long = adversary.text(_SHORT), adversary.text(_LONG)
    return _row(f"{name}, {adversary.name}", compiled, short, long)


def _row(what: str, compiled: CompiledTemplate, short: str, long: str) -> Row:
    streamed = [_streamed(compiled, text) / len(text) for text in (short, long)]
    whole = [_whole(compiled, text) / len(text) for text in (short, long)]
    return Row(
        f"{what}: 1 MB against 10 KB",
        streamed[1] * 1e9,
        "ns/char streamed",
        note=f"{streamed[1] / streamed[0]:.2f} of the short text's cost a character streamed, "
        f"{whole[1] / whole[0]:.2f} whole",
    )


def _streamed(compiled: CompiledTemplate, text: str) -> float:
    return seconds_each([feed(lambda: compiled.Parser("", on_error="keep"), chunks(text))], 2)[0]


def _whole(compiled: CompiledTemplate, text: str) -> float:
    return seconds(lambda: compiled.parse_result(text, prefix="", on_error="keep"), 2)
