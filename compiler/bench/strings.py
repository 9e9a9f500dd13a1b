"""What regions cost that are read with their strings or to the end of a value, not to a closer.

Each kind is measured on text as models write it, and against the same template with a plain closer.
Both make the same value of the text, with the content parser that templates have for it: the ratio
is what a user of the whole parser pays.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from compiler.bench.measure import Row, Run, feed, seconds_each
from compiler.bench.texts import Adversary, chunks, prose
from compiler.memory import CompiledTemplate, compile_template

_AT_MOST = 1.3  # times the plain closer
_TEXT = 20_000  # characters of calls in one measurement
_SIZES = (200, 2_000, 100_000)  # of a call

Arguments = dict[str, Any]


@dataclass(frozen=True)
class Kind:
    """A way to write calls."""

    name: str
    write: Callable[[Arguments], str]
    content: Any
    strings: dict[str, Any]  # the keys that a plain closer goes without


def _elements(arguments: Arguments) -> str:
    values = {key: json.dumps(value) for key, value in arguments.items()}
    return "".join(f"<key>{key}</key><value>{text}</value>" for key, text in values.items())


def _python_calls(arguments: Arguments) -> str:
    return f"[plan({', '.join(f'{key}={value!r}' for key, value in arguments.items())})]"


_TAGS = {"tag_pattern": r"<key>(?P<key>[^<>]+)</key>\s*<value>(?P<value>.*?)</value>"}
_ELEMENTS = {"name": "xml-inline", "args": _TAGS}
_PYTHON = "python-call-list"

KINDS = (
    Kind("JSON", json.dumps, "json", {"strings": "json"}),
    Kind("JSON value", json.dumps, "json", {"strings": "json", "closes_with": "value"}),
    Kind("Python", _python_calls, _PYTHON, {"strings": "python"}),
    Kind("Python value", _python_calls, _PYTHON, {"strings": "python", "closes_with": "value"}),
    Kind("JSON as Python", json.dumps, "json", {"strings": "python"}),
    Kind("pairs", _elements, _ELEMENTS, {"strings": [["<value>", "</value>"]]}),
)

STRINGS_ADVERSARIES = (
    Adversary("closers in strings", (), '"</call>"', "<call>["),
    Adversary("closers in a string that never ends", (), "</call>", '<call>["'),
    Adversary("escaped quotes behind a closer", (), '\\"', '<call>["</call>'),
    Adversary("values without closers", (), "<call>{}"),
    Adversary("brackets", (), "[]", "<call>["),
    Adversary("brackets in brackets", (), '[{"a":[', "<call>"),
    Adversary("brackets that hold many strings", (), '["a"' + ',"b"' * 30 + "]", "<call>["),
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
    """How many times longer calls take than with a plain closer."""
    for kind in KINDS:
        plain = compile_template(call_template(content=kind.content))
        aware = compile_template(call_template(content=kind.content, **kind.strings))
        for size in _SIZES:
            text = calls_text(kind, size)
            what = f"strings: {kind.name}, calls of {size} characters"
            yield _row(f"{what}, streamed", _streamed(plain, text), _streamed(aware, text))
            yield _row(f"{what}, whole", _whole(plain, text), _whole(aware, text))


def calls_text(kind: Kind, size: int) -> str:
    """Calls of about a size."""
    arguments: Arguments = {"city": "Paris", "days": 3, "notes": []}
    while len(json.dumps(arguments)) < size:
        arguments["notes"].append({"id": len(arguments["notes"]), "text": prose(120)})
    call = f"Look.<call>{kind.write(arguments)}</call>"
    return call * max(1, _TEXT // len(call))


def _row(what: str, *prepared: Callable[[], Run]) -> Row:
    plain, aware = seconds_each(prepared, 9)
    return Row(what, aware / plain, "x plain closer", limit=_AT_MOST)


def _streamed(compiled: CompiledTemplate, text: str) -> Callable[[], Run]:
    return feed(lambda: compiled.Parser(""), chunks(text))


def _whole(compiled: CompiledTemplate, text: str) -> Callable[[], Run]:
    return lambda: lambda: compiled.parse(text, prefix="")
