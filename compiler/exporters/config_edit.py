r"""Set or remove one key of a JSON object and leave every other byte of its file as it is.

    {                                  {
      "model_max_length": 8192   ->      "model_max_length": 8192,
    }                                    "response_template": {...}
                                       }

The new value is laid out as the file is: its indentation, its separators, its line ends, and ASCII
only if the file is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_SPACE = re.compile(r"[ \t\r\n]*")
_SURROGATE = re.compile("[\ud800-\udfff]")
_BOM = "\ufeff"


class ConfigError(ValueError):
    """A file that is not a JSON object, or that gives the key more than once."""


@dataclass(frozen=True)
class _Member:
    """A member of the outermost object; offsets into the text."""

    key: str
    key_start: int
    key_end: int
    start: int
    end: int


@dataclass(frozen=True)
class _Layout:
    """How the file writes an object."""

    newline: str  # "" if on one line
    indent: str
    between: str  # from a value to the next key
    colon: str


def set_member(text: str, key: str, value: object) -> str:
    """The text of a JSON object with `key` set; the same text if it has that value already.

    A new key is put at the end. Raises ConfigError.
    """
    if text.startswith(_BOM):
        return _BOM + set_member(text.removeprefix(_BOM), key, value)
    members = tuple(_members(text))
    layout = _layout(text, members)
    written = _written(value, layout, is_ascii=text.isascii())
    position = _position(members, key)
    if position is not None:
        member = members[position]
        if json.dumps(json.loads(text[member.start : member.end])) == json.dumps(value):
            return text
        return text[: member.start] + written + text[member.end :]
    new = f"{json.dumps(key)}{layout.colon}{written}"
    if members:
        end = members[-1].end
        return text[:end] + layout.between + new + text[end:]
    before, after = text.split("{")[0], text.split("}")[-1]
    return f"{before}{{{layout.newline}{layout.indent}{new}{layout.newline}}}{after}"


def remove_member(text: str, key: str) -> str:
    """The text of a JSON object without `key`; the same text if it has none.

    The comma and the space that set the member apart go with it. Raises ConfigError.
    """
    if text.startswith(_BOM):
        return _BOM + remove_member(text.removeprefix(_BOM), key)
    members = tuple(_members(text))
    position = _position(members, key)
    if position is None:
        return text
    if position + 1 < len(members):
        start, end = members[position].key_start, members[position + 1].key_start
    elif position:
        start, end = members[position - 1].end, members[position].end
    else:
        start, end = text.index("{") + 1, text.rindex("}")
    return text[:start] + text[end:]


def member_text(text: str, key: str) -> str | None:
    """The JSON text of the value of `key` in a JSON object, None if it has none.

    Raises ConfigError.
    """
    members = tuple(_members(text))
    position = _position(members, key)
    return None if position is None else text[members[position].start : members[position].end]


def _position(members: Sequence[_Member], key: str) -> int | None:
    """Which of the members has the key. Raises ConfigError if several do."""
    given = [position for position, member in enumerate(members) if member.key == key]
    if len(given) > 1:
        raise ConfigError(f'the key "{key}" is given {len(given)} times')
    return given[0] if given else None


def _members(text: str) -> Iterator[_Member]:
    _require_object(text)
    decoder = json.JSONDecoder()
    position = _after_space(text, text.index("{") + 1)
    while text[position] != "}":
        key, key_end = decoder.raw_decode(text, position)
        colon = _after_space(text, key_end)
        start = _after_space(text, colon + 1)
        _, end = decoder.raw_decode(text, start)
        yield _Member(key, position, key_end, start, end)
        position = _after_space(text, end)
        if text[position] == ",":
            position = _after_space(text, position + 1)


def _require_object(text: str) -> None:
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise ConfigError(f"not JSON: {error.msg} ({place})") from None
    except (RecursionError, ValueError) as error:
        raise ConfigError(f"not JSON that Python reads: {error}") from None
    if not isinstance(value, dict):
        raise ConfigError("not a JSON object")


def _after_space(text: str, position: int) -> int:
    space = _SPACE.match(text, position)
    assert space is not None
    return space.end()


def _layout(text: str, members: Sequence[_Member]) -> _Layout:
    if not members:
        return _Layout("\r\n" if "\r\n" in text else "\n", "  ", "", ": ")
    first = members[0]
    before = text[text.index("{") + 1 : first.key_start]
    colon = text[first.key_end : first.start]
    if "\n" in before:
        newline = "\r\n" if "\r\n" in before else "\n"
        indent = before.rpartition("\n")[2]
        return _Layout(newline, indent, f",{newline}{indent}", colon)
    if len(members) > 1:
        return _Layout("", "", text[first.end : members[1].key_start], colon)
    return _Layout("", "", "," if colon == ":" else ", ", colon)


def _written(value: object, layout: _Layout, is_ascii: bool) -> str:
    text = json.dumps(
        value,
        indent=layout.indent if layout.newline else None,
        separators=("," if layout.newline else layout.between, layout.colon),
        ensure_ascii=is_ascii,
    )
    if layout.newline:  # JSON strings hold no line breaks
        text = text.replace("\n", f"{layout.newline}{layout.indent}")
    return _SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", text)
