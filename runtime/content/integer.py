"""The `int` content parser."""

from __future__ import annotations


def parse_int(body: str, *, strip: bool = True) -> int:
    """The body as an integer in any form that Python reads: `42`, `-1_000`, Arabic digits.

    Raises ValueError for any other text, and for more digits than the interpreter allows.
    """
    return int(body.strip() if strip else body)
