"""The v1 template nearest to one in the extended dialect, and what it cannot say.

Delimiters come over exactly: glue, places and other fields' openers are patterns in v1 too. What is
lost is named, with the JSON pointer of the key that v1 does not have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import regex

from compiler.frontend.content_parsers import CONTENT_PARSERS
from compiler.frontend.fields import own_pattern, template_of
from compiler.frontend.forms import is_extended
from compiler.frontend.placeholders import Placeholder, placeholder_in
from compiler.frontend.syntax import Delimiter, Field, Template

# Content parsers of v1 that read some texts in another way.
_READ_OTHERWISE = {
    "json": "NaN, Infinity and keys that an object has twice count",
    "python-call-list": "line breaks in strings, Python's escapes and long integers are not read",
}
_GROUP = regex.compile(r"\(\?P<\w+>")


@dataclass(frozen=True)
class Loss:
    """Something that the v1 template does not do."""

    pointer: str
    what: str


@dataclass(frozen=True)
class V1Export:
    """A v1 template as JSON, and what it loses."""

    spec: Mapping[str, Any]
    losses: tuple[Loss, ...]


def export_v1(spec: Mapping[str, Any]) -> V1Export:
    """The nearest v1 template of a spec without mistakes; of a v1 spec, itself."""
    if not is_extended(spec):
        return V1Export(spec, ())
    template = template_of(spec)
    losses: list[Loss] = []
    if template.special:
        losses.append(Loss("/special", "markers count wherever they are spelled, in any tokens"))
    kept = _one_form_each(template, losses)
    swallowed = list(_swallowed(template, losses))
    exported: dict[str, Any] = {"version": 1, "defaults": dict(template.defaults)}
    exported |= _delimiter("start_anchor", template.anchor)
    exported["fields"] = {
        field.name: _field(field, swallowed if field.is_implicit else [], losses) for field in kept
    }
    if swallowed and not any(field.is_implicit for field in kept):
        losses.append(Loss("", "text outside the regions is dropped, and such markers with it"))
    return V1Export(exported, tuple(losses))


def _one_form_each(template: Template, losses: list[Loss]) -> list[Field]:
    """The first form of every field: v1 knows one."""
    kept: dict[str, Field] = {}
    for field in template.fields:
        kept.setdefault(field.name, field)
    others = (field for field in template.fields if kept[field.name] is not field)
    losses += [
        Loss(field.pointer, "this form is not read: a v1 field has one form") for field in others
    ]
    return list(kept.values())


def _swallowed(template: Template, losses: list[Loss]) -> Iterator[str]:
    """Patterns that the implicit field's closer takes away: ignored markers, ends of sections."""
    if template.ignored:
        yield _pattern(template.ignored)
    for section in dict.fromkeys(field.section for field in template.fields if field.section):
        yield _pattern(section.opener)
        yield _pattern(section.closer)
        what = "the regions count outside the section too, and text between them is content"
        losses.append(Loss(section.pointer, what))


def _field(field: Field, swallowed: list[str], losses: list[Loss]) -> dict[str, Any]:
    losses += _lost_keys(field)
    exported: dict[str, Any] = {}
    if field.opener:
        exported |= _delimiter("open", field.opener)
    closer = field.closer
    if closer or swallowed or field.closes_with:
        exported |= _closing(closer, swallowed, field)
    exported |= _content(field, losses)
    for key, value, default in (
        ("repeats", field.repeats, False),
        ("join", field.join, None),
        ("optional", field.optional, True),
        ("transform_each", field.transform_each, False),
    ):
        if value != default:
            exported[key] = value
    if field.transform is not None:
        exported["transform"] = _transform(field.transform, f"{field.pointer}/transform", losses)
    return exported


