"""The keys of v1 templates and fields. Source: v1, field reference."""

from __future__ import annotations

TEMPLATE_KEYS = ("version", "defaults", "fields", "start_anchor", "start_anchor_pattern")
FIELD_KEYS = (
    "open",
    "open_pattern",
    "close",
    "close_pattern",
    "content",
    "content_args",
    "repeats",
    "join",
    "optional",
    "transform",
    "transform_each",
)
