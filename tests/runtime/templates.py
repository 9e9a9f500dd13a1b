"""Small templates, each with what the ten models do not have."""

from __future__ import annotations

from functools import cache
from typing import Any

from compiler import CompiledTemplate, compile_template

_CALL = {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}}

# Fields of every kind of failure.
BOX: dict[str, Any] = {
    "start_anchor": "<s>",
    "defaults": {"role": "assistant"},
    "fields": {
        "thinking": {"open": "<t>", "close": "</t>"},
        "call": {
            "open_pattern": "<c(?: (?P<name>[a-z]+))?>",
            "close": "</c>",
            "repeats": True,
            "content": "json",
            "transform": _CALL,
        },
        "count": {"open": "<n>", "close": "</n>", "content": "int", "optional": False},
        "content": {"repeats": True, "join": "|"},
    },
}
BOX_PIECES = (
    *("<t>", "</t>", "<c f>", "<c>", "</c>", "<n>", "</n>", "<s>", '{"a": "3"}', "{", "[[1]", "7"),
    *("x", "é", "\U0001f600", " ", "\n", "<"),
)

# Delimiters that tie, and are told apart by their length, then by their kind.
RIVALS: dict[str, Any] = {
    "start_anchor": "<s>",
    "fields": {
        "a": {"open": "<", "close": ">"},
        "b": {"open": ["<<", "#"], "close": "!"},
        "rest": {"close": ["<", "##"]},
    },
}

# Delimiters that look behind, look ahead or take no width.
LOOKING: dict[str, Any] = {
    "start_anchor": "<s>",
    "fields": {
        "word": {"open_pattern": r"\bab\b", "close_pattern": r"(?=<a>)|</a>\s*"},
        "behind": {"open_pattern": r"(?<=x)ba*", "close_pattern": r"\n(?!b\b)"},
        "content": {"close_pattern": r"^\s+|(?=c)"},
    },
}

# Look-behinds where most chunks have no mark, and so go past the buffer.
MARKED: dict[str, Any] = {
    "start_anchor": "<s>",
    "fields": {
        "behind": {"open_pattern": "(?<=xy)<b>", "close_pattern": "(?<!x)</b>"},
        "content": {"close": "<c>"},
    },
}

# An opener that takes the text before it, and a closer that the end of the text may be.
LEADING: dict[str, Any] = {
    "start_anchor": "<s>",
    "fields": {
        "tag": {"open_pattern": r"(?:<a>)?[^<]*<b>", "close_pattern": r"(?:<a>|b)\s*|$"},
        "content": {},
    },
}

# Openers that are held for long, text between regions that no field takes, patterns for `regex`.
HEADERS: dict[str, Any] = {
    "start_anchor_pattern": r"<s>\n?",
    "defaults": {"role": "assistant", "calls": []},
    "fields": {
        "calls": {
            "open_pattern": "<call (?P<name>[^<]*)<m>",
            "close_pattern": "</m>|(?=<call)",
            "repeats": True,
            "content": "json",
            "content_args": {"allow_non_json": True},
            "transform": _CALL,
        },
        "notes": {"open_pattern": "<note.*?</note>", "repeats": True, "close": "<"},
        "title": {"open_pattern": r"<\p{Lu}+>", "close": "<"},
    },
}

# A region of JSON without an opener.
BARE: dict[str, Any] = {
    "start_anchor": "<s>",
    "fields": {
        "data": {"content": "json", "close": "<end>", "repeats": True},
        "flag": {"open": "<f>", "close": "</f>", "content": "bool"},
    },
}

# A region that the start of a text opens, but not of an empty one.
STARTING: dict[str, Any] = {
    "start_anchor": "<s>",
    "fields": {
        "flag": {"open_pattern": "(?:^|<f>)", "close": "</f>", "content": "bool"},
        "content": {},
    },
}

TEMPLATES = {
    "bare": BARE,
    "box": BOX,
    "headers": HEADERS,
    "leading": LEADING,
    "looking": LOOKING,
    "marked": MARKED,
    "rivals": RIVALS,
    "starting": STARTING,
}
PIECES = {
    "rivals": ("<", "<<", ">", "!", "#", "##", "x", " "),
    "marked": ("<b>", "</b>", "<c>", "x", "y", "xy", "xy<b>", "z", "<"),
    "leading": ("<a>", "<b>", "a", "b", "\n", " ", "<", "x"),
    "looking": ("ab", "<a>", "</a>", "xb", "a", "b", "\n", " ", "c", "x", "\n b"),
    "headers": (
        "<call f",
        "<call ",
        "<m>",
        "</m>",
        "<note",
        "</note>",
        "<É",
        "À>",
        "<",
        "{}",
        "a b",
        "\n",
    ),
    "bare": ('{"a": 1}', "[", "1", "<end>", "<f>", "true", "</f>", "\n", " "),
    "starting": ("<f>", "</f>", "true", "1", " ", "x"),
    "box": BOX_PIECES,
}

# A text for each, with every kind of its regions.
SMALL = {
    "bare": '{"a": [1]}<end> <f>true</f>',
    "box": 'é<c f>{"a": 1}</c><c>{</c><n>1</n>z',
    "headers": "x<call f g<m>{}</m><note a</note>b<ÉÀ>c",
    "leading": "ab<a>c<b>d<a>e<b>f",
    "looking": " ab x</a>yxbaq\n bc",
    "marked": "zzxy<b>q</b>zzzxy<b>w",
    "rivals": "x<<z!y##<w>",
    "starting": "true</f>a<f>1",
}


@cache
def compiled(name: str) -> CompiledTemplate:
    """A template of this module, compiled."""
    return compile_template(TEMPLATES[name])
