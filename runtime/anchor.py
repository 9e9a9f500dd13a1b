"""Where the message begins in a prompt: after the last start anchor (v1, `start_anchor`)."""

from __future__ import annotations

from typing import Any


def after_last_literal(prefix: str, anchor: str) -> str:
    """The text after the last `anchor`; the whole prefix, with a logged warning, if there is none.

    Only for anchors that cannot overlap themselves: for them the last occurrence is also the last
    of the matches taken from left to right.
    """
    start = prefix.rfind(anchor)
    return prefix[start + len(anchor) :] if start >= 0 else _without_anchor(prefix)


def after_last_match(prefix: str, anchor: Any) -> str:
    """The same for a compiled pattern; matches are taken from left to right, not overlapping."""
    end = -1
    for match in anchor.finditer(prefix):
        end = match.end()
    return prefix[end:] if end >= 0 else _without_anchor(prefix)


def _without_anchor(prefix: str) -> str:
    import logging  # costs more than the rest of the runtime, and is rarely needed

    logging.getLogger("chatc").warning(
        "the start anchor does not occur in the prefix; the whole prefix is parsed as part of the "
        "message"
    )
    return prefix
