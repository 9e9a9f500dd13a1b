"""Where regions begin and end, in patterns of v1.

v1 knows neither sections nor values that end by themselves. What is nearest depends on the openers:

markers       <calls><call>{}</call></calls>    each region as it is; what is around it is dropped
no openers    <calls>[{}, {}]</calls>           a section is one region, and its text one list
              <calls>{} {}</calls>              or a region begins behind the section's opener or a
                                                closing bracket, and ends before the next one
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import regex

from compiler.delimiters.trees import tree_of
from compiler.delimiters.widths import width
from compiler.exporters.v1_patterns import before, either, in_a_row, unnamed
from compiler.frontend.fields import own_pattern
from compiler.frontend.syntax import Delimiter, Field, Section

Shape = Literal["plain", "list", "items"]

_LAST_BRACKET = regex.compile(r"\\\[(\)*)$")


@dataclass(frozen=True)
class Region:
    """A field, and what its regions are in v1: a section's list, its items, or as they were."""

    field: Field
    shape: Shape = "plain"
    keeps_optional: bool = False  # what a transform leaves out where it is not there must be there

    @property
    def is_marked(self) -> bool:
        """Whether the regions have markers of their own in a section."""
        return self.field.section is not None and self.shape == "plain"


def shapes(field: Field) -> tuple[Shape, ...]:
    """The shapes that the field's regions can take; the usual one first."""
    if field.section is None or field.opener is None:
        return ("plain",)
    least, most = width(tree_of(field.opener))
    if most == 0 and field.closes_with == "value":
        return ("list", "items")
    return ("items",) if least == 0 else ("plain",)


def delimiter(key: str, of: Delimiter) -> dict[str, Any]:
    """The key that says a delimiter."""
    if of.literals and not of.yields_to:
        return {key: of.literals[0] if len(of.literals) == 1 else list(of.literals)}
    return {f"{key}_pattern": pattern(of)}


def pattern(of: Delimiter) -> str:
    """The delimiter as one pattern, with the openers that it gives way to."""
    return either(own_pattern(of), *(before(pattern(each)) for each in of.yields_to))


def opening(region: Region) -> dict[str, Any]:
    """The keys that say where the regions begin."""
    field = region.field
    if field.opener is None:
        return {}
    if field.section is None or region.shape == "plain":
        return delimiter("open", field.opener)
    section = unnamed(pattern(field.section.opener))
    if region.shape == "list":
        section = _LAST_BRACKET.sub(r"\1", section)
        return {"open_pattern": rf"(?:{section})\s*(?=\[)"}
    if field.closes_with == "value":
        section = either(section, _behind_value(field))
    space = r"\s*" if "list" in shapes(field) else ""
    return {"open_pattern": in_a_row(section, space, pattern(field.opener))}


def closing(region: Region, swallowed: tuple[str, ...]) -> dict[str, Any]:
    """The keys that say where the regions end; what is swallowed ends the implicit field's."""
    field, section = region.field, region.field.section
    closer = field.closer
    if closer and not (swallowed or section or field.closes_with or field.stop):
        return delimiter("close", closer)
    ends = [pattern(each) for each in (closer, field.stop) if each]
    end = either(*ends)
    if section and region.shape != "plain":
        end = _with_section(end, section)
    if field.closes_with == "value":
        end = _value_end(field, region.shape, end)
    if field.closes_with == "opener":
        end = either(end, "(?=.)")
    if end and region.is_marked:
        end = _with_text_behind(end, field)
    ways = either(end, *swallowed)
    return {"close_pattern": ways} if ways else {}


def section_marker(region: Region) -> str:
    """What opens the section around regions that have markers of their own; "" for others."""
    section = region.field.section
    if section is None or not region.is_marked:
        return ""
    return _with_text_behind(unnamed(pattern(section.opener)), region.field)


def _with_text_behind(marker: str, field: Field) -> str:
    """The marker with all up to the next region, or with the end of the section."""
    assert field.opener and field.section
    end = either(before(pattern(field.opener)), unnamed(pattern(field.section.closer)))
    return f"{in_a_row(marker, f'.*?(?:{end})')}?"


def _with_section(end: str, section: Section) -> str:
    closer = unnamed(pattern(section.closer))
    return f"{in_a_row(end, closer)}?" if end else closer


def _value_end(field: Field, shape: Shape, end: str) -> str:
    """The closer with what is between the last bracket and it; and where other regions begin."""
    assert field.opener
    other = r"[^()\[\]{}]" if _is_python(field) else r"[^\[\]{}]"
    ways = [f"(?:{_behind_value(field)}{other}*?)?(?:{end})" if end else ""]
    opener = pattern(field.opener)
    if shape == "items":
        space = r"\s*" if "list" in shapes(field) else ""
        ways.append(_behind_value(field) + before(f"{space}(?:{opener})"))
    elif shape == "plain" and width(tree_of(field.opener))[0]:
        ways.append(before(opener))
    return either(*ways)


def _behind_value(field: Field) -> str:
    return r"(?<=[\])}])" if _is_python(field) else r"(?<=[\]}])"


def _is_python(field: Field) -> bool:
    return field.strings is not None and field.strings.grammar == "python"
