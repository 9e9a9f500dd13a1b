"""From the checked keys of a template to its frozen fields.

What the dialect says about the white space around a delimiter (`glue`) and its place (`at`) becomes
part of the delimiter's pattern here; so no later stage knows these keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import regex

from compiler.delimiters.nodes import Alternation
from compiler.delimiters.pattern import parse_pattern
from compiler.frontend.forms import FormSpec, form_specs, is_extended
from compiler.frontend.json_positions import child_pointer
from compiler.frontend.places import opens_behind
from compiler.frontend.syntax import Content, Delimiter, Field, Section, Strings, Template

TYPED_ALREADY = ("json", "python-call-list")  # the text itself says what type a value has


def template_of(spec: Mapping[str, Any]) -> Template:
    """The template of a spec without mistakes."""
    anchor = delimiter_of(spec, "start_anchor", "")
    assert anchor is not None  # RT206
    extended = is_extended(spec)
    forms = tuple(form_specs(spec))
    fields = tuple(_field(form, extended, forms) for form in forms)
    ignored = delimiter_of(spec, "ignore", "") if extended else None
    special = tuple(spec.get("special", ())) if extended else ()
    return Template(fields, spec.get("defaults", {}), anchor, extended, ignored, special)


def _field(form: FormSpec, extended: bool, forms: tuple[FormSpec, ...]) -> Field:
    spec, pointer = form.spec, form.pointer
    first, *others = _contents(spec)
    # In the dialect plain text is kept as it is, and all of it.
    joins = extended and first.name == "text" and not others and spec.get("transform") is None
    text_args = {"strip": False, **first.args} if joins else first.args
    plain = Field(
        name=form.name,
        opener=delimiter_of(spec, "open", pointer),
        closer=delimiter_of(spec, "close", pointer),
        content=first.name,
        content_args=text_args,
        repeats=bool(spec.get("repeats", joins)),
        join=spec.get("join", "" if joins and "repeats" not in spec else None),
        optional=bool(spec.get("optional", True)),
        transform=spec.get("transform"),
        transform_each=spec.get("transform_each", False),
        pointer=pointer,
    )
    return _in_the_dialect(plain, form, tuple(others), forms) if extended else plain


def _in_the_dialect(
    field: Field,
    form: FormSpec,
    others: tuple[Content, ...],
    forms: tuple[FormSpec, ...],
) -> Field:
    spec = form.spec
    glue = spec.get("glue", {})
    start = "^" if spec.get("at") == "start" else ""
    typed = all(content.name in TYPED_ALREADY for content in (_content_of(field), *others))
    return replace(
        field,
        opener=field.opener and _glued(field.opener, glue.get("open", ("", "")), start),
        closer=closer_of(form, forms),
        other_contents=others,
        section=section_of(form),
        strings=strings_of(form),
        closes_with=spec.get("closes_with"),
        stop=_ahead(delimiter_of(spec, "stop", form.pointer)),
        inside=tuple(spec.get("inside", ())),
        offered=spec.get("offered", False),
        casts=spec.get("cast", not typed),
        on_incomplete=spec.get("on_incomplete"),
        on_invalid=spec.get("on_invalid"),
        extended=True,
    )


def _content_of(field: Field) -> Content:
    return Content(field.content, field.content_args)


def _contents(spec: Mapping[str, Any]) -> Iterator[Content]:
    """The content parsers in the order in which they are tried."""
    written = spec.get("content", "text")
    arguments = spec.get("content_args", {})
    for content in written if isinstance(written, list) else (written,):
        if isinstance(content, str):
            yield Content(content, arguments if isinstance(arguments, dict) else {})  # RT902
        else:
            yield Content(content["name"], content.get("args", {}))


def closer_of(form: FormSpec, forms: tuple[FormSpec, ...]) -> Delimiter | None:
    """The closer with its glue, and with the openers that end a region as well."""
    closer = delimiter_of(form.spec, "close", form.pointer)
    closer = closer and _glued(closer, form.spec.get("glue", {}).get("close", ("", "")))
    if yields_to := tuple(dict.fromkeys(_openers_behind(form, forms))):
        closer = closer or Delimiter((), None, child_pointer(form.pointer, "closes_on"))
        closer = replace(closer, yields_to=yields_to)
    return closer


def section_of(form: FormSpec) -> Section | None:
    """The section around the field's regions, if there is one."""
    spec, pointer = form.spec.get("section"), child_pointer(form.field_pointer, "section")
    if spec is None:
        return None
    opener, closer = delimiter_of(spec, "open", pointer), delimiter_of(spec, "close", pointer)
    assert opener is not None and closer is not None  # RT503
    glue = spec.get("glue", {})
    return Section(
        _glued(opener, glue.get("open", ("", ""))),
        _glued(closer, glue.get("close", ("", ""))),
        pointer,
        spec.get("outside_pattern"),
        form.field.get("on_incomplete"),
        form.field.get("on_invalid"),
    )


