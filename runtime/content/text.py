"""The `text` content parser."""

from __future__ import annotations


def parse_text(body: str) -> str:
    """The body without white space at its ends (as `str.strip` sees it, v1)."""
    return body.strip()
