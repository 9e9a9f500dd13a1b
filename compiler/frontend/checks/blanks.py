"""Rule RT514: what is found everywhere marks nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from compiler.delimiters.lowered import lower
from compiler.delimiters.trees import tree_of
from compiler.delimiters.widths import is_nullable, is_optional
from compiler.diagnostics import Finding
from compiler.frontend.checks.values import are_right
from compiler.frontend.fields import delimiter_of, section_of
from compiler.frontend.forms import Spec, form_specs

_MESSAGE = "matches no text, too: it would be found everywhere, in place of longer ones"


def check_blanks(spec: Spec, mistakes: Collection[str]) -> Iterator[Finding]:
    """Of ignored delimiters and the markers of sections, those that have no mistake.

    A section may begin or end without text where a look-around or an anchor says so.
    """
    if are_right(("/ignore", "/ignore_pattern"), mistakes):
        ignored = delimiter_of(spec, "ignore", "")
        if ignored and is_nullable(lower(tree_of(ignored))):
            yield Finding("RT514", ignored.pointer, _MESSAGE)
    sections = {form.place("section"): form for form in form_specs(spec)}
    for place, form in sections.items():
        section = section_of(form) if are_right((place,), mistakes) else None
        for marker in (section.opener, section.closer) if section else ():
            if is_optional(lower(tree_of(marker))):
                yield Finding("RT514", marker.pointer, _MESSAGE)
