"""What can stand between regions or in one: the regions of fields, and the sections around them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from compiler.frontend.syntax import Field, Template
from compiler.grammar.meaning import meaning
from compiler.grammar.nodes import Terminal
from compiler.grammar.slugs import slugs

DROPPED_TEXT = Terminal("DROPPED_TEXT", "text", None, None)


@dataclass(frozen=True)
class Entry:
    """A region of a field, in one of its forms; or a section."""

    name: str  # of its rule
    comment: str
    opener: Terminal
    body: tuple[Terminal, ...]  # the text in it
    closers: tuple[Terminal, ...]  # none: it runs to the end of the text, or is whole
    inner: tuple[Entry, ...]  # what can stand in it

    @property
    def is_whole(self) -> bool:
        """Whether its opener is all of it."""
        return self.opener.role == "whole"

    @property
    def parts(self) -> tuple[Entry, ...]:
        """The entries that stand nowhere but in it."""
        return self.inner if self.opener.role == "enter" else ()

    @property
    def terminals(self) -> tuple[Terminal, ...]:
        """Its own."""
        return (self.opener, *self.body, *self.closers)


class Entries:
    """The entries of a template, by the names that its grammar gives them."""

    def __init__(self, template: Template) -> None:
        fields = template.fields
        names = [field.name for field in fields]
        plain = slugs(names)
        self.slugs = {field.pointer: slug for field, slug in zip(fields, plain, strict=True)}
        enclosed: dict[str, str] = {}
        for field, slug in zip(fields, plain, strict=True):
            if field.section:
                enclosed.setdefault(field.name, f"{slug}_section")
        around = slugs([*names, *enclosed.values()])[len(names) :]
        self._sections = dict(zip(enclosed, around, strict=True))
        self._openable = [field for field in fields if not field.is_implicit]

    def between_regions(self) -> tuple[Entry, ...]:
        """Those that can stand between regions: all but what stands in sections."""
        return self._of(self._openable)

    def _of(self, fields: Iterable[Field]) -> tuple[Entry, ...]:
        """The entries for the fields; one for all the forms in a section."""
        entries: dict[str, Entry] = {}
        for field in fields:
            entry = self._section(field.name) if field.section else self._region(field)
            entries[entry.name] = entry
        return tuple(entries.values())

    def _region(self, field: Field) -> Entry:
        slug = self.slugs[field.pointer]
        opener, body, closers = region_terminals(field, slug)
        assert opener is not None
        inner = self._of(each for each in self._openable if field.name in each.inside)
        return Entry(slug, meaning(field), opener, body, closers, inner)

    def _section(self, name: str) -> Entry:
        slug = self._sections[name]
        forms = [field for field in self._openable if field.name == name]
        section = forms[0].section
        assert section is not None
        opener = Terminal(f"{slug.upper()}_OPEN", "enter", forms[0], section.opener)
        closer = Terminal(f"{slug.upper()}_CLOSE", "leave", forms[0], section.closer)
        inner = tuple(map(self._region, forms))
        return Entry(slug, f"around {name}", opener, (DROPPED_TEXT,), (closer,), inner)


def region_terminals(
    field: Field, slug: str
) -> tuple[Terminal | None, tuple[Terminal, ...], tuple[Terminal, ...]]:
    """Opener, text and closers of a field's regions."""
    name = slug.upper()
    text = Terminal(f"{name}_TEXT", "text", field, None)
    closers = [Terminal(f"{name}_CLOSE", "close", field, field.closer)] if field.closer else []
    if field.opener is None:
        return None, (text,), tuple(closers)
    if field.closes_with == "opener":
        return Terminal(f"{name}_OPEN", "whole", field, field.opener), (), ()
    body = [text]
    if field.strings:
        body.append(Terminal(f"{name}_STRING", "string", field, None))
    if field.closes_with == "value":
        closers.append(Terminal(f"{name}_VALUE_END", "close", field, None))
    if field.stop:
        closers.append(Terminal(f"{name}_STOP", "stop", field, field.stop))
    opener = Terminal(f"{name}_OPEN", "open", field, field.opener)
    return opener, tuple(body), tuple(closers)
