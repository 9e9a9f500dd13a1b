"""Rules about more than one part: fields against each other, against the defaults, and a field's
keys whose values cannot work together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from compiler.diagnostics import Finding
from compiler.frontend.checks.hidden import check_hidden
from compiler.frontend.checks.transform import value_kind
from compiler.frontend.forms import FormSpec, form_specs, is_implicit
from compiler.frontend.json_positions import child_pointer
from compiler.frontend.wording import kind_of, listed

_Fields = Mapping[str, Mapping[str, object]]


def check_together(spec: Mapping[str, object]) -> Iterator[Finding]:
    """At most one implicit field; then what loads but must fail or can never happen."""
    raw = spec.get("fields")
    if not isinstance(raw, dict):
        return
    fields = {name: field for name, field in raw.items() if isinstance(field, dict)}
    forms = tuple(form_specs(spec))
    yield from _check_implicit(forms)
    yield from check_hidden(spec)
    for form in forms:
        yield from map(form.located, _check_joined_values(form.spec, form.pointer))
    defaults = spec.get("defaults", {})
    if isinstance(defaults, dict):
        yield from _check_defaults(fields, defaults)


def _check_implicit(forms: Sequence[FormSpec]) -> Iterator[Finding]:
    implicit = [form for form in forms if is_implicit(form.spec)]
    for form in implicit[1:]:
        names = listed(form.name for form in implicit)
        message = f"at most one field may have no opener; here are {names}"
        hint = 'give all but one an "open" or "open_pattern"'
        yield Finding("RT108", form.pointer, message, hint, on_key=True)


def _check_joined_values(field: Mapping[str, object], pointer: str) -> Iterator[Finding]:
    kind = value_kind(field)
    if isinstance(field.get("join"), str) and kind not in ("string", "any"):
        message = f'"join" needs string values; the values of this field are never strings ({kind})'
        yield Finding("RT908", child_pointer(pointer, "join"), message, on_key=True)


def _check_defaults(fields: _Fields, defaults: Mapping[str, object]) -> Iterator[Finding]:
    """The first region is appended to the default, so the default must be of that kind."""
    for name, default in defaults.items():
        field = fields.get(name, {})
        if isinstance(field.get("join"), str):
            fits, needed = default is None or isinstance(default, str), '"join": a string'
        elif field.get("repeats", False):
            fits, needed = isinstance(default, list), '"repeats": an array'
        else:
            continue  # a region replaces the default
        if not fits:
            message = f"the default of a field with {needed}, not {kind_of(default)}"
            yield Finding("RT905", child_pointer("/defaults", name), message)
