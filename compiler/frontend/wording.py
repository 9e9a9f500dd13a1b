"""How messages name things: kinds of JSON values, lists of names, likely spellings."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable


def kind_of(value: object) -> str:
    """The JSON kind of a value with its article: "a string", "an array", "null"."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return "an array"
    return "a string" if isinstance(value, str) else "a number"


def quoted(text: str) -> str:
    """`text` in double quotes, as JSON writes it; letters outside ASCII are kept."""
    return json.dumps(text, ensure_ascii=False)


def listed(names: Iterable[str]) -> str:
    """`"a", "b"` for the names a, b, in the order given."""
    return ", ".join(quoted(name) for name in names)


def did_you_mean(word: object, known: Iterable[str]) -> str | None:
    """A hint with the known name nearest to `word`, or None if none is near."""
    near = difflib.get_close_matches(word, list(known), n=1) if isinstance(word, str) else []
    return f"did you mean {quoted(near[0])}?" if near else None
