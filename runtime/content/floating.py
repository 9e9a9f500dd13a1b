"""The `float` content parser."""

from __future__ import annotations

from runtime.content.excerpt import excerpt


def parse_float(body: str, *, strip: bool = True) -> float:
    """The body as a number in any form that Python reads: `1.5`, `1e3`, `1_000`, `inf`, `nan`.

    Raises ValueError for any other text.
    """
    number = body.strip() if strip else body
    try:
        return float(number)
    except ValueError:  # whose message repeats the whole text
        raise ValueError(f"not a number: {excerpt(number)}") from None
