"""Rules RT5xx: the keys of the extended dialect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from compiler.delimiters.nodes import Capture, walk
from compiler.diagnostics import Finding
from compiler.frontend.checks.delimiters import check_delimiter, check_pattern, readable
from compiler.frontend.checks.references import check_references
from compiler.frontend.checks.special import check_special
from compiler.frontend.checks.values import unknown_keys
from compiler.frontend.json_positions import child_pointer
from compiler.frontend.known_keys import DIALECT, FORM_KEYS, SECTION_KEYS
from compiler.frontend.wording import did_you_mean, kind_of, quoted

POLICIES = ("raise", "drop", "text", "keep")
STRING_GRAMMARS = ("json", "python")
_CLOSES_WITH = ("value", "opener")
_ONLY_WITH_AN_OPENER = (
    *("at", "section", "inside", "closes_on", "closes_with", "strings"),
    *("stop", "stop_pattern"),
)

_Spec = Mapping[str, object]


def check_dialect(spec: _Spec) -> Iterator[Finding]:
    """The template's own keys, and what its fields say about each other."""
    name = spec.get("dialect")
    if name != DIALECT:
        shown = quoted(name) if isinstance(name, str) else kind_of(name)
        message = f"there is no dialect {shown}; there is {quoted(DIALECT)}"
        yield Finding("RT501", "/dialect", message, "v1 templates have no such key")
    yield from check_delimiter(spec, "ignore", "")
    if "special" in spec:
        yield from check_special(spec["special"])
    yield from check_references(spec)


def check_field_dialect(field: _Spec, pointer: str) -> Iterator[Finding]:
    """The keys of a whole field: its section, and the shape of its forms."""
    if "section" in field:
        yield from _check_section(field["section"], child_pointer(pointer, "section"))
    if "forms" not in field:
        return
    forms, place = field["forms"], child_pointer(pointer, "forms")
    if not isinstance(forms, list) or not forms:
        given = "an empty array" if forms == [] else kind_of(forms)
        yield Finding("RT502", place, f'"forms" is an array of forms, not {given}')
        return
    for index, form in enumerate(forms):
        where = child_pointer(place, index)
        if not isinstance(form, dict):
            yield Finding("RT502", where, f"a form is an object, not {kind_of(form)}")
            continue
        message = "a form has no key {}"
        yield from unknown_keys(form, FORM_KEYS, where, "RT502", message, _IN_THE_FIELD)


_IN_THE_FIELD = dict.fromkeys(
    ("repeats", "join", "optional", "section"), "in the field: it is one for all its forms"
)


def check_form(form: _Spec, pointer: str) -> Iterator[Finding]:
    """The dialect's keys that a field without forms and a form have alike."""
    if "glue" in form:
        yield from _check_glue(form["glue"], child_pointer(pointer, "glue"))
    yield from _check_choice(form, "at", ("start",), "RT505", pointer)
    yield from _check_start(form, pointer)
    yield from _check_choice(form, "closes_with", _CLOSES_WITH, "RT507", pointer)
    for key in ("on_incomplete", "on_invalid"):
        yield from _check_choice(form, key, POLICIES, "RT509", pointer)
    for key in ("offered", "cast"):
        if not isinstance(form.get(key, False), bool):
            message = f"{quoted(key)} is true or false, not {kind_of(form[key])}"
            yield Finding("RT512", child_pointer(pointer, key), message)
    if "strings" in form:
        yield from _check_strings(form["strings"], child_pointer(pointer, "strings"))
    yield from _check_closing(form, pointer)
    if "open" not in form and "open_pattern" not in form:
        for key in _ONLY_WITH_AN_OPENER:
            if key in form:
                message = f"{quoted(key)} needs an opener"
                yield Finding("RT511", child_pointer(pointer, key), message, on_key=True)


def _check_start(form: _Spec, pointer: str) -> Iterator[Finding]:
    """The start of the message is in no section and in no region."""
    around = next((key for key in ("section", "inside") if form.get(key)), None)
    if "at" in form and around:
        what = "its section begins" if around == "section" else "another region begins"
        message = f"an opener at the start never counts where {what} before it"
        hint = f"leave out this, or {quoted(around)}"
        yield Finding("RT505", child_pointer(pointer, "at"), message, hint, on_key=True)


