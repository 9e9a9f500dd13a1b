"""Names for fields that any target can use: `reasoning content!` becomes `reasoning_content`."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable

# Names that the grammar and the generated module have for other things.
_RESERVED = {"start", "unclosed", "dropped", "stray", "defaults", "state", "parser", "failures"}
_RESERVED |= {"digit", "word", "space", "no_region", "between_regions", "start_anchor"}
_RESERVED |= {"end", "never", "on_error", "runtime_api", "state_format"}
_RESERVED |= {
    "absent",
    "any_space",
    "casts",
    "every_key",
    "json_strings",
    "python_strings",
    "spaces",
}
_PREFIXES = ("in_", "field_")
_SUFFIXES = (
    *("_open", "_close", "_stop", "_text", "_wait", "_groups"),
    *("_tag", "_outside", "_value", "_field", "_strings"),
)


def slugs(names: Iterable[str]) -> tuple[str, ...]:
    """For each name a distinct lower-case ASCII identifier without double underscores.

    The same names in the same order give the same slugs.
    """
    taken: dict[str, None] = {}
    for name in names:
        slug = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
        if not slug or not slug[0].isalpha() or slug.startswith(_PREFIXES):
            slug = f"field_{slug}".rstrip("_")
        if keyword.iskeyword(slug) or slug in _RESERVED or slug.endswith(_SUFFIXES):
            slug += "_field"
        number, candidate = 1, slug
        while candidate in taken:
            number += 1
            candidate = f"{slug}_{number}"
        taken[candidate] = None
    return tuple(taken)
