"""Several content parsers for one text: the first that can read it makes the value (dialect)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def parse_first(body: str, parse: Callable[[str], Any], *others: Callable[[str], Any]) -> Any:
    """The value of the first parser that raises neither ValueError nor RecursionError.

    Raises ValueError with the message of each, if all of them do.
    """
    try:
        return parse(body)
    except (ValueError, RecursionError) as error:
        if not others:
            raise
        failed = error
    try:
        return parse_first(body, *others)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{failed}; {error}") from error
