"""What a field makes of its text, in the words of v1, and what is lost of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from compiler.exporters.v1_regions import Region
from compiler.frontend.content_parsers import CONTENT_PARSERS
from compiler.frontend.fields import TYPED_ALREADY
from compiler.frontend.placeholders import Placeholder, placeholder_in
from compiler.frontend.syntax import Field

_LOST_ARGUMENTS = {
    "python_literals": "True, None and strings in single quotes are not read",
    "bare_keys": "keys without quotes are single words",
    "many": "only one value in a region is read",
    "entries": "there is no transform: the items are as the model writes them",
    "types": "the tag says no type: values are text, or what the tools' schemas say",
    "unescape": "entities stay as they are",
    "outside_pattern": "any text may stand outside of tags",
    "brackets": "calls without [] are not read: the value is their text",
    "separator": "calls without commas between them are not read: the value is their text",
    "methods": "the name of the method stays",
}
# Content parsers of v1 that read some texts in another way.
_READ_OTHERWISE = {
    "json": "NaN, Infinity and keys that an object has twice count",
    "python-call-list": "line breaks in strings, Python's escapes and long integers are not read",
    "xml-inline": "text outside of tags is dropped",
}
_UNREADABLE = ("brackets", "separator")  # without them, nothing can be read


@dataclass(frozen=True)
class Loss:
    """Something that the v1 template does not do."""

    pointer: str
    what: str


class Value:
    """The keys of a field that make its value; `losses` is told what they lose."""

    def __init__(self, region: Region, losses: list[Loss]) -> None:
        self._field = region.field
        self._is_list = region.shape == "list"
        self._keeps_optional = region.keeps_optional
        self._losses = losses

    def keys(self) -> dict[str, Any]:
        """The keys, in the order of the documentation."""
        field = self._field
        content = self._content()
        is_read = content.get("content") == field.content
        transform = None
        if field.transform is not None and (is_read or not field.transform_each):
            transform = self._transform()
        each = transform is not None and (field.transform_each or self._is_list)
        keys = dict(content)
        if field.repeats and not (each or self._is_list):
            keys["repeats"] = True
        elif field.repeats:
            what = "of several regions the last one counts, not the items of all"
            self._lose(f"{field.pointer}/repeats", what)
        if field.join is not None and "repeats" in keys:
            keys["join"] = field.join
        if not field.optional:
            keys["optional"] = False
        if each:
            keys["transform_each"] = True
        if transform is not None:
            keys["transform"] = transform
        return keys

    def _lose(self, pointer: str, what: str) -> None:
        self._losses.append(Loss(pointer, what))

    def _content(self) -> dict[str, Any]:
        field, pointer = self._field, self._field.pointer
        if field.other_contents:
            self._lose(f"{pointer}/content", "only the first content parser is tried")
        given = dict(field.content_args)
        if self._is_list:
            given.pop("brackets", None)  # they are there
        if field.content not in CONTENT_PARSERS:
            self._lose(f"{pointer}/content", f"{field.content} is text, to be parsed elsewhere")
            return {}
        arguments = self._arguments(field.content, given, f"{pointer}/content_args")
        if any(given.get(key) not in (None, True, "comma") for key in _UNREADABLE):
            return {}
        content: dict[str, Any] = {"content": field.content}
        if arguments:
            content["content_args"] = arguments
        return content

    def _arguments(self, name: str, given: Mapping[str, Any], pointer: str) -> dict[str, Any]:
        """The arguments of a content parser that it has in v1."""
        known = CONTENT_PARSERS[name].arguments
        arguments: dict[str, Any] = {}
        for key, value in given.items():
            if key not in known:
                self._lose(f"{pointer}/{key}", _LOST_ARGUMENTS[key])
            elif key == "value_parser" and isinstance(value, dict):
                arguments |= self._value_parser(value, f"{pointer}/{key}")
            else:
                arguments[key] = value
        if given.get("bare_keys"):
            arguments["unquoted_keys"] = True
        return arguments

    def _value_parser(self, parser: Mapping[str, Any], pointer: str) -> dict[str, Any]:
        name = parser["name"]
        if name not in CONTENT_PARSERS:
            self._lose(pointer, f"{name} is text, to be parsed elsewhere")
            return {}
        arguments = self._arguments(name, parser.get("args", {}), f"{pointer}/args")
        return {"value_parser": {"name": name, **({"args": arguments} if arguments else {})}}

    def _transform(self) -> Any:
        """The transform with the first choice of every placeholder; None if it needs another."""
        field = self._field
        if field.content_args.get("entries"):
            return None
        pointer = f"{field.pointer}/transform"
        if not self._is_list or field.transform_each:
            return self._first_choices(field.transform, pointer)
        if all(path.startswith("content.") for path in _paths(field.transform)):
            return _of_items(self._first_choices(field.transform, pointer))
        if field.transform != "{content}":
            self._lose(pointer, "is left out: it is not for the items of a list")
        return None

    def _first_choices(self, value: Any, pointer: str) -> Any:
        if isinstance(value, dict):
            kept = {key: each for key, each in value.items() if not self._goes(each, pointer, key)}
            return {k: self._first_choices(each, f"{pointer}/{k}") for k, each in kept.items()}
        if isinstance(value, list):
            items = [each for at, each in enumerate(value) if not self._goes(each, pointer, at)]
            return [self._first_choices(each, f"{pointer}/{at}") for at, each in enumerate(items)]
        found = placeholder_in(value, extended=True) if isinstance(value, str) else None
        if found is None or found == Placeholder(found.paths[:1]):
            return value
        first = f"{{{found.paths[0]}}}"
        self._lose(pointer, f"{first} must be there: v1 knows no other choice")
        return first

    def _goes(self, value: Any, pointer: str, at: str | int) -> bool:
        """Whether it is left out: v1 raises where an optional placeholder has no value."""
        if self._keeps_optional or not _is_optional(value):
            return False
        self._lose(f"{pointer}/{at}", f"{value} is left out, also where it is there")
        return True


def lost_keys(field: Field) -> Iterator[Loss]:
    """What is lost with the keys that v1 does not have."""
    pointer = field.pointer
    if field.strings:
        yield Loss(f"{pointer}/strings", "a closer inside a string ends the region")
    if field.closes_with == "value":
        what = "the region ends at its closer or the next opener; text behind its value is dropped"
        yield Loss(f"{pointer}/closes_with", what)
    if field.closes_with == "opener":
        yield Loss(f"{pointer}/closes_with", "the region needs the text after it to end")
    if field.stop:
        yield Loss(field.stop.pointer, "it closes the region, which counts as a whole one")
    if field.inside:
        yield Loss(f"{pointer}/inside", "a region inside another one is not seen")
    if field.offered:
        yield Loss(f"{pointer}/offered", "calls of tools that were not offered count")
    if not field.casts:
        yield Loss(f"{pointer}/content", "text arguments take the types of the tools' schemas")
    if field.casts and field.content in ("xml-inline", "kv-lines"):
        yield Loss(f"{pointer}/content", "objects and lists are JSON, not Python, to be cast")
    if field.content in _READ_OTHERWISE:
        yield Loss(f"{pointer}/content", _READ_OTHERWISE[field.content])
    if field.makes_calls:
        what = "calls without a name, or whose arguments are no object, count"
        yield Loss(f"{pointer}/transform", what)
    raised = "such a region raises, and the whole message is lost"
    if field.on_incomplete not in (None, "raise"):
        is_typed = field.content in TYPED_ALREADY
        what = raised if is_typed else "such a region counts as a whole one, or raises"
        yield Loss(f"{pointer}/on_incomplete", what)
    if field.on_invalid not in (None, "raise"):
        yield Loss(f"{pointer}/on_invalid", raised)


def has_optional(transform: Any) -> bool:
    """Whether there are parts of a transform that it leaves out where they are not there."""
    if isinstance(transform, dict | list):
        parts = transform.values() if isinstance(transform, dict) else transform
        return any(_is_optional(part) or has_optional(part) for part in parts)
    return False


def _is_optional(value: Any) -> bool:
    found = placeholder_in(value, extended=True) if isinstance(value, str) else None
    return found is not None and found.optional


def _paths(value: Any) -> Iterator[str]:
    """The paths of all placeholders, of each the first one."""
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _paths(each)
    elif isinstance(value, str) and (found := placeholder_in(value, extended=True)):
        yield found.paths[0]


def _of_items(value: Any) -> Any:
    """The transform of an item: `{content.name}` is its `{name}`."""
    if isinstance(value, dict):
        return {key: _of_items(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_of_items(each) for each in value]
    is_placeholder = isinstance(value, str) and placeholder_in(value, extended=False)
    return value.replace("{content.", "{") if is_placeholder else value
