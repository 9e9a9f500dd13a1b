"""Templates of every feature of v1, and texts that come close to their delimiters."""

from __future__ import annotations

from typing import Any

import regex
from hypothesis import strategies as st

# Small alphabets make delimiters overlap, nest and begin one another.
PIECES = ["<", "a", "b", "<a", "<a>", "</a>", "ab", "b>", ">", "\n", " ", "x", "<<", "ba"]
NAMES = ["content", "think", "tool calls", "class", "1st", "é", "a-b", "start", "Think"]

PATTERNS = [
    r"<a>\s*",
    r"</a>\s*",
    r"\s*<a>",
    r"\s+b",
    r"<a>(?:b)?",
    r"</a>(?:</b>)?",
    r"(?:<a>|b)\s*|$",
    r"<a|$",
    r"b\Z",
    r"(?=<a>)",
    r"</a>|(?=<b)",
    r"(?=[\s\S]*?</a>)",
    r"<a>(?!b)",
    r"a(?!b|<)",
    r"(?:^|<a>\s*)",
    r"^\s*<",
    r"^a",
    r"\bab\b",
    r"(?<=a)b",
    r"(?<!a)<",
    r"<a.*?>",
    r"<[^<]*>",
    r"(?:<a>)?[^<]*<b>",
    r"<a[^>]*b[^>]*>",
    r"a{2,3}b",
    r"(?:ab)+>",
    r"<(?:a|ab|b)>",
    r"<(?:ab|a)b?",
    r"a*?b",
    r"[ab]+>",
    r"(a|b)\1",
    r"\n?</a>",
    r"<.>",
    r"x*",
    r"<\w+>",
    r"(?i:<A>)",
    r"</a>(?=<\|$)",
    r"\n(?=ab\b)",
    r"\n(?!b\b)",
    r"<a>(?=\{(?!\}))",
    r"(?:^|\n)b",
    r"[\s\S]b",
    r"(?:(?!</a>).)*</a>",
]
NAMED_PATTERNS = [
    r"<a (?P<name>[ab]+)>",
    r"<(?P<name>a|b)>",
    r"(?:<a>|b)(?P<name>x)?",
    r"<a>(?P<name>[^<]*?)<",
    r"(?:^|\n)(?P<name>b)",
    r"</(?P<end>a|b)>",
    r"b(?P<end>\s*)",
    r"(?P<name>a+)>",
    r"<(?=(?P<name>a|b))",
]
ANCHORS = ["<s>", "a", "aa", ["<s>", "<a>"], ["a", "ab"]]

_literals = st.lists(st.sampled_from(PIECES), min_size=1, max_size=3).map("".join)
_literal_lists = st.lists(_literals, min_size=1, max_size=3)


@st.composite
def delimiters(draw: st.DrawFn, key: str, named: bool) -> dict[str, Any]:
    """`{"open": ...}` or `{"open_pattern": ...}` for the key."""
    kind = draw(st.integers(0, 9))
    if kind < 4:
        return {key: draw(_literals)}
    if kind < 6:
        return {key: draw(_literal_lists)}
    if named and kind > 7:
        return {f"{key}_pattern": draw(st.sampled_from(NAMED_PATTERNS))}
    return {f"{key}_pattern": draw(st.sampled_from(PATTERNS))}


CONTENTS: list[dict[str, Any]] = [
    {},
    {},
    {},
    {"content": "text", "content_args": {"strip": False}},
    {"content": "int"},
    {"content": "bool"},
    {"content": "json"},
    {"content": "json", "content_args": {"allow_non_json": True}},
    {"content": "kv-lines", "content_args": {"kv_sep": "a"}},
    {"content": "xml-inline", "content_args": {"tag_pattern": r"(?P<key>a|b)(?P<value>.*?)[<>]"}},
    {"content": "python-call-list"},
]
TRANSFORMS: list[Any] = [
    {"type": "function", "function": "{content}"},
    {"name": "{name}", "arguments": "{content}"},
    ["{content}", "{end}"],
    "{content}",
    {"x": "{content.a}"},
    {"function": {"name": "a", "arguments": "{content}"}},
]


