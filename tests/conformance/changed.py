"""Replies that the fixtures of `canitoolcall` do not have, made of them; what they mean is known.

name      other names of functions
order     keys in another order: of the arguments, and of the object that a call is
argument  arguments with a marker inside, where they are JSON strings
value     the same, where they stand between tags

The markers are those of the family and those of the format's template, each at every place.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise, permutations
from typing import Any

from canitoolcall.fixtures import ExpectedToolCall, Fixture

from compiler.frontend.fields import template_of
from compiler.models import GRAMMARS
from compiler.origin import read_origin
from compiler.round_trip.markers import markers
from compiler.template_files import EXTENDED_FILE
from tests.conformance.adapter import folders
from tests.conformance.replay import families

KINDS = ("name", "order", "argument", "value")

Places = dict[str, Callable[[str, str], str]]  # of a marker in a value

_PLACES: Places = {
    "first": lambda value, marker: f"{marker} {value}",
    "inside": lambda value, marker: f"{value[:1]}{marker}{value[1:]}",
    "last": lambda value, marker: f"{value} {marker}",
    "on a line": lambda value, marker: f"{value}\n{marker} end",
    "alone": lambda value, marker: marker,
}
_JSON_PLACES: Places = {
    "inside": _PLACES["inside"],
    "on a line": _PLACES["on a line"],
    "behind a quote": lambda value, marker: f'say "{marker}',
    "before a backslash": lambda value, marker: f"{marker}\\",
    "behind a false end": lambda value, marker: f'\\"}}{marker}',
}


@dataclass(frozen=True)
class _Style:
    """How a text argument is written between tags, as patterns; {key} is its key.

    `own_end` ends a value wherever it stands, `ends_on_line` only at the start of a line or behind
    the tag, and `ends_bare` so in a call that has lost its opener. `misread` is read wrong.
    """

    open: str
    close: str
    between: str = r"\s*"
    own_end: str = ""
    ends_on_line: str = "(?!)"
    ends_bare: str = "(?!)"
    misread: str = "(?!)"


_STYLES = (
    _Style(r'(?<=[{{,]){key}:<\|"\|>', r'<\|"\|>', ",", own_end='<|"|>'),
    _Style("<arg_key>{key}</arg_key>\\s*<arg_value>", "</arg_value>", own_end="</arg_value>"),
    # A line that is the end of a call ends it: the format has no way to tell.
    _Style(
        "<parameter={key}>\n?",
        "\n?</parameter>",
        ends_on_line=r"<parameter=|</function>\s*</tool_call>",
        ends_bare="</function>",
    ),
    _Style(
        '<｜DSML｜ ?parameter name="{key}" string="true">',
        "</｜DSML｜ ?parameter>",
        misread="</｜DSML｜ ?parameter>.*</?｜",
    ),
    _Style(
        r'<\|open\|>argument key="{key}" type="string"<\|sep\|>',
        r"<\|close\|>argument<\|sep\|>",
        misread=r"<\|close\|>argument<\|sep\|>.*<\|",
    ),
)


def changed(fixture: Fixture) -> Iterator[tuple[str, str, Fixture]]:
    """The kind of each change, what it is, and the fixture with it."""
    if fixture.expected is None or fixture.truncated:
        return
    for name, other in _other_names(fixture):
        yield "name", f"{name} is {other}", _renamed(fixture, name, other)
    for text in dict.fromkeys((*_json_orders(fixture), *_tag_orders(fixture))):
        yield "order", text[:80], replace(fixture, raw_output=text)
    for index, call in enumerate(fixture.expected.tool_calls):
        for key, value in call.arguments.items():
            if isinstance(value, str) and len(value) > 2:
                for kind, text, other in _marked(fixture, key, value):
                    yield kind, f"{key} = {other!r}", _with(fixture, text, index, key, other)


def _other_names(fixture: Fixture) -> Iterator[tuple[str, str]]:
    assert fixture.expected is not None
    names = [call.name for call in fixture.expected.tool_calls]
    for name in dict.fromkeys(names):
        if fixture.raw_output.count(name) == names.count(name):
            yield from ((name, f"{name}_2"), (name, f"my-{name}.v2"))


def _renamed(fixture: Fixture, name: str, other: str) -> Fixture:
    assert fixture.expected is not None
    calls = tuple(
        ExpectedToolCall(other if call.name == name else call.name, call.arguments)
        for call in fixture.expected.tool_calls
    )
    tools = json.loads(json.dumps(fixture.tools).replace(f'"{name}"', f'"{other}"'))
    return replace(
        fixture,
        raw_output=fixture.raw_output.replace(name, other),
        tools=tuple(tools),
        expected=replace(fixture.expected, tool_calls=calls),
    )


def _json_orders(fixture: Fixture) -> Iterator[str]:
    """The text with the keys of one JSON object in another order."""
    assert fixture.expected is not None
    text = fixture.raw_output
    calls = [(call.name, call.arguments) for call in fixture.expected.tool_calls]
    for start, end, value in _objects(text):
        others: list[dict[str, Any]] = []
        key = next((each for each in ("arguments", "parameters") if each in value), "")
        if (value.get("name"), value.get(key)) in calls:
            others.append({**value, key: _reversed(value[key])})
            if _takes_any_order(fixture, text[:start]):
                others += (dict(items) for items in permutations(value.items()))
        elif any(value == arguments for _, arguments in calls):
            others.append(_reversed(value))
        for other in others:
            if list(other) != list(value) or repr(other) != repr(value):
                yield text[:start] + json.dumps(other, ensure_ascii=False) + text[end:]


def _takes_any_order(fixture: Fixture, before: str) -> bool:
    """Only the order of its keys tells a bare call of Llama's from an answer in JSON."""
    return fixture.family != "llama" or before.rstrip().endswith("<|python_tag|>")


