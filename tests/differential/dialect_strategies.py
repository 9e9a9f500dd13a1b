"""Templates of the extended dialect's structure, and texts that come close to their delimiters."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from compiler.diagnostics import TemplateError
from compiler.frontend.load import load
from compiler.frontend.validate import validate
from tests.differential.strategies import texts

MARKERS = ["<a>", "</a>", "<b>", "</b>", "<c>", "<<", ">>", "<", "ab", "b>", "<a", "|"]
PATTERNS = [r"<a>\s*", r"\s*</a>", r"<b ?>", r"[ab]>", r"<(?P<name>a|b)>", r"<a(?:b)?>"]
PLACES = {"RT505", "RT506"}  # rules that say where openers cannot count
POLICIES = ["raise", "drop", "text", "keep"]

_literals = st.lists(st.sampled_from(MARKERS), min_size=1, max_size=2).map("".join)


@st.composite
def delimiters(draw: st.DrawFn, key: str) -> dict[str, Any]:
    """One under the key, without width nowhere."""
    if draw(st.integers(0, 4)) == 0:
        return {f"{key}_pattern": draw(st.sampled_from(PATTERNS))}
    return {key: draw(st.one_of(_literals, st.lists(_literals, min_size=2, max_size=2)))}


@st.composite
def forms(draw: st.DrawFn, names: list[str], can_be_whole: bool) -> dict[str, Any]:
    """What a form may say, and a field without forms."""
    form = draw(delimiters("open"))
    if can_be_whole and draw(st.integers(0, 4)) == 0:
        form["closes_with"] = "opener"
    else:
        form |= draw(delimiters("close"))
        if draw(st.integers(0, 3)) == 0:
            form["closes_on"] = [draw(st.sampled_from(names))]
        if draw(st.integers(0, 3)) == 0:
            form["stop"] = draw(_literals)
    if draw(st.integers(0, 5)) == 0:
        form["at"] = "start"
    if draw(st.integers(0, 3)) == 0:
        form["glue"] = {"open": ["", r"\s*"]}
    for key in ("on_incomplete", "on_invalid"):
        if draw(st.integers(0, 2)) == 0:
            form[key] = draw(st.sampled_from(POLICIES))
    if draw(st.booleans()):
        form["content"] = draw(st.sampled_from(["json", "int", "kv-lines", "text"]))
    # Any named groups need a transform.
    form["transform"] = {"name": "{name?}", "value": "{content}"}
    return form


@st.composite
def dialect_templates(draw: st.DrawFn) -> dict[str, Any]:
    """Plain text that may enclose others; calls in forms, a section or both; a note; the rest."""
    names = ["think", "calls", "note"]
    inside = draw(st.sampled_from([[], ["think"]]))
    think = {**draw(delimiters("open")), **draw(delimiters("close"))}
    think = {key: value for key, value in think.items() if not key.endswith("_pattern")}
    think = {"open": "<t>", "close": "</t>", **think}
    if draw(st.integers(0, 3)) == 0:
        think["closes_on"] = ["calls"]
    calls: dict[str, Any] = {"repeats": True}
    if draw(st.booleans()):
        calls["forms"] = draw(st.lists(forms(names, True), min_size=1, max_size=3))
    else:
        calls |= draw(forms(names, True))
    if draw(st.booleans()):
        section = {**draw(delimiters("open")), **draw(delimiters("close"))}
        calls["section"] = {
            key: value for key, value in section.items() if not key.endswith("_pattern")
        }
        calls["section"] = {"open": "<s>", "close": "</s>", **calls["section"]}
        if draw(st.booleans()):
            calls["section"]["outside_pattern"] = draw(st.sampled_from(["[^a-c]*", "", "<*"]))
    note = {**draw(forms(names, False)), "repeats": True}
    for field in (calls, note):
        if inside and draw(st.booleans()):
            field["inside"] = inside
    fields: dict[str, Any] = {"think": think, "calls": calls, "note": note}
    if draw(st.integers(0, 3)):
        fields["content"] = draw(st.sampled_from([{}, {}, {"close": ["|", "<c>"]}]))
    spec: dict[str, Any] = {"dialect": "extended-1", "start_anchor": "@", "fields": fields}
    if draw(st.booleans()):
        spec["ignore"] = draw(_literals)
    return _without_contradictions(spec)


def _without_contradictions(spec: dict[str, Any]) -> dict[str, Any]:
    """The template without those keys about places that others rule out."""
    try:
        validate(load(spec))
    except TemplateError as error:
        assert {each.rule for each in error.diagnostics if each.severity == "error"} <= PLACES
        for each in error.diagnostics:
            _drop(spec, each.pointer)
        return _without_contradictions(spec)
    return spec


def _drop(spec: dict[str, Any], pointer: str) -> None:
    """Without the key that the pointer leads through."""
    value: Any = spec
    for step in pointer.split("/")[1:]:
        if step in ("closes_on", "at"):
            value.pop(step, None)
            return
        value = value[int(step) if isinstance(value, list) else step]


def dialect_texts(spec: dict[str, Any]) -> st.SearchStrategy[str]:
    """Texts of the delimiters, wherever in the template they are, and of values."""
    fields: dict[str, Any] = {"ignored": {"open": spec.get("ignore", "x")}}
    for name, field in spec["fields"].items():
        for number, form in enumerate(field.get("forms", [field])):
            fields[f"{name} {number}"] = form
            fields[f"{name} {number} stop"] = {"open": form.get("stop", "x")}
        fields[f"{name} section"] = field.get("section", {})
    return texts({"fields": fields})


def only_text(spec: dict[str, Any]) -> dict[str, Any]:
    """The template with values that are always made, and sections with any text in them."""
    for field in spec["fields"].values():
        field.get("section", {}).pop("outside_pattern", None)
        for form in field.get("forms", [field]):
            form.pop("content", None)
    return spec