def strings_of(form: FormSpec) -> Strings | None:
    """The strings in the form's regions, if it has any."""
    written = form.spec.get("strings")
    if written is None:
        return None
    if isinstance(written, str):
        return Strings("json" if written == "json" else "python")
    return Strings(None, tuple((opener, closer) for opener, closer in written))


def _openers_behind(form: FormSpec, forms: tuple[FormSpec, ...]) -> Iterator[Delimiter]:
    """The openers by which other regions end one of this form."""
    for name in form.spec.get("closes_on", ()):
        for other in forms:
            if other.name == name and opens_behind(other, form, forms):
                opener = _opener_seen(other, in_section="section" in form.spec)
                if opener:
                    yield opener


def _opener_seen(form: FormSpec, in_section: bool) -> Delimiter | None:
    """What begins a region of the form: outside of its section, that of the section."""
    spec, pointer = form.spec, form.pointer
    if "section" in spec and not in_section:
        spec, pointer = spec["section"], child_pointer(form.field_pointer, "section")
    opener = delimiter_of(spec, "open", pointer)
    return opener and _glued(opener, spec.get("glue", {}).get("open", ("", "")))


def _glued(delimiter: Delimiter, glue: tuple[str, str], start: str = "") -> Delimiter:
    """The delimiter with the white space before and after it, and what it starts with."""
    before, after = map(_in_a_row, glue)
    if start and not before:
        before = r"\s*"
    if not (start or before or after):
        return delimiter
    pattern = f"{start}{before}(?:{own_pattern(delimiter)}){after}"
    return Delimiter(None, pattern, delimiter.pointer)


def _ahead(delimiter: Delimiter | None) -> Delimiter | None:
    """The place before a delimiter, as a delimiter."""
    if delimiter is None:
        return None
    return Delimiter(None, f"(?={own_pattern(delimiter)})", delimiter.pointer)


def _in_a_row(glue: str) -> str:
    """The glue as it can stand beside other patterns: its own alternatives in a group."""
    has_ways = bool(glue) and isinstance(parse_pattern(glue), Alternation)
    return f"(?:{glue})" if has_ways else glue


def own_pattern(delimiter: Delimiter) -> str:
    """The delimiter as a pattern, without what it yields to; of literals, the longest first."""
    if delimiter.pattern is not None:
        return delimiter.pattern
    assert delimiter.literals is not None
    return "|".join(map(_escaped, sorted(delimiter.literals, key=len, reverse=True)))


def _escaped(literal: str) -> str:
    escaped: str = regex.escape(literal, special_only=True, literal_spaces=True)
    return escaped


def delimiter_of(spec: Mapping[str, Any], literal_key: str, pointer: str) -> Delimiter | None:
    """The delimiter under the key or its pattern key, without glue."""
    pattern_key = f"{literal_key}_pattern"
    if literal_key in spec:
        raw = spec[literal_key]
        literals = tuple(dict.fromkeys([raw] if isinstance(raw, str) else raw))  # each once
        return Delimiter(literals, None, child_pointer(pointer, literal_key))
    if pattern_key in spec:
        return Delimiter(None, spec[pattern_key], child_pointer(pointer, pattern_key))
    return None
