"""The v1 template nearest to one in the extended dialect, and what it cannot say.

Glue, places and other fields' openers are patterns in v1 too. What is lost is named, with the JSON
pointer of the key that v1 does not have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from compiler.exporters.v1_patterns import unnamed
from compiler.exporters.v1_regions import (
    Region,
    closing,
    delimiter,
    opening,
    pattern,
    section_marker,
    shapes,
)
from compiler.exporters.v1_values import Loss, Value, has_optional, lost_keys
from compiler.frontend.fields import template_of
from compiler.frontend.forms import is_extended
from compiler.frontend.syntax import Field, Template
from compiler.memory import compile_template


@dataclass(frozen=True)
class V1Export:
    """A v1 template as JSON, and what it loses."""

    spec: Mapping[str, Any]
    losses: tuple[Loss, ...]


def export_v1(spec: Mapping[str, Any], example: str = "") -> V1Export:
    """The nearest v1 template of a spec without mistakes; of a v1 spec, itself.

    v1 knows one form of a field, and no sections. Of several forms, and ways to read a section, the
    one is taken that reads the example, a reply, as the spec does, or finds the same fields in it;
    without an example the first.
    """
    if not is_extended(spec):
        return V1Export(spec, ())
    template = template_of(spec)
    exports = [_export(template, regions) for regions in _choices(template)]
    message = _message(example, spec) if example and len(exports) > 1 else None
    if message is None:
        return exports[0]

    def alike(export: V1Export) -> int:
        read = _message(example, export.spec)
        return 0 if read is None else (read.keys() == message.keys()) + (read == message)

    return max(exports, key=alike)  # the first of the best


def _choices(template: Template) -> Iterator[tuple[Region, ...]]:
    """Every choice of a form and a shape for each field; the usual ones first."""
    regions: dict[str, list[Region]] = {}
    for field in template.fields:
        keeping = (False, True) if has_optional(field.transform) else (False,)
        choices = (Region(field, *choice) for choice in product(shapes(field), keeping))
        regions.setdefault(field.name, []).extend(choices)
    yield from product(*regions.values())


def _message(reply: str, spec: Mapping[str, Any]) -> dict[str, Any] | None:
    """The message of a reply; None if it cannot be read."""
    try:
        return compile_template(spec).parse(reply, prefix="", finish_reason="stop")
    except ValueError:
        return None


def _export(template: Template, regions: Sequence[Region]) -> V1Export:
    losses: list[Loss] = []
    if template.special:
        losses.append(Loss("/special", "markers count wherever they are spelled, in any tokens"))
    kept = [region.field for region in regions]
    losses += [
        Loss(field.pointer, "this form is not read: a v1 field has one form")
        for field in template.fields
        if field not in kept
    ]
    losses += filter(None, map(_lost_section, regions))
    ignored = unnamed(pattern(template.ignored)) if template.ignored else ""
    swallowed = tuple(filter(None, [ignored, *map(section_marker, regions)]))
    implicit = template.implicit
    if template.ignored and not implicit:
        losses.append(Loss(template.ignored.pointer, "what opens a region in such text does so"))
    if swallowed and implicit and not _is_joined(implicit):
        what = "what is ignored, or is around a section, cuts its text into several values"
        losses.append(Loss(implicit.pointer, what))
    exported: dict[str, Any] = {"version": 1, "defaults": dict(template.defaults)}
    exported |= delimiter("start_anchor", template.anchor)
    exported["fields"] = {
        region.field.name: _field(region, swallowed if region.field.is_implicit else (), losses)
        for region in regions
    }
    return V1Export(exported, tuple(losses))


def _lost_section(region: Region) -> Loss | None:
    section = region.field.section
    if section is None:
        return None
    what = {
        "plain": "its regions count outside it too, and drop the text up to its end",
        "list": "it is one region, whose text is a list, [...]; without one it is text",
        "items": "its regions also begin behind brackets outside it",
    }
    return Loss(section.pointer, what[region.shape])


def _is_joined(field: Field) -> bool:
    """Whether the pieces of the field's text are one text."""
    return field.content == "text" and field.join == "" and not field.content_args.get("strip")


def _field(region: Region, swallowed: tuple[str, ...], losses: list[Loss]) -> dict[str, Any]:
    losses += lost_keys(region.field)
    value = Value(region, losses).keys()
    delimiters = opening(region) | closing(region, swallowed)
    if "transform" not in value:  # names are for it
        for key in delimiters.keys() & {"open_pattern", "close_pattern"}:
            delimiters[key] = unnamed(delimiters[key])
    return delimiters | value
