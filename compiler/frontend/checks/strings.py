"""What strings and closers must not have in common: text could then be read in two ways.

Of a string and a closer the one that begins first counts. So an opener of strings must not match
where a closer may, and no closer may begin inside of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from compiler.delimiters.nodes import Text
from compiler.delimiters.ties import may_tie
from compiler.delimiters.trees import tree_of
from compiler.diagnostics import Finding
from compiler.frontend.forms import Spec, form_specs
from compiler.frontend.json_positions import child_pointer
from compiler.frontend.syntax import Delimiter, Field, Strings, Template
from compiler.frontend.wording import quoted

_QUOTES = {"json": ('"',), "python": ('"', "'")}
_BRACKETS = "{}[]"  # around the values of regions with pairs for strings


def check_strings(spec: Spec, template: Template) -> Iterator[Finding]:
    """Rule RT510, of a template that is right otherwise."""
    for form, field in zip(form_specs(spec), template.fields, strict=True):
        for clash in _clashes(field):
            yield form.located(Finding("RT510", child_pointer(form.pointer, "strings"), clash))


def _clashes(field: Field) -> Iterator[str]:
    if field.strings is None:
        return
    found = [pairs_clash(field.strings)]
    if field.closer:
        found.append(strings_clash(field.closer, field.strings))
    if field.closes_with == "value":
        found.append(brackets_clash(field.strings))
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
