"""Rule RT906: delimiters that never count, because an equal one wins wherever they are watched.

Of equal delimiters an opener wins over a closer, and that over what is ignored; then the field with
the lower name does, then the first form. One with glue wins over the same text without, if the glue
need not be there: it matches wherever that does, and as much or more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from compiler.delimiters.lowered import lower
from compiler.delimiters.widths import is_optional
from compiler.diagnostics import Finding
from compiler.frontend.checks.delimiters import readable
from compiler.frontend.forms import FormSpec, Spec, form_specs, is_implicit
from compiler.frontend.json_positions import child_pointer
from compiler.frontend.places import stands_in
from compiler.frontend.wording import quoted

_BETWEEN = "between"  # the regions
_TIES = "of two fields whose openers tie, the one with the lower name wins"
_FORMS_TIE = "of two forms whose openers tie, the first wins"


@dataclass(frozen=True)
class _Written:
    """What makes two delimiters equal."""

    kind: str
    text: str
    at: str
    glue: str


@dataclass(frozen=True)
class _Opener:
    """An opener of a form or of a section, and where it is watched."""

    form: FormSpec
    pointer: str
    written: _Written
    places: tuple[str, ...]
    owner: str  # the pointer of the form or the section
    hides: tuple[_Written, ...]  # itself, and what it also wins over


def check_hidden(spec: Spec) -> Iterator[Finding]:
    """What an opener hides: other openers, closers of the implicit field, ignored delimiters."""
    forms = tuple(form_specs(spec))
    winners: dict[tuple[str, _Written], _Opener] = {}
    openers = [each for form in forms for each in _openers(form, forms)]
    found = []
    for opener in sorted(openers, key=lambda each: each.form.name):
        for key in product(opener.places, opener.hides):
            winners.setdefault(key, opener)
        first = [winners[place, opener.written] for place in opener.places]
        if all(each.owner != opener.owner for each in first):
            found.append(opener.form.located(_hidden(opener, first[0])))
    yield from dict.fromkeys(found)  # a section belongs to all forms of its field
    taken = {
        written: f"it opens field {quoted(opener.form.name)}"
        for (place, written), opener in winners.items()
        if place == _BETWEEN
    }
    yield from _hidden_between(spec, forms, taken)


def _hidden_between(
    spec: Spec, forms: Iterable[FormSpec], taken: Mapping[_Written, str]
) -> Iterator[Finding]:
    """Closers of the implicit field and ignored delimiters; `taken` says what openers open."""
    closers: dict[_Written, str] = {}
    for form in filter(lambda form: is_implicit(form.spec), forms):
        for pointer, written in _delimiters(form.spec, "close", form.pointer):
            if written in taken:
                message = f"never closes a region: {taken[written]}"
                hint = "an opener wins over an equal closer"
                yield form.located(Finding("RT906", pointer, message, hint))
            closers[written] = f"it closes field {quoted(form.name)}"
    for pointer, written in _delimiters(spec, "ignore", ""):
        if why := taken.get(written) or closers.get(written):
            hint = "what opens or closes wins over what is ignored"
            yield Finding("RT906", pointer, f"is never ignored: {why}", hint)


def _hidden(opener: _Opener, winner: _Opener) -> Finding:
    name = winner.form.name
    if name == opener.form.name:
        message = "never opens a region: an earlier form has the same opener"
        return Finding("RT906", opener.pointer, message, _FORMS_TIE)
    message = f"never opens a region: field {quoted(name)} has the same opener"
    return Finding("RT906", opener.pointer, message, _TIES)


def _openers(form: FormSpec, forms: tuple[FormSpec, ...]) -> Iterator[_Opener]:
    if is_implicit(form.spec):
        return
    outside = (_BETWEEN, *(f"in {name}" for name in sorted(stands_in(form, forms))))
    section = form.spec.get("section")
    if isinstance(section, dict):
        around = child_pointer(form.field_pointer, "section")
        yield from _watched(form, section, around, outside)
    inside = outside if section is None else (f"section of {form.name}",)
    yield from _watched(form, form.spec, form.pointer, inside)


def _watched(
    form: FormSpec, spec: Spec, pointer: str, places: tuple[str, ...]
) -> Iterator[_Opener]:
    """The opener of a form or of its section."""
    glue = spec.get("glue")
    sides = glue.get("open") if isinstance(glue, dict) else None
    is_dispensable = isinstance(sides, list) and all(map(_is_dispensable, sides))
    for place, written in _delimiters(spec, "open", pointer):
        hides = (written, replace(written, glue="")) if is_dispensable else (written,)
        yield _Opener(form, place, written, places, pointer, hides)


def _is_dispensable(glue: object) -> bool:
    tree = readable(glue)
    return tree is not None and is_optional(lower(tree))


def _delimiters(spec: Spec, key: str, pointer: str) -> Iterator[tuple[str, _Written]]:
    """The place of each literal (or the pattern) of a delimiter, and how it is written."""
    literal, pattern = spec.get(key), spec.get(f"{key}_pattern")
    glue = spec.get("glue")
    around = str(spec.get("at")), repr(glue[key]) if isinstance(glue, dict) and key in glue else ""
    place = child_pointer(pointer, key)
    if isinstance(literal, str):
        yield place, _Written("literal", literal, *around)
    elif isinstance(literal, list):
        for i, item in enumerate(literal):
            if isinstance(item, str):
                yield child_pointer(place, i), _Written("literal", item, *around)
    if isinstance(pattern, str):
        yield child_pointer(pointer, f"{key}_pattern"), _Written("pattern", pattern, *around)
