"""The content parsers: one row each, with the arguments it takes and the value it gives.

Source: v1, field reference; `python-call-list` and the reach of `strip` from transformers 5.24.0;
what only the dialect has, docs/dialect.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

ArgumentKind = Literal[
    "flag",  # true or false
    "pattern",  # a regular expression with a group "key"; required
    "plain pattern",  # a regular expression
    "string pairs",  # a list of [open, close]
    "separator",  # a non-empty string
    "white space separator",  # the same, or null for any run of white space
    "parser",  # {"name": ..., "args": ...}, or null for none
    "types",  # type that a tag may name -> name of a parser, or {"name": ..., "args": ...}
    "text",  # a string
    "name",  # a non-empty string
    "entities",  # "xml"
    "call separator",  # "comma" or "newline"
]
ValueKind = Literal["string", "scalar", "object", "array", "any"]


@dataclass(frozen=True)
class ContentParser:
    """How the text of a region becomes a value of kind `gives`."""

    gives: ValueKind
    arguments: Mapping[str, ArgumentKind]
    in_dialect: Mapping[str, ArgumentKind] = field(default_factory=dict)  # further ones there

    def arguments_in(self, extended: bool) -> Mapping[str, ArgumentKind]:
        """The arguments in v1, or in the dialect."""
        return {**self.arguments, **self.in_dialect} if extended else self.arguments


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
        {
            "python_literals": "flag",
            "bare_keys": "flag",
            "many": "flag",
            "entries": "flag",
        },
    ),
    "xml-inline": ContentParser(
        "object",
        {"tag_pattern": "pattern", "value_parser": "parser", "merge_duplicates": "flag"},
        {"types": "types", "unescape": "entities", "outside_pattern": "plain pattern"},
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
    "python-call-list": ContentParser(
        "array", {}, {"brackets": "flag", "separator": "call separator", "methods": "flag"}
    ),
}
DIALECT_PARSERS: Mapping[str, ContentParser] = {
    **CONTENT_PARSERS,
    "xml-tree": ContentParser("object", {}, {"tag_prefix": "text", "item_tag": "name"}),
}


def content_parsers(extended: bool) -> Mapping[str, ContentParser]:
    """The content parsers of v1, or of the dialect."""
    return DIALECT_PARSERS if extended else CONTENT_PARSERS