def _check_closing(form: _Spec, pointer: str) -> Iterator[Finding]:
    yield from check_delimiter(form, "stop", pointer)
    place = child_pointer(pointer, "closes_with")
    if form.get("closes_with") == "value" and "strings" not in form:
        hint = 'add "strings": "json", "python" or a list of [open, close]'
        yield Finding("RT507", place, '"closes_with": "value" needs "strings"', hint)
    ends = ("close", "close_pattern", "closes_on", "closes_with")
    if form.get("inside") and not any(key in form for key in ends):
        message = "a region inside another one needs something that closes it"
        yield Finding("RT507", child_pointer(pointer, "inside"), message, on_key=True)
    if form.get("closes_with") == "opener":
        for key in ("close", "close_pattern", "stop", "stop_pattern", "strings", "closes_on"):
            if key in form:
                message = f"a region that closes with its opener has no {quoted(key)}"
                yield Finding("RT507", child_pointer(pointer, key), message, on_key=True)


def _check_section(section: object, pointer: str) -> Iterator[Finding]:
    if not isinstance(section, dict):
        yield Finding("RT503", pointer, f"a section is an object, not {kind_of(section)}")
        return
    yield from unknown_keys(section, SECTION_KEYS, pointer, "RT503", "a section has no key {}", {})
    for key in ("open", "close"):
        yield from check_delimiter(section, key, pointer)
        if key not in section and f"{key}_pattern" not in section:
            message = f"a section needs {quoted(key)} or {quoted(f'{key}_pattern')}"
            yield Finding("RT503", pointer, message)
    if "outside_pattern" in section:
        yield from check_pattern(
            section["outside_pattern"], child_pointer(pointer, "outside_pattern")
        )
    if "glue" in section:
        yield from _check_glue(section["glue"], child_pointer(pointer, "glue"))


def _check_glue(glue: object, pointer: str) -> Iterator[Finding]:
    hint = 'write {"open": [before, after], "close": [before, after]}, each a pattern or ""'
    if not isinstance(glue, dict):
        yield Finding("RT504", pointer, f"glue is an object, not {kind_of(glue)}", hint)
        return
    message = "glue has no key {}"
    yield from unknown_keys(glue, ("open", "close"), pointer, "RT504", message, {})
    for key in ("open", "close"):
        if key not in glue:
            continue
        sides, place = glue[key], child_pointer(pointer, key)
        if not isinstance(sides, list) or len(sides) != 2:
            yield Finding("RT504", place, "glue of a delimiter is [before, after]", hint)
            continue
        for index, side in enumerate(sides):
            if side != "":
                yield from _check_side(side, child_pointer(place, index))


def _check_side(side: object, pointer: str) -> Iterator[Finding]:
    """A group that captured would renumber those of the delimiter."""
    yield from check_pattern(side, pointer)
    tree = readable(side)
    captures = [node for node in walk(tree) if isinstance(node, Capture)] if tree else []
    if captures:
        message, hint = "glue captures nothing", "write (?:...) for a group"
        yield Finding("RT504", pointer, message, hint, captures[0].span[0])


def _check_choice(
    form: _Spec, key: str, choices: tuple[str, ...], rule: str, pointer: str
) -> Iterator[Finding]:
    if key not in form or form[key] in choices:
        return
    value = form[key]
    shown = quoted(value) if isinstance(value, str) else kind_of(value)
    message = f"{quoted(key)} is {' or '.join(map(quoted, choices))}, not {shown}"
    yield Finding(rule, child_pointer(pointer, key), message, did_you_mean(value, choices))


def _check_strings(strings: object, pointer: str) -> Iterator[Finding]:
    if strings in STRING_GRAMMARS:
        return
    if not isinstance(strings, list) or not strings:
        message = f'"strings" is {" or ".join(map(quoted, STRING_GRAMMARS))} or a list of pairs'
        yield Finding("RT508", pointer, message, did_you_mean(strings, STRING_GRAMMARS))
        return
    for index, pair in enumerate(strings):
        sides = pair if isinstance(pair, list) else []
        if len(sides) != 2 or not all(isinstance(side, str) and side for side in sides):
            message = "a string is [open, close], two texts that are not empty"
            yield Finding("RT508", child_pointer(pointer, index), message)
