"""The `python-call-list` content parser: `[f(a=1, b="x"), g()]` (v1).

calls : "[" [call ("," call)*] "]"
call  : NAME "(" [NAME "=" value ("," NAME "=" value)*] ")"
value : STRING | INTEGER | FLOAT | constant | list | dict
list  : "[" [value ("," value)*] "]"
dict  : "{" [STRING ":" value ("," STRING ":" value)*] "}"
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from math import isinf
from typing import Any

from runtime.content.excerpt import excerpt

_CALL_DEPTH = 100  # lists and dicts inside one another
_CALL_INTEGER = 2**53 - 1  # the largest integer that every JSON reader keeps exactly
_CALL_CONSTANTS = {
    "True": True,
    "true": True,
    "False": False,
    "false": False,
    "None": None,
    "null": None,
}
_CALL_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}  # others mean themselves


def parse_python_call_list(body: str) -> list[dict[str, Any]]:
    """The calls in order, each as `{"name": str, "arguments": dict}`.

    Raises ValueError, with the offset in the body, for any other text: positional arguments,
    trailing commas, repeated names, unknown escapes, lone surrogates, integers beyond 2^53 - 1,
    numbers beyond the range of a float, more than 100 lists and dicts inside one another.
    """
    return _CallReader(body).listed_calls()


class _CallReader:
    """One token ahead: `kind` and `text` describe it, it lies at `start` to `end` of the body.

    Each method takes what it returns off the text.
    """

    def __init__(self, body: str) -> None:
        self.body = body
        self.tokens = _call_token().finditer(body)
        self.depth = 0
        self.advance()

    def advance(self) -> None:
        token = next(self.tokens)
        kind = token.lastgroup or ""
        self.text: str = token[kind]
        self.kind = self.text if kind == "mark" else kind
        self.start, self.end = token.span(kind)

    def listed_calls(self) -> list[dict[str, Any]]:
        self.take("[")
        calls: list[dict[str, Any]] = []
        while self.has_next("]", is_first=not calls):
            calls.append(self.call())
        if self.kind != "end":
            raise self.wrong("nothing after the list of calls")
        return calls

    def call(self) -> dict[str, Any]:
        name = self.name()
        self.take("(")
        return {"name": name, "arguments": self.entries(self.name, "=", ")")}

    def value(self) -> Any:
        if self.kind == "string":
            return self.string()
        if self.kind == "integer":
            return self.integer()
        if self.kind == "float":
            return self.number()
        if self.kind in ("[", "{"):
            return self.nested()
        if self.text in _CALL_CONSTANTS:
            return _CALL_CONSTANTS[self.take("name")]
        raise self.wrong("a string, number, list, dict, True, False or None")

    def nested(self) -> Any:
        if self.depth == _CALL_DEPTH:
            raise self.wrong(f"at most {_CALL_DEPTH} lists and dicts inside one another")
        self.depth += 1
        is_list = self.kind == "["
        self.advance()
        value = self.items() if is_list else self.entries(self.string, ":", "}")
        self.depth -= 1
        return value

    def items(self) -> list[Any]:
        items: list[Any] = []
        while self.has_next("]", is_first=not items):
            items.append(self.value())
        return items

    def entries(self, key: Callable[[], str], separator: str, closer: str) -> dict[str, Any]:
        entries: dict[str, Any] = {}
        while self.has_next(closer, is_first=not entries):
            start = self.start
            name = key()
            if name in entries:
                raise self.wrong(f"a name other than {excerpt(name)}, which is taken", start)
            self.take(separator)
            entries[name] = self.value()
        return entries

    def has_next(self, closer: str, *, is_first: bool) -> bool:
        """Whether another item follows; takes the closer, or the comma before the item."""
        if self.kind == closer:
            self.advance()
            return False
        if not is_first:
            self.take(",", f"',' or {closer!r}")
        return True

    def name(self) -> str:
        return self.take("name", "a name (no positional arguments, no trailing commas)")

    def string(self) -> str:
        literal = self.take("string", "a string in quotes")[1:-1]
        return _call_escape().sub(_decode_call_escape, literal) if "\\" in literal else literal

    def integer(self) -> int:
        # An integer in range has at most 17 characters; far longer ones are slow to convert.
        if len(self.text) > 17 or abs(int(self.text)) > _CALL_INTEGER:
            raise self.wrong(f"an integer of at most {_CALL_INTEGER}, whatever its sign")
        return int(self.take("integer"))

    def number(self) -> float:
        if isinf(float(self.text)):
            raise self.wrong("a number that a float can hold")
        return float(self.take("float"))

    def take(self, kind: str, expected: str | None = None) -> str:
        """The current token's text, if it is of this kind."""
        if self.kind != kind:
            raise self.wrong(expected or repr(kind))
        text = self.text
        self.advance()
        return text

    def wrong(self, expected: str, position: int | None = None) -> ValueError:
        if position is None and self.kind == "broken":
            position = self.end
            expected = "the closing quote (no raw line breaks, JSON's escapes, no lone surrogates)"
        elif position is None:
            position = self.start
        return ValueError(
            f"expected {expected} at offset {position}, near {excerpt(self.body, position)}"
        )


@cache
def _call_token() -> re.Pattern[str]:
    """One token and the white space before it; the name of the group is its kind."""
    hex2 = "[0-9a-fA-F]{2}"
    pair = rf"[dD][89abAB]{hex2}\\u[dD][c-fC-F]{hex2}"
    unit = rf"(?![dD][89a-fA-F]){hex2}{hex2}"  # half a pair means nothing alone
    escape = rf"\\(?:[\\'\"/bfnrt]|u(?:{pair}|{unit}))"
    special = r"\\\n\r\ud800-\udfff"
    single = rf"'[^'{special}]*(?:{escape}[^'{special}]*)*"
    double = rf'"[^"{special}]*(?:{escape}[^"{special}]*)*'
    whole = "-?(?:0|[1-9][0-9]*)"
    exponent = "[eE][+-]?[0-9]+"
    return re.compile(
        r"[ \t\n\r]*(?:"
        r"(?P<name>[A-Za-z_][A-Za-z0-9_]*(?:[-.][A-Za-z0-9_]+)*)"
        rf"|(?P<string>{single}'|{double}\")"
        rf"|(?P<float>{whole}(?:\.[0-9]+(?:{exponent})?|{exponent}))"
        rf"|(?P<integer>{whole})"
        r"|(?P<mark>[\[\](){},:=])"
        rf"|(?P<broken>{single}|{double})"  # as far as it is a string
        r"|(?P<end>\Z)"
        r"|(?P<other>.))",
        re.DOTALL,
    )


@cache
def _call_escape() -> re.Pattern[str]:
    # Of an escape that a string token may hold; the first group is half a pair.
    return re.compile(r"\\(?:u([dD][89abAB]..)\\u(....)|u(....)|(.))")


def _decode_call_escape(escape: re.Match[str]) -> str:
    high, low, unit, character = escape.groups()
    if high:
        return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00)
    if unit:
        return chr(int(unit, 16))
    return _CALL_ESCAPES.get(character, character)