def _lost_keys(field: Field) -> Iterator[Loss]:
    pointer = field.pointer
    if field.strings:
        yield Loss(f"{pointer}/strings", "a closer inside a string ends the region")
    if field.closes_with == "value":
        what = "the region ends at its closer or at the next opener, not behind its value"
        yield Loss(f"{pointer}/closes_with", what)
    if field.closes_with == "opener":
        yield Loss(f"{pointer}/closes_with", "the region needs the text after it to end")
    if field.inside:
        yield Loss(f"{pointer}/inside", "a region inside another one is not seen")
    if field.offered:
        yield Loss(f"{pointer}/offered", "calls of tools that were not offered count")
    if field.makes_calls:
        what = "calls without a name, or whose arguments are no object, count"
        yield Loss(f"{pointer}/transform", what)
    if field.content in _READ_OTHERWISE:
        yield Loss(f"{pointer}/content", _READ_OTHERWISE[field.content])
    if not field.casts:
        yield Loss(f"{pointer}/content", "text arguments take the types of the tools' schemas")
    for key, policy in (("on_incomplete", field.on_incomplete), ("on_invalid", field.on_invalid)):
        if policy not in (None, "raise"):
            yield Loss(f"{pointer}/{key}", "such a region raises, and the whole message is lost")


def _closing(closer: Delimiter | None, swallowed: list[str], field: Field) -> dict[str, Any]:
    if closer and not swallowed and not closer.yields_to and not field.closes_with:
        return _delimiter("close", closer)
    ways = [_pattern(closer)] if closer else []
    if field.closes_with == "value" and field.opener:
        ways.append(f"(?={_GROUP.sub('(?:', _pattern(field.opener))})")
    if field.closes_with == "opener":
        ways.append("(?=.)")
    return {"close_pattern": "|".join(way for way in [*ways, *swallowed] if way)}


def _content(field: Field, losses: list[Loss]) -> dict[str, Any]:
    pointer = field.pointer
    if field.other_contents:
        losses.append(Loss(f"{pointer}/content", "only the first content parser is tried"))
    parser = CONTENT_PARSERS.get(field.content)
    if parser is None:
        losses.append(
            Loss(f"{pointer}/content", f"{field.content} is text, to be parsed elsewhere")
        )
        return {}
    arguments = {key: value for key, value in field.content_args.items() if key in parser.arguments}
    losses += [
        Loss(f"{pointer}/content_args/{key}", "v1 has no such argument")
        for key in field.content_args
        if key not in parser.arguments
    ]
    if field.content_args.get("bare_keys"):
        arguments["unquoted_keys"] = True  # words only
    exported: dict[str, Any] = {"content": field.content}
    if arguments:
        exported["content_args"] = arguments
    return exported


def _transform(value: Any, pointer: str, losses: list[Loss]) -> Any:
    """The transform with the first choice of every placeholder."""
    if isinstance(value, dict):
        return {key: _transform(each, f"{pointer}/{key}", losses) for key, each in value.items()}
    if isinstance(value, list):
        return [_transform(each, f"{pointer}/{at}", losses) for at, each in enumerate(value)]
    found = placeholder_in(value, extended=True) if isinstance(value, str) else None
    if found is None or found == Placeholder(found.paths[:1]):
        return value
    first = f"{{{found.paths[0]}}}"
    losses.append(Loss(pointer, f"{first} must be there: v1 knows no other choice"))
    return first


def _delimiter(key: str, delimiter: Delimiter) -> dict[str, Any]:
    if delimiter.literals and not delimiter.yields_to:
        one = len(delimiter.literals) == 1
        return {key: delimiter.literals[0] if one else list(delimiter.literals)}
    return {f"{key}_pattern": _pattern(delimiter)}


def _pattern(delimiter: Delimiter) -> str:
    """The delimiter as one pattern, with the openers that it gives way to."""
    ahead = (f"(?={_GROUP.sub('(?:', _pattern(each))})" for each in delimiter.yields_to)
    return "|".join(way for way in (own_pattern(delimiter), *ahead) if way)
