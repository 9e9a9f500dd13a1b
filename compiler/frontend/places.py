"""Where the regions of a form can open, so that another one can end there (`closes_on`).

The template need not be valid: what is not a list of names names nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from compiler.frontend.forms import FormSpec, Spec

Forms = Iterable[FormSpec]


def names_in(spec: Spec, key: str) -> tuple[str, ...]:
    """The names of fields under "closes_on" or "inside"."""
    names = spec.get(key)
    return tuple(filter(_is_name, names)) if isinstance(names, list) else ()


def of_field(name: str, forms: Forms) -> Iterator[FormSpec]:
    """The forms of one field."""
    return (form for form in forms if form.name == name)


def stands_in(form: FormSpec, forms: Forms) -> frozenset[str]:
    """The fields in whose regions one of the form can begin; or the section around it."""
    together = of_field(form.name, forms) if "section" in form.spec else (form,)
    return frozenset(name for each in together for name in names_in(each.spec, "inside"))


def opens_behind(form: FormSpec, before: FormSpec, forms: Forms) -> bool:
    """Whether a region of `form` may begin where one of `before` ends that stands in no other.

    In a section only regions of its field do, and those that open in a region do not end it.
    """
    if "section" in before.spec:
        return form.name == before.name
    return form.spec.get("at") != "start" and before.name not in stands_in(form, forms)


def opens_within(form: FormSpec, outer: str, forms: Forms) -> bool:
    """Whether a region of `form` may begin where one of the field `outer` was going on.

    Also where it ends that one.
    """
    if outer in stands_in(form, forms):
        return True
    return all(
        form.name in names_in(each.spec, "closes_on") and "section" not in each.spec
        for each in of_field(outer, forms)
    )


def _is_name(name: object) -> bool:
    return isinstance(name, str)
