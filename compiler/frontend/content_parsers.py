"""The content parsers of v1: one row each, with the arguments it takes and the value it gives.

Source: v1, field reference; `python-call-list` and the reach of `strip` from transformers 5.24.0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

ArgumentKind = Literal[
    "flag",  # true or false
    "pattern",  # a regular expression with a group "key"; required
    "string pairs",  # a list of [open, close]
    "separator",  # a non-empty string
    "white space separator",  # the same, or null for any run of white space
    "parser",  # {"name": ..., "args": ...}, or null for none
]
ValueKind = Literal["string", "scalar", "object", "array", "any"]


@dataclass(frozen=True)
class ContentParser:
    """How the text of a region becomes a value of kind `gives`."""

    gives: ValueKind
    arguments: Mapping[str, ArgumentKind]


CONTENT_PARSERS: Mapping[str, ContentParser] = {
    "text": ContentParser("string", {"strip": "flag"}),
    "int": ContentParser("scalar", {"strip": "flag"}),
    "float": ContentParser("scalar", {"strip": "flag"}),
    "bool": ContentParser("scalar", {"strip": "flag"}),
    "json": ContentParser(
        "any",
        {
            "unquoted_keys": "flag",
            "string_delims": "string pairs",
            "allow_non_json": "flag",
            "strip": "flag",  # of the text that allow_non_json lets through
        },
    ),
    "xml-inline": ContentParser(
        "object",
        {"tag_pattern": "pattern", "value_parser": "parser", "merge_duplicates": "flag"},
    ),
    "kv-lines": ContentParser(
        "object",
        {
            "line_sep": "white space separator",
            "kv_sep": "separator",
            "strip": "flag",
            "value_parser": "parser",
        },
    ),
    "python-call-list": ContentParser("array", {}),
}