@st.composite
def fields(draw: st.DrawFn, implicit: bool) -> dict[str, Any]:
    """One field; without an opener if implicit."""
    transform = draw(st.sampled_from([None, None, *TRANSFORMS]))
    field: dict[str, Any] = {}
    if not implicit:
        field |= draw(delimiters("open", transform is not None))
    if draw(st.integers(0, 7)):
        field |= draw(delimiters("close", transform is not None))
    field |= draw(st.sampled_from(CONTENTS))
    if transform is not None:
        field["transform"] = transform
        if draw(st.integers(0, 4)) == 0:
            field["transform_each"] = True
    if draw(st.booleans()):
        field["repeats"] = True
        if draw(st.booleans()):
            field["join"] = draw(st.sampled_from(["", "\n", "+"]))
    if draw(st.integers(0, 9)) == 0:
        field["optional"] = False
    return field


@st.composite
def templates(draw: st.DrawFn) -> dict[str, Any]:
    """A template that the reference accepts."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True))
    implicit = draw(st.sampled_from([None, *names, *names]))
    spec: dict[str, Any] = {"fields": {name: draw(fields(name == implicit)) for name in names}}
    if draw(st.booleans()):
        defaults: dict[str, Any] = {"role": "assistant"}
        if draw(st.integers(0, 3)) == 0:
            defaults[names[0]] = draw(st.sampled_from([None, "", "x", [], ["y"], 0, {}]))
        spec["defaults"] = defaults
    if draw(st.integers(0, 3)):
        spec["start_anchor"] = draw(st.sampled_from(ANCHORS))
    else:
        spec["start_anchor_pattern"] = draw(st.sampled_from([r"<s>\n?", r"a+", r"(?=<s>)"]))
    return spec


def fragments(spec: dict[str, Any]) -> list[str]:
    """Texts and half texts of the delimiters, and values that the content parsers accept."""
    found = ["x", " ", "\n", "<", ">", "a", "b", '{"a": 1}', "[f(a=1)]", "7", "{}", '[{"name": 1}]']
    for field in spec["fields"].values():
        for key, value in field.items():
            if key in ("open", "close"):
                found += [value] if isinstance(value, str) else value
            elif key.endswith("_pattern"):
                pattern = regex.compile(value, regex.DOTALL)
                found += [sample for sample in SAMPLES if pattern.fullmatch(sample)]
    return found


SAMPLES = [
    *("<a>", "</a>", "<a> \n", "</a>\n", " <a>", "  b", "<a>b", "</a></b>", "b", "a", "ab", "aab"),
    *("<b>", "<a b>", "<x>", "abab>", "aa", "bb", "\n</a>", "<A>", "<ab>", "<a ab>", "x", "xx"),
    *("\nb", "x</a>", "</b>", "<a>x<b>", "<a>x", "aa>", "<aab>", "<abb>", "  <", "\n ab", "<a>ab<"),
]


@st.composite
def texts(draw: st.DrawFn, spec: dict[str, Any]) -> str:
    """A text of fragments, some of them cut."""
    pieces = st.sampled_from(fragments(spec))
    cut = st.tuples(pieces, st.integers(0, 6)).map(lambda pair: pair[0][: pair[1]])
    return "".join(draw(st.lists(st.one_of(pieces, pieces, pieces, cut), max_size=10)))


@st.composite
def chunkings(draw: st.DrawFn, text: str) -> list[str]:
    """The text in pieces, some of them empty."""
    size = draw(st.sampled_from([1, 1, 2, 3, 7]))
    if draw(st.booleans()):
        return [text[i : i + size] for i in range(0, len(text), size)]
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=4)))
    return [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
