"""The keys of templates and their parts. Sources: v1, field reference; docs/dialect.md."""

from __future__ import annotations

DIALECT = "extended-1"

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

# What only the dialect knows.
DIALECT_TEMPLATE_KEYS = ("dialect", "ignore", "ignore_pattern", "special")
_OF_A_WHOLE_FIELD = ("forms", "section")
_OF_A_FORM = (
    "stop",
    "stop_pattern",
    "glue",
    "at",
    "closes_on",
    "closes_with",
    "strings",
    "inside",
    "offered",
    "cast",
    "on_incomplete",
    "on_invalid",
)
DIALECT_FIELD_KEYS = (*_OF_A_WHOLE_FIELD, *_OF_A_FORM)
FORM_KEYS = (
    *(key for key in FIELD_KEYS if key not in ("repeats", "join", "optional")),
    *_OF_A_FORM,
)
SECTION_KEYS = ("open", "open_pattern", "close", "close_pattern", "glue", "outside_pattern")
