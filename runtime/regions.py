"""Regions of a stream: kinds of them, and those that another one interrupts."""

from __future__ import annotations

from runtime.events import Event
from runtime.transform import Scope


class Region:
    """A kind of region as the stream sees it; `dirty` chunks are raw text, not yet a value.

    Text in a region of no field (None) is dropped; if dirty, `check_outside` looks at it first.
    """

    __slots__ = ("chunk", "dirty", "field")

    def __init__(self, field: str | None, dirty: bool = False) -> None:
        self.field = field
        self.dirty = dirty
        self.chunk: Event = {"type": "region_chunk", "field": field, "text": "", "dirty": dirty}


class Suspended:
    """A region that another one interrupts; `size` characters are in its body."""

    __slots__ = ("body", "captures", "opener", "region", "size", "start")

    def __init__(
        self, region: Region, body: list[str], size: int, start: int, opener: str, captures: Scope
    ) -> None:
        self.region = region
        self.body = body
        self.size = size
        self.start = start
        self.opener = opener
        self.captures = captures
