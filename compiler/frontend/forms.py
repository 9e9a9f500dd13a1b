"""The fields of a template as they are checked and compiled: one for each form.

    {"tool_calls": {"repeats": true, "forms": [{"open": "<a>"}, {"open": "<b>"}]}}

is the field "tool_calls" twice, with `repeats` and either opener.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from compiler.diagnostics import Finding
from compiler.frontend.json_positions import child_pointer
from compiler.frontend.known_keys import DIALECT

Spec = Mapping[str, Any]


@dataclass(frozen=True)
class FormSpec:
    """A field's keys as they apply to one of its forms; of a field without forms, its own."""

    name: str
    spec: Spec
    pointer: str
    own: Spec  # the keys written at `pointer`; the others are written in the field
    field_pointer: str
    field: Spec  # the keys written in the field

    def place(self, key: str) -> str:
        """Where the key is written, or would be."""
        return child_pointer(self.pointer if key in self.own else self.field_pointer, key)

    def located(self, finding: Finding) -> Finding:
        """The finding at the place where the key it is about is written."""
        if not finding.pointer.startswith(f"{self.pointer}/"):
            return finding
        path = finding.pointer.removeprefix(self.pointer)
        key = path.removeprefix("/").split("/")[0]
        if self.pointer == self.field_pointer or key in self.own:
            return finding
        return replace(finding, pointer=self.field_pointer + path)


def is_extended(spec: Mapping[str, object]) -> bool:
    """Whether the template asks for the extended dialect."""
    return spec.get("dialect") == DIALECT


def is_implicit(form: Spec) -> bool:
    """Whether the form has no opener: its field takes the text between all other regions."""
    return "open" not in form and "open_pattern" not in form


def form_specs(spec: Spec) -> Iterator[FormSpec]:
    """Every form of every field that is an object, in the order written."""
    fields = spec.get("fields")
    for name, field in fields.items() if isinstance(fields, dict) else ():
        pointer = child_pointer("/fields", name)
        if isinstance(field, dict):
            yield from _forms(name, field, pointer, is_extended(spec))


def _forms(name: str, field: Spec, pointer: str, extended: bool) -> Iterator[FormSpec]:
    forms = field.get("forms")
    if not extended or not isinstance(forms, list):
        yield FormSpec(name, field, pointer, field, pointer, field)
        return
    shared = {key: value for key, value in field.items() if key != "forms"}
    for index, form in enumerate(forms):
        if isinstance(form, dict):
            place = child_pointer(child_pointer(pointer, "forms"), index)
            merged = {**_without_rivals(shared, form), **form}
            yield FormSpec(name, merged, place, form, pointer, field)


def _without_rivals(shared: Spec, form: Spec) -> Spec:
    """What a form takes from its field: not "open" if it has a pattern for it, and so on."""
    rivals = {key: f"{key}_pattern" for key in ("open", "close", "stop")}
    rivals |= {pattern: literal for literal, pattern in rivals.items()}
    rivals["content_args"] = "content"  # the arguments of another content parser
    return {key: value for key, value in shared.items() if rivals.get(key) not in form}
