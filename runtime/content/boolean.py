"""The `bool` content parser."""

from __future__ import annotations


def parse_bool(body: str, *, strip: bool = True) -> bool:
    """True for `true` (in any case) and `1`, False for every other text; never fails (v1)."""
    word = body.strip() if strip else body
    return word.lower() in ("true", "1")
