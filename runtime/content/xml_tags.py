r"""The `xml-inline` content parser of the dialect: tags that may say what type their value has.

    <arg name="a" type="string">7</arg><arg name="b" type="number">7</arg> -> {"a": "7", "b": 7}

What finds the tags is in `xml_inline.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from runtime.transform import Scope

_MakeValue = Callable[[str], Any]
_XML_NAMED = {"amp": "&", "apos": "'", "gt": ">", "lt": "<", "quot": '"'}


def parse_tags(
    tags: Iterable[Mapping[str, str | None]],
    *,
    value: _MakeValue | None = None,
    merge_duplicates: bool = False,
    unescape: bool = False,
) -> dict[str, Any]:
    """The tags as a dict; as `parse_xml_inline`, but a `value` that took no part is "".

    `unescape`: keys are written with XML's entities.
    """
    return parse_typed_tags(
        tags, {}, value=value, merge_duplicates=merge_duplicates, unescape=unescape
    )[0]


def parse_typed_tags(
    tags: Iterable[Mapping[str, str | None]],
    types: Mapping[str, _MakeValue | None],
    *,
    value: _MakeValue | None = None,
    merge_duplicates: bool = False,
    unescape: bool = False,
) -> tuple[dict[str, Any], frozenset[str | tuple[str, int]]]:
    """The tags as a dict, and the keys whose tag said by its group `type` what type the value has.

    Where only some of the tags of a key did, `(key, 1)` stands for the second value.

    `types`: what makes the value of a type, None for the text as it is; under "*" for types that
    are not listed. `value` does so where the group took no part. `unescape`: keys and types are
    written with XML's entities. Of equal keys the last wins, or their values become a list.

    Raises ValueError for a match without a key, for a type that is not in `types`, and whatever
    makes a value raises.
    """
    found: dict[str, list[Any]] = {}
    typed: dict[str, list[bool]] = {}  # of each value
    for groups in tags:
        key, text, kind = groups.get("key"), groups.get("value") or "", groups.get("type")
        if key is None:
            raise ValueError("xml-inline: a tag was found without the group 'key'")
        if unescape:
            key, kind = unescape_xml(key), kind and unescape_xml(kind)
        make, has_type = value, False
        if types and kind is not None:
            make, has_type = _maker(types, kind), True
        if not merge_duplicates:
            found[key], typed[key] = [], []
        found.setdefault(key, []).append(text if make is None else make(text))
        typed.setdefault(key, []).append(has_type)
    entries = {key: values if len(values) > 1 else values[0] for key, values in found.items()}
    return entries, frozenset(_keys_of_typed(typed))


def _keys_of_typed(typed: Mapping[str, list[bool]]) -> Iterator[str | tuple[str, int]]:
    for key, have_type in typed.items():
        if all(have_type):
            yield key
        else:
            yield from ((key, at) for at, has_type in enumerate(have_type) if has_type)


def _maker(types: Mapping[str, _MakeValue | None], kind: str) -> _MakeValue | None:
    if kind not in types and "*" not in types:
        raise ValueError(f"xml-inline: there is no type {kind!r}")
    return types[kind] if kind in types else types["*"]


def unescape_xml(text: str) -> str:
    """The text with XML's entities and character references as characters; others stay."""
    return _xml_entity().sub(_xml_character, text) if "&" in text else text


def unescape_captures(captures: Scope) -> Scope:
    """The groups of a delimiter in which attributes are written as those of the tags are."""
    return Scope((name, unescape_xml(text)) for name, text in captures.items())


def _xml_character(entity: re.Match[str]) -> str:
    name, decimal, hexadecimal = entity.groups()
    if name:
        return _XML_NAMED[name]
    code = int(decimal) if decimal else int(hexadecimal, 16)
    return chr(code) if code <= 0x10FFFF else entity[0]


@cache
def _xml_entity() -> re.Pattern[str]:
    names = "|".join(_XML_NAMED)
    return re.compile(f"&(?:({names})|#([0-9]{{1,7}})|#x([0-9a-fA-F]{{1,6}}));")
