"""Rules RT1xx: the template and its fields have the right keys, of the right kinds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from compiler.diagnostics import Finding
from compiler.frontend.checks.content import check_content
from compiler.frontend.checks.delimiters import check_delimiter, check_start_anchor
from compiler.frontend.checks.dialect import check_dialect, check_field_dialect, check_form
from compiler.frontend.checks.together import check_together
from compiler.frontend.checks.transform import check_transform
from compiler.frontend.checks.values import check_flag, unknown_keys
from compiler.frontend.content_parsers import CONTENT_PARSERS
from compiler.frontend.forms import FormSpec, form_specs, is_extended
from compiler.frontend.json_positions import child_pointer
from compiler.frontend.known_keys import (
    DIALECT,
    DIALECT_FIELD_KEYS,
    DIALECT_TEMPLATE_KEYS,
    FIELD_KEYS,
    TEMPLATE_KEYS,
)
from compiler.frontend.wording import kind_of

_IN_THE_DIALECT = f'in a template with "dialect": "{DIALECT}"'
_IN_A_FIELD = {
    **dict.fromkeys(DIALECT_FIELD_KEYS, "in a field"),
    **dict.fromkeys(FIELD_KEYS, "in a field"),
}
_OUTSIDE_A_FIELD = {
    **{key: 'in "content_args"' for row in CONTENT_PARSERS.values() for key in row.arguments},
    **dict.fromkeys(TEMPLATE_KEYS, "at the top level"),
}


def check_template(spec: object) -> Iterator[Finding]:
    """Every broken rule of v1, or of the dialect, in a template made of plain JSON values."""
    if not isinstance(spec, dict):
        yield _not_a_template(spec)
        return
    yield from _check_version(spec)
    known: tuple[str, ...] = TEMPLATE_KEYS
    elsewhere = {
        **dict.fromkeys(DIALECT_TEMPLATE_KEYS, _IN_THE_DIALECT),
        **_IN_A_FIELD,
    }
    if "dialect" in spec:
        known = (*known, *DIALECT_TEMPLATE_KEYS)
        yield from check_dialect(spec)
    yield from unknown_keys(spec, known, "", "RT103", "unknown key {}", elsewhere)
    if not isinstance(spec.get("defaults", {}), dict):
        message = f'"defaults" is an object, not {kind_of(spec["defaults"])}'
        yield Finding("RT104", "/defaults", message)
    yield from check_start_anchor(spec)
    yield from _check_fields(spec)
    yield from check_together(spec)


def _check_fields(spec: Mapping[str, object]) -> Iterator[Finding]:
    if "fields" not in spec:
        yield Finding("RT105", "", '"fields" is missing')
        return
    fields = spec["fields"]
    if not isinstance(fields, dict):
        yield Finding("RT105", "/fields", f'"fields" is an object, not {kind_of(fields)}')
        return
    if not fields:
        yield Finding("RT105", "/fields", '"fields" has no field')
    for name, field in fields.items():
        pointer = child_pointer("/fields", name)
        if isinstance(field, dict):
            yield from _check_field(field, pointer, "dialect" in spec)
        else:
            yield Finding("RT106", pointer, f"a field is an object, not {kind_of(field)}")
    # What a field's forms share is checked with each of them, and reported once.
    yield from dict.fromkeys(
        form.located(finding)
        for form in form_specs(spec)
        for finding in _check_form(form, is_extended(spec))
    )


def _check_field(field: Mapping[str, object], pointer: str, extended: bool) -> Iterator[Finding]:
    """The keys of a field, and what is said once for all its forms."""
    known: tuple[str, ...] = FIELD_KEYS
    elsewhere = {
        **dict.fromkeys(DIALECT_FIELD_KEYS, _IN_THE_DIALECT),
        **_OUTSIDE_A_FIELD,
    }
    if extended:
        known = (*known, *DIALECT_FIELD_KEYS)
        yield from check_field_dialect(field, pointer)
    yield from unknown_keys(field, known, pointer, "RT107", "unknown field key {}", elsewhere)
    yield from check_flag(field, "repeats", pointer)
    yield from check_flag(field, "optional", pointer)
    yield from _check_join(field, pointer)


def _check_form(form: FormSpec, extended: bool) -> Iterator[Finding]:
    """The delimiters, the content and the transform of one form."""
    yield from check_delimiter(form.spec, "open", form.pointer)
    yield from check_delimiter(form.spec, "close", form.pointer)
    yield from check_content(form.spec, "content", "content_args", form.pointer, extended)
    yield from check_transform(form.spec, form.pointer, extended)
    if extended:
        yield from check_form(form.spec, form.pointer)


def _check_version(spec: Mapping[str, object]) -> Iterator[Finding]:
    version = spec.get("version", 1)
    if version != 1:
        shown = json.dumps(version, ensure_ascii=False)
        shown = shown if len(shown) <= 20 else kind_of(version)
        yield Finding("RT102", "/version", f"version {shown} is not known; there is version 1")
    elif type(version) is not int:  # true and 1.0 equal 1 in Python
        message = f'"version" should be the number 1; {json.dumps(version)} here counts as 1'
        yield Finding("RT902", "/version", message)


def _check_join(field: Mapping[str, object], pointer: str) -> Iterator[Finding]:
    join, place = field.get("join"), child_pointer(pointer, "join")
    if join is None:
        return
    if not isinstance(join, str):
        yield Finding("RT109", place, f'"join" is a string, not {kind_of(join)}')
    if not field.get("repeats", False):
        message = '"join" needs "repeats": true'
        yield Finding("RT110", place, message, on_key=True)


def _not_a_template(spec: object) -> Finding:
    if isinstance(spec, str) and _holds_json(spec):
        message = "the template is a string that holds JSON"
        return Finding("RT004", "", message, "write the object itself, without quotes and escapes")
    return Finding("RT101", "", f"a template is an object, not {kind_of(spec)}")


def _holds_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False
