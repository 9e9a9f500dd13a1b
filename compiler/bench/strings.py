"""What strings cost in which no closer counts, against a plain closer."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from compiler.bench.measure import Row, Run, feed, seconds_each
from compiler.bench.texts import Adversary, chunks, prose
from compiler.memory import CompiledTemplate, compile_template

_AT_MOST = 1.3  # times the plain closer
_TEXT = 20_000  # characters of calls in one measurement

STRINGS_ADVERSARIES = (
    Adversary("closers in strings", (), '"</call>"', "<call>["),
    Adversary("closers in a string that never ends", (), "</call>", '<call>["'),
    Adversary("escaped quotes behind a closer", (), '\\"', '<call>["</call>'),
    Adversary("values without closers", (), "<call>{}"),
    Adversary("brackets", (), "[]", "<call>["),
    Adversary("brackets in a string", (), "]", '<call>["'),
)


def call_template(**keys: Any) -> dict[str, Any]:
    """A template of JSON calls; `keys` are further keys of these."""
    call = {"open": "<call>", "close": "</call>", "content": "json", "repeats": True, **keys}
    return {
        "dialect": "extended-1",
        "start_anchor": "<bot>",
        "fields": {"calls": call, "content": {}},
    }


def strings_rows() -> Iterator[Row]:
    """How many times longer calls take if closers in their strings do not count."""
    plain = compile_template(call_template())
    aware = compile_template(call_template(strings="json"))
    for size in (200, 2_000, 100_000):
        text = _calls(size)
        what = f"strings: calls of {size} characters"
        yield _row(f"{what}, streamed", _streamed(plain, text), _streamed(aware, text))
        yield _row(f"{what}, whole", _whole(plain, text), _whole(aware, text))


def _row(what: str, *prepared: Callable[[], Run]) -> Row:
    plain, aware = seconds_each(prepared, 9)
    return Row(what, aware / plain, "x plain closer", limit=_AT_MOST)


def _calls(size: int) -> str:
    arguments: dict[str, Any] = {"city": "Paris", "days": 3, "notes": []}
    while len(json.dumps(arguments)) < size:
        arguments["notes"].append({"id": len(arguments["notes"]), "text": prose(120)})
    call = f"Look.<call>{json.dumps(arguments)}</call>"
    return call * max(1, _TEXT // len(call))


def _streamed(compiled: CompiledTemplate, text: str) -> Callable[[], Run]:
    return feed(lambda: compiled.Parser(""), chunks(text))


def _whole(compiled: CompiledTemplate, text: str) -> Callable[[], Run]:
    return lambda: lambda: compiled.parse(text, prefix="")
