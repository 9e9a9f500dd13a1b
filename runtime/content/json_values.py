r"""The `json` content parser of the dialect: JSON, and what models write in its place.

values : [value (separator value)*]                      with `many`; spare separators are skipped
value  : STRING | NUMBER | CONSTANT | list | dict
list   : "[" [value ("," value)*] "]"
dict   : "{" [key ":" value ("," key ":" value)*] "}"
key    : STRING | what stands before the ":"             the latter with `bare_keys`
STRING : JSON's | a Python literal | OPENER any text CLOSER
separator : (white space | "," | ";")+                   between lists and objects, none as well
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from runtime.content.excerpt import excerpt
from runtime.content.json_text import finite, strict_json_decoder

_JSON_DEPTH = 100  # lists and dicts inside one another
_JSON_CONSTANTS = {"true": True, "false": False, "null": None}
_ABUTTING = ("}{", "}[", "]{", "][")  # values that end and begin with nothing between them
_PYTHON_CONSTANTS = {"True": True, "False": False, "None": None}
_PYTHON_ESCAPES = {
    "\n": "",
    "a": "\a",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    "v": "\v",
    **{itself: itself for itself in "\\'\"/"},
}


def parse_json_values(
    body: str,
    *,
    python_literals: bool = False,
    bare_keys: bool = False,
    string_delims: Sequence[tuple[str, str]] = (),
    many: bool = False,
    entries: bool = False,
    allow_non_json: bool = False,
    strip: bool = True,
) -> Any:
    """The value of the JSON-like text (dialect, `json`).

    `python_literals`: True, False, None and strings as Python writes them. `bare_keys`: a key
    without quotes is all that stands before the colon. `string_delims`: pairs of opener and closer,
    neither empty, between which a string stands as it is. `many`: the text is any number of values,
    and they become a list. `entries`: `{k: v}` becomes `{"key": k, "value": v}`, as does each item
    of a list. `allow_non_json`: other text is itself the value, without white space at its ends if
    `strip`.

    Raises ValueError for other text, for what `parse_strict_json` refuses in JSON, for lists and
    dicts nested too deeply (more than 100, unless the text is plain JSON), for an integer of more
    digits than the interpreter allows, and where `entries` finds anything else; RecursionError for
    plain JSON nested too deeply.
    """
    try:
        value = None if string_delims or many else _plain_json(body)
        if value is None:
            reader = ValueReader(
                body,
                python_literals=python_literals,
                bare_keys=bare_keys,
                string_delims=string_delims,
            )
            value = reader.values() if many else reader.only_value()
        return as_entries(value) if entries else value
    except ValueError:
        if allow_non_json:
            return body.strip() if strip else body
        raise


def as_entries(value: Any) -> Any:
    """`{k: v}` as `{"key": k, "value": v}`, or each item of a list so; ValueError for others."""
    if isinstance(value, list):
        return [_as_entry(item) for item in value]
    return _as_entry(value)


def _as_entry(item: Any) -> dict[str, Any]:
    if not isinstance(item, dict) or len(item) != 1:
        raise ValueError(f"entries needs objects with one key, not {excerpt(repr(item))}")
    [(key, value)] = item.items()
    return {"key": key, "value": value}


def _plain_json(body: str) -> Any:
    """The value of JSON, which means the same to `ValueReader` and is read faster; or None."""
    try:
        return strict_json_decoder().decode(body)
    except json.JSONDecodeError:
        return None


class ValueReader:
    """Reads values off the body, from `position` on; the options are those of the parser.

    `any_characters`: Python's strings may hold line breaks and other control characters.
    """

    def __init__(
        self,
        body: str,
        *,
        python_literals: bool = False,
        bare_keys: bool = False,
        string_delims: Sequence[tuple[str, str]] = (),
        any_characters: bool = False,
    ) -> None:
        self.body = body
        self.position = 0
        self.depth = 0
        self.python_literals = python_literals
        self.bare_keys = bare_keys
        self.string_delims = string_delims
        self.any_characters = any_characters

    def only_value(self) -> Any:
        value = self.value()
        if not self.at_end():
            raise self.wrong("nothing after the value")
        return value

    def at_end(self) -> bool:
        """Whether there is but white space, which is taken off."""
        self.skip_space()
        return self.position == len(self.body)

    def values(self) -> list[Any]:
        values: list[Any] = []
        while True:
            end = self.position
            self.skip(_json_separator())
            if self.position == len(self.body):
                return values
            if values and self.position == end and self.body[end - 1 : end + 1] not in _ABUTTING:
                raise self.wrong("white space, ',' or ';' between two values")
            values.append(self.value())

    def value(self) -> Any:
        self.skip_space()
        text = self.string()
        if text is not None:
            return text
        mark = self.body[self.position : self.position + 1]
        if mark == "{":
            return self.nested(lambda: self.entries(self.key, ":", "}"))
        if mark == "[":
            return self.nested(self.items)
        return self.scalar()

    def nested(self, read: Callable[[], Any]) -> Any:
        if self.depth == _JSON_DEPTH:
            raise self.wrong(f"at most {_JSON_DEPTH} lists and dicts inside one another")
        self.depth += 1
        self.position += 1
        value = read()
        self.depth -= 1
        return value

    def items(self) -> list[Any]:
        items: list[Any] = []
        while self.has_next("]", is_first=not items):
            items.append(self.value())
        return items

    def entries(self, read_key: Callable[[], str], mark: str, closer: str) -> dict[str, Any]:
        entries: dict[str, Any] = {}
        while self.has_next(closer, is_first=not entries):
            self.skip_space()
            start = self.position
            key = read_key()
            if key in entries:
                self.position = start
                raise self.wrong(f"another key than {excerpt(key)}, which is taken")
            if not self.takes(mark):
                raise self.wrong(repr(mark))
            entries[key] = self.value()
        return entries

    def has_next(self, closer: str, is_first: bool) -> bool:
        """Whether another item follows; takes the closer, or the comma before the item."""
        if self.takes(closer):
            return False
        if not is_first and not self.takes(","):
            raise self.wrong(f"',' or {closer!r}")
        return True

    def key(self) -> str:
        text = self.string()
        if text is not None:
            return text
        found = _bare_key().match(self.body, self.position) if self.bare_keys else None
        if found is None:
            raise self.wrong("a key" if self.bare_keys else "a key in quotes")
        self.position = found.end()
        return found[0].rstrip(" \t")

    def string(self) -> str | None:
        """The string that starts here; None if none does."""
        body, start = self.body, self.position
        for opener, closer in self.string_delims:
            if body.startswith(opener, start):
                return self.delimited(start + len(opener), closer)
        quote = body[start : start + 1]
        if quote in ("'", '"') and self.python_literals:
            return self.python_string()
        return self.json_string() if quote == '"' else None

    def delimited(self, start: int, closer: str) -> str:
        end = self.body.find(closer, start)
        if end < 0:
            raise self.wrong(f"a string that ends with {closer!r}")
        self.position = end + len(closer)
        return self.body[start:end]

    def json_string(self) -> str:
        try:
            text, self.position = _string_decoder().raw_decode(self.body, self.position)
        except json.JSONDecodeError:
            raise self.wrong("a string as JSON writes it") from None
        return str(text)

    def python_string(self) -> str:
        """A string in either quote, which may be JSON's: that reads the same here."""
        found = _python_string(self.any_characters).match(self.body, self.position)
        if found is None:
            rule = "" if self.any_characters else " (no raw control characters)"
            raise self.wrong(f"a string that is closed{rule}")
        text = found[0][1:-1]
        if "\\" in text:
            text = _python_escape().sub(self.unescape, text)
        self.position = found.end()
        return _with_joined_surrogates(text)

    def unescape(self, escape: re.Match[str]) -> str:
        hexadecimal, octal, character = escape.groups()
        if hexadecimal:
            return chr(int(hexadecimal[1:], 16))
        if octal:
            return chr(int(octal, 8))
        if character in "xuUN":
            raise self.wrong(f"a string in which \\{character} names a character by its number")
        return _PYTHON_ESCAPES.get(character, f"\\{character}")

    def scalar(self) -> Any:
        number = _json_number().match(self.body, self.position)
        if number:
            self.position = number.end()
            return finite(number[0]) if number["fraction"] else int(number[0])
        word = _json_word().match(self.body, self.position)
        if word and word[0] in _JSON_CONSTANTS:
            self.position = word.end()
            return _JSON_CONSTANTS[word[0]]
        if word and word[0] in _PYTHON_CONSTANTS and self.python_literals:
            self.position = word.end()
            return _PYTHON_CONSTANTS[word[0]]
        raise self.wrong("a value")

    def takes(self, mark: str) -> bool:
        if not self.body.startswith(mark, self.position):
            self.skip_space()
            if not self.body.startswith(mark, self.position):
                return False
        self.position += 1
        return True

    def skip_space(self) -> None:
        self.skip(_json_space())

    def skip(self, pattern: re.Pattern[str]) -> None:
        if self.body[self.position : self.position + 1] in " \t\n\r,;":
            found = pattern.match(self.body, self.position)
            assert found is not None  # the pattern may be empty
            self.position = found.end()

    def wrong(self, expected: str) -> ValueError:
        place, near = self.position, excerpt(self.body, self.position)
        return ValueError(f"expected {expected} at offset {place}, near {near}")


