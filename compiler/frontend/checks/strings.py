"""What strings and closers must not have in common: text could then be read in two ways.

Of a string and a closer the one that begins first counts. So an opener of strings must not match
where a closer may, and no closer may begin inside of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from compiler.delimiters.nodes import Text
from compiler.delimiters.ties import may_tie
from compiler.delimiters.trees import tree_of
from compiler.diagnostics import Finding
from compiler.frontend.checks.values import are_right
from compiler.frontend.fields import closer_of, delimiter_of, strings_of
from compiler.frontend.forms import FormSpec, Spec, form_specs
from compiler.frontend.json_positions import child_pointer
from compiler.frontend.places import names_in, of_field
from compiler.frontend.syntax import Delimiter, Strings
from compiler.frontend.wording import quoted

_QUOTES = {"json": ('"',), "python": ('"', "'")}
_BRACKETS = "{}[]"  # around the values of regions with pairs for strings


_CLOSING = (
    *("strings", "close", "close_pattern", "closes_on", "closes_with", "glue"),
    *("stop", "stop_pattern"),
)
_OPENING = ("open", "open_pattern", "section", "glue")


def check_strings(spec: Spec, mistakes: Collection[str]) -> Iterator[Finding]:
    """Rule RT510, for the forms that have no mistake in what it is about."""
    forms = tuple(form_specs(spec))
    for form in forms:
        if "strings" in form.spec and are_right(_read_by(form, forms), mistakes):
            place = child_pointer(form.pointer, "strings")
            for clash in _clashes(form, forms):
                yield form.located(Finding("RT510", place, clash))


def _read_by(form: FormSpec, forms: Iterable[FormSpec]) -> Iterator[str]:
    """The places of all that decides where the form's regions end."""
    yield from map(form.place, _CLOSING)
    for name in names_in(form.spec, "closes_on"):
        for other in of_field(name, forms):
            yield from map(other.place, _OPENING)


def _clashes(form: FormSpec, forms: tuple[FormSpec, ...]) -> Iterator[str]:
    strings, closer = strings_of(form), closer_of(form, forms)
    if strings is None:
        return
    found = [pairs_clash(strings)]
    ends = (closer, delimiter_of(form.spec, "stop", form.pointer))
    found += [strings_clash(end, strings) for end in ends if end]
    if form.spec.get("closes_with") == "value":
        found.append(brackets_clash(strings))
    yield from (clash for clash in found if clash)


def strings_clash(closer: Delimiter, strings: Strings) -> str | None:
    """Why the closer and the strings cannot be told apart; None if they can."""
    tree = tree_of(closer)
    for opener in _openers(strings):
        for start in range(len(opener)):
            if may_tie(tree, Text(opener[start:])):
                where = f"inside {quoted(opener)}" if start else f"with {quoted(opener)}"
                return f"the closer may begin {where}, which opens a string"
    return None


def pairs_clash(strings: Strings) -> str | None:
    """Why the strings cannot be told from one another; None if they can."""
    openers = list(_openers(strings))
    for index, opener in enumerate(openers):
        for other_index, other in enumerate(openers):
            if index != other_index and _may_begin_inside(opener, other):
                return f"{quoted(opener)} and {quoted(other)}, which open strings, may overlap"
    return None


def brackets_clash(strings: Strings) -> str | None:
    """Why brackets cannot be told from strings where the value ends a region; None if they can."""
    for opener in _openers(strings):
        if any(bracket in opener for bracket in _BRACKETS):
            return f"{quoted(opener)}, which opens a string, has a bracket in it"
    return None


def _openers(strings: Strings) -> Iterator[str]:
    if strings.grammar:
        yield from _QUOTES[strings.grammar]
    yield from (opener for opener, _ in strings.pairs)


def _may_begin_inside(first: str, second: str) -> bool:
    """Whether text has the second where the first begins, or between its start and its end."""
    suffixes = (first[start:] for start in range(len(first)))
    return any(suffix.startswith(second) or second.startswith(suffix) for suffix in suffixes)
