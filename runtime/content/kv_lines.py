"""The `kv-lines` content parser: one `key: value` a line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def parse_kv_lines(
    body: str,
    *,
    line_sep: str = "\n",
    kv_sep: str = ":",
    strip: bool = True,
    value: Callable[[str], Any] | None = None,
) -> dict[str, Any]:
    """The lines as a dict; empty lines and lines without `kv_sep` are skipped, a later key wins.

    `strip` takes white space from both ends of lines, keys and values. `value` makes a value of
    its text; without it the text is the value. Raises ValueError for an empty separator, and
    whatever `value` raises.
    """
    pairs: dict[str, Any] = {}
    for line in body.split(line_sep):
        entry = line.strip() if strip else line
        if not entry or kv_sep not in entry:
            continue
        key, text = entry.split(kv_sep, 1)
        if strip:
            key, text = key.strip(), text.strip()
        pairs[key] = text if value is None else value(text)
    return pairs
