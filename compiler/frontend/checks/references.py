"""Rule RT506: the fields that a field refers to can play their part."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from compiler.diagnostics import Finding
from compiler.frontend.forms import FormSpec, Spec, form_specs, is_implicit
from compiler.frontend.json_positions import child_pointer
from compiler.frontend.places import names_in, of_field, opens_behind, opens_within, stands_in
from compiler.frontend.wording import did_you_mean, kind_of, listed, quoted


def check_references(spec: Spec) -> Iterator[Finding]:
    """`closes_on` and `inside` name fields that can play that part."""
    forms = list(form_specs(spec))
    opened = dict.fromkeys(form.name for form in forms if not is_implicit(form.spec))
    enclosing = dict.fromkeys(form.name for form in forms if _can_enclose(form.spec))
    for form in forms:
        pointer = form.pointer if form.own is not form.spec else form.field_pointer
        others = [name for name in enclosing if name != form.name]
        found = [
            *_check_names(form.spec, "closes_on", pointer, opened, "a field with an opener"),
            *_check_names(
                form.spec, "inside", pointer, others, "another text field with opener and closer"
            ),
        ]
        found += _check_closing(form, pointer, forms, opened)
        yield from dict.fromkeys(map(form.located, found))


def _check_names(
    form: Spec, key: str, pointer: str, known: Collection[str], what: str
) -> Iterator[Finding]:
    if key not in form:
        return
    names, place = form[key], child_pointer(pointer, key)
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        message = f"{quoted(key)} is an array of names of fields, not {kind_of(names)}"
        yield Finding("RT506", place, message)
        return
    for index, name in enumerate(names):
        if name not in known:
            message = f"{quoted(name)} is not {what}; there is {listed(known) or 'none'}"
            where = child_pointer(place, index)
            yield Finding("RT506", where, message, did_you_mean(name, known))


def _check_closing(
    form: FormSpec, pointer: str, forms: Sequence[FormSpec], opened: Collection[str]
) -> Iterator[Finding]:
    """A field that ends a region by beginning can open there, whatever the region stands in."""
    names = form.spec.get("closes_on", ())
    for index, name in enumerate(names if isinstance(names, list) else ()):
        if isinstance(name, str) and name in opened:
            place = child_pointer(child_pointer(pointer, "closes_on"), index)
            yield from (
                Finding("RT506", place, message, hint)
                for message, hint in _unopened(form, name, forms)
            )


def _unopened(
    form: FormSpec, name: str, forms: Sequence[FormSpec]
) -> Iterator[tuple[str, str | None]]:
    """Why the named field does not open where it would end a region, and a remedy."""
    others = [other for other in of_field(name, forms) if opens_behind(other, form, forms)]
    if not others:
        yield _nowhere(form, name, forms)
        return
    for outer in () if "section" in form.spec else names_in(form.spec, "inside"):
        if not all(opens_within(other, outer, forms) for other in others):
            message = f"{quoted(name)} does not open in {quoted(outer)}, where this region may be"
            hint = f'add {quoted(outer)} to the "inside" of {quoted(name)}'
            yield message, hint if name != outer else None


def _nowhere(form: FormSpec, name: str, forms: Sequence[FormSpec]) -> tuple[str, str | None]:
    if "section" in form.spec:
        hint = "behind a region in a section only its own field and the section's closer count"
        return f"{quoted(name)} does not open in the section of {quoted(form.name)}", hint
    if any(form.name in stands_in(other, forms) for other in of_field(name, forms)):
        hint = f'leave out this, or "inside" of {quoted(name)}'
        return f"{quoted(name)} opens inside this region, and does not end it", hint
    return f"{quoted(name)} opens at the start alone, never behind a region", None


def _can_enclose(form: Spec) -> bool:
    """Whether other regions can stand inside: text between an opener and a closer, as it is."""
    closes = "close" in form or "close_pattern" in form
    plain = form.get("content", "text") == "text" and form.get("transform") is None
    alone = not form.keys() & {"inside", "strings"}
    return closes and plain and alone and not is_implicit(form)