def _objects(text: str) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Where the JSON objects of a text are, those that are in no other."""
    start = text.find("{")
    while start >= 0:
        try:
            value, end = json.JSONDecoder().raw_decode(text, start)
        except ValueError:
            end = start + 1
        else:
            yield start, end, value
        start = text.find("{", end)


def _reversed(value: dict[str, Any]) -> dict[str, Any]:
    return dict(reversed(value.items()))


def _tag_orders(fixture: Fixture) -> Iterator[str]:
    """The text with two arguments that stand between tags in the other order."""
    assert fixture.expected is not None
    text = fixture.raw_output
    for call in fixture.expected.tool_calls:
        for style in _STYLES:
            written = [_written(style, *each) for each in call.arguments.items()]
            for one, other in pairwise(written):
                for found in re.finditer(f"({one})({style.between})({other})", text):
                    first, between, second = found.groups()
                    yield text[: found.start()] + second + between + first + text[found.end() :]


def _written(style: _Style, key: str, value: Any) -> str:
    open = style.open.format(key=re.escape(key))
    return open + (re.escape(value) if isinstance(value, str) else "[^<]*?") + style.close


def _marked(fixture: Fixture, key: str, value: str) -> Iterator[tuple[str, str, str]]:
    """Other values for an argument that stands only once in the text: the kind, the text, it."""
    text = fixture.raw_output
    written = json.dumps(value, ensure_ascii=False)
    if text.count(written) == 1:
        for marker in markers_of(fixture):
            for place in _JSON_PLACES.values():
                other = place(value, marker)
                marked = text.replace(written, json.dumps(other, ensure_ascii=False))
                yield "argument", marked, other
    is_bare = "x-bare-function" in fixture.tags
    for style in _STYLES:
        open = style.open.format(key=re.escape(key))
        found = list(re.finditer(f"({open}){re.escape(value)}({style.close})", text))
        if len(found) == 1:
            opener, closer = found[0].groups()
            for other in _in_tags(style, (*markers_of(fixture), closer.strip()), value, is_bare):
                marked = text[: found[0].start()] + opener + other + closer
                yield "value", marked + text[found[0].end() :], other


def _in_tags(style: _Style, texts: tuple[str, ...], value: str, is_bare: bool) -> Iterator[str]:
    """The value with each marker at each place where it is text."""
    ends = f"(?m:^)(?:{style.ends_on_line}" + (f"|{style.ends_bare})" if is_bare else ")")
    for marker in dict.fromkeys(texts):
        if style.own_end and style.own_end in marker:
            continue
        for place in _PLACES.values():
            other = place(value, marker)
            if not re.search(f"(?s:{style.misread})|{ends}", other):
                yield other


def _with(fixture: Fixture, text: str, index: int, key: str, value: str) -> Fixture:
    assert fixture.expected is not None
    calls = list(fixture.expected.tool_calls)
    calls[index] = ExpectedToolCall(calls[index].name, {**calls[index].arguments, key: value})
    expected = replace(fixture.expected, tool_calls=tuple(calls))
    return replace(fixture, raw_output=text, expected=expected)


def markers_of(fixture: Fixture) -> tuple[str, ...]:
    """Those of its family, as the suite has them, and those of its format's template."""
    own = _markers_of_format(folders()[fixture.reference_model])
    return tuple(dict.fromkeys((*families()[fixture.family].markers, *own)))


def stop_tokens(fixture: Fixture) -> tuple[str, ...]:
    """Of the format."""
    return tuple(read_origin(GRAMMARS / folders()[fixture.reference_model]).stop_tokens)


@cache
def _markers_of_format(folder: str) -> tuple[str, ...]:
    spec = json.loads((GRAMMARS / folder / EXTENDED_FILE).read_text("utf-8"))
    return markers(template_of(spec))
