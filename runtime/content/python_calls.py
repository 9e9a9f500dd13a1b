r"""The `python-call-list` content parser of the dialect: `[f(a=1, b="x"), g()]`, `f(a=1)\ng()`.

calls : "[" [call (separator call)*] "]"                     the brackets unless told otherwise
call  : NAME "(" [NAME "=" value ("," NAME "=" value)*] ")"
value : as of `json` with `python_literals`; strings may hold any character
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from runtime.content.json_values import ValueReader

_SHOWN = {",": "','", "\n": "a line break"}


def parse_python_calls(
    body: str, *, brackets: bool = True, separator: str = ",", methods: bool = False
) -> list[dict[str, Any]]:
    """The calls in order, each as `{"name": str, "arguments": dict}` (dialect).

    `brackets`: whether the calls are in `[]`. `separator`: what is between two of them, a comma or
    a line break. `methods`: functions are called by a method, whose name is not part of theirs.

    Raises ValueError, with the offset in the body, for any other text: positional arguments,
    trailing commas, repeated names, numbers beyond the range of a float, integers of more digits
    than the interpreter allows, more than 100 lists and dicts inside one another.
    """
    reader = _CallsReader(body)
    calls = reader.listed_calls(separator) if brackets else reader.calls("", separator)
    return [_without_method(call) for call in calls] if methods else calls


def _without_method(call: dict[str, Any]) -> dict[str, Any]:
    name = call["name"]
    return {**call, "name": name.rpartition(".")[0] or name}


class _CallsReader(ValueReader):
    """Reads calls off the body."""

    def __init__(self, body: str) -> None:
        super().__init__(body, python_literals=True, any_characters=True)

    def listed_calls(self, separator: str) -> list[dict[str, Any]]:
        self.take("[")
        calls = self.calls("]", separator)
        if not self.at_end():
            raise self.wrong("nothing after the list of calls")
        return calls

    def calls(self, closer: str, separator: str) -> list[dict[str, Any]]:
        """Up to the closer, which is taken; "" is the end of the text."""
        calls: list[dict[str, Any]] = []
        end = self.position  # of the last call
        while not (self.takes(closer) if closer else self.at_end()):
            if calls and not self.separates(separator, end):
                rest = repr(closer) if closer else "the end"
                raise self.wrong(f"{_SHOWN[separator]} or {rest}")
            calls.append(self.call())
            end = self.position
        return calls

    def separates(self, separator: str, end: int) -> bool:
        """Whether the separator follows what ends at `end`, and white space; it is taken."""
        if separator == "\n":
            return separator in self.body[end : self.position]
        return self.takes(separator)

    def call(self) -> dict[str, Any]:
        self.skip_space()
        name = self.name()
        self.take("(")
        return {"name": name, "arguments": self.entries(self.name, "=", ")")}

    def name(self) -> str:
        found = _call_name().match(self.body, self.position)
        if found is None:
            raise self.wrong("a name (no positional arguments, no trailing commas)")
        self.position = found.end()
        return found[0]

    def take(self, mark: str) -> None:
        if not self.takes(mark):
            raise self.wrong(repr(mark))


@cache
def _call_name() -> re.Pattern[str]:
    return re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:[-.][A-Za-z0-9_]+)*")
