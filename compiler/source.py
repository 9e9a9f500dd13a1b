"""Where a template came from, and where its parts are written."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from compiler.diagnostics import Finding, Location
from compiler.frontend.json_positions import Positions, offset_in_string, read_positions


@dataclass(frozen=True)
class Source:
    """A template as read, not yet validated.

    `display` names the file in messages ("<template>" for a dict in memory), `text` is its JSON
    text, `spec` the template found at `base_pointer` in it ("" or "/response_template").
    `noticed` is what reading it has already found. `spec` is plain JSON (str, int, float, bool,
    None, list, dict) and shared with nobody.
    """

    display: str
    text: str
    spec: object
    base_pointer: str = ""
    noticed: tuple[Finding, ...] = ()

    def locate(self, pointer: str, offset: int | None = None, on_key: bool = False) -> Location:
        """The place of the value (or its key) at `pointer`, which is relative to the template.

        `offset` counts code points of the decoded string value there. A pointer to nothing gives
        the place of the nearest value around it.
        """
        full = self.base_pointer + pointer
        while full not in self.positions.values:
            full = full.rpartition("/")[0]
        start = self.positions.values[full]
        if on_key:
            start = self.positions.keys.get(full, start)
        elif offset is not None:
            start = offset_in_string(self.text, start, offset)
        return location_at(self.display, self.text, start)

    @cached_property
    def positions(self) -> Positions:
        """Read on first use: a template without mistakes never pays for it."""
        return read_positions(self.text)


def location_at(display: str, text: str, offset: int) -> Location:
    """The line and column of character number `offset` of `text`. Lines end with \\n."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    return Location(
        file=display,
        line=text.count("\n", 0, offset) + 1,
        column=offset - start + 1,
        line_text=text[start : end if end >= 0 else len(text)].rstrip("\r"),
    )
