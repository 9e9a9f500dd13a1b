"""The `float` content parser."""

from __future__ import annotations

from math import isfinite

from runtime.content.excerpt import excerpt


def parse_float(body: str, *, strip: bool = True, finite: bool = False) -> float:
    """The body as a number in any form that Python reads: `1.5`, `1e3`, `1_000`, `inf`, `nan`.

    Raises ValueError for any other text, and if `finite` (dialect) for what JSON has no number for.
    """
    number = body.strip() if strip else body
    try:
        value = float(number)
    except ValueError:  # whose message repeats the whole text
        raise ValueError(f"not a number: {excerpt(number)}") from None
    if finite and not isfinite(value):
        raise ValueError(f"not a number that JSON has: {excerpt(number)}")
    return value
