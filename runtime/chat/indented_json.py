"""JSON with line breaks, of plain data: as `json.dumps(ensure_ascii=False, indent=...)` writes it.

Python's own encoder has no fast way to indent.
"""

from __future__ import annotations

from json import JSONEncoder
from json.encoder import encode_basestring
from typing import Any

_encode_scalar = JSONEncoder(ensure_ascii=False).encode


def indented_json(value: Any, indent: int) -> str:
    """A value of exact JSON types as text, each level `indent` spaces further in.

    Raises TypeError for a value of any other type and a key that is no text, even where
    `json.dumps` writes them.
    """
    return _indented(value, " " * indent, "\n")


def _indented(value: Any, step: str, line_break: str) -> str:
    """`line_break`: a line feed and the indentation of the line that the value ends on."""
    kind = type(value)
    if kind is str:
        return encode_basestring(value)
    if kind is dict:
        inner = line_break + step
        members = [
            f"{encode_basestring(key)}: {_indented(item, step, inner)}"
            for key, item in value.items()
        ]
        return "{" + inner + f",{inner}".join(members) + line_break + "}" if members else "{}"
    if kind is list or kind is tuple:
        inner = line_break + step
        items = [_indented(item, step, inner) for item in value]
        return "[" + inner + f",{inner}".join(items) + line_break + "]" if items else "[]"
    if value is None or kind is bool or kind is int or kind is float:
        return _encode_scalar(value)
    raise TypeError(f"{kind.__name__} is no type of JSON")