def _with_joined_surrogates(text: str) -> str:
    """Two escapes that are one character as that character, which is what JSON says."""
    try:
        text.encode()
        return text
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


@cache
def _string_decoder() -> json.JSONDecoder:
    return json.JSONDecoder()


@cache
def _json_space() -> re.Pattern[str]:
    return re.compile(r"[ \t\n\r]*")


@cache
def _json_separator() -> re.Pattern[str]:
    return re.compile(r"[ \t\n\r,;]*")


@cache
def _json_number() -> re.Pattern[str]:
    return re.compile(r"-?(?:0|[1-9][0-9]*)(?P<fraction>(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)")


@cache
def _json_word() -> re.Pattern[str]:
    return re.compile("-?[A-Za-z]+")


@cache
def _bare_key() -> re.Pattern[str]:
    # Not what would be a mistake: two keys, or a value, before one colon, or a Python string.
    return re.compile(r"(?!')[^{}\[\],:\n\r]+")


@cache
def _python_string(any_characters: bool) -> re.Pattern[str]:
    r"""In either quote; if not of any characters, control characters only behind a backslash.

    Each step of the loops begins with a backslash, so that a string which is not closed is found
    out in linear time.
    """
    plain = r"[^'\\]" if any_characters else r"[^'\\\x00-\x1f]"
    single = rf"'{plain}*(?:\\.{plain}*)*'"
    return re.compile(f"{single}|{single.replace(chr(39), chr(34))}", re.DOTALL)


@cache
def _python_escape() -> re.Pattern[str]:
    digit = "[0-9a-fA-F]"
    character = rf"x{digit}{{2}}|u{digit}{{4}}|U00(?:0{digit}|10){digit}{{4}}"
    return re.compile(rf"\\(?:({character})|([0-7]{{1,3}})|(.))", re.DOTALL)
