"""The JSON schemas of Python functions, and the parsers that take functions as tools."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial, wraps
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers.utils.chat_parsing import ResponseParser
from transformers.utils.chat_template_utils import get_json_schema as reference_schema
from transformers.utils.chat_template_utils import parse_google_format_docstring

from compiler import compile_template
from runtime.chat.docstrings import read_docstring
from runtime.chat.json_schema import get_json_schema
from tests.differential import tool_functions
from tests.differential.tool_hints import HINTS, Grade, annotated, literal, union

FUNCTIONS = tool_functions.examples()


def outcome(schema_of: Callable[[Any], dict[str, Any]], function: Any) -> Any:
    """The schema as text, so that the order of keys and `True` against `1` count; or the error."""
    try:
        return json.dumps(schema_of(function))
    except Exception as error:
        return type(error).__name__, str(error), len(error.args)


def same(function: Any) -> Any:
    ours = outcome(get_json_schema, function)
    assert ours == outcome(reference_schema, function)
    return ours


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_examples(name: str) -> None:
    result = same(FUNCTIONS[name])
    assert isinstance(result, tuple) == name.startswith("bad_")


@pytest.mark.parametrize(
    "function",
    [
        partial(FUNCTIONS["plain"], "x"),
        wraps(FUNCTIONS["plain"])(lambda *a: None),
        tool_functions.cached,
        tool_functions.Shelf,
        tool_functions.Shelf(1).put,
        tool_functions.Shelf(1),
        tool_functions.Shelf.build,
        tool_functions.Shelf.count,
        lambda x: x,
        len,
        5,
        None,
    ],
)
def test_other_callables(function: Any) -> None:
    same(function)


# -- hints

GOOD = [int, float, str, bool, *(HINTS[name] for name in HINTS if not name.startswith("bad_"))]
BAD = [HINTS[name] for name in HINTS if name.startswith("bad_") and name != "bad_unhashable"]


def tuple_of(parts: list[Any]) -> Any:
    return tuple[tuple(parts)]


def union_of(parts: list[Any]) -> Any:
    """What can be joined by `|`; `int | "list"` cannot."""
    try:
        return union(*parts)
    except TypeError:
        return parts[0]


def larger(hints: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    parts = st.lists(hints, min_size=2, max_size=3)
    return st.one_of(
        hints.map(lambda hint: list[hint]),
        parts.map(tuple_of),
        st.tuples(hints, hints).map(lambda two: dict[two]),
        parts.map(union_of),
        hints.map(lambda hint: union_of([hint, None])),
        hints.map(annotated),
    )


def worse(hints: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        larger(hints),
        hints.map(lambda hint: tuple_of([hint])),
        hints.map(lambda hint: tuple_of([hint, ...])),
        hints.map(lambda hint: set[hint]),
    )


LITERALS = st.lists(st.sampled_from(["a", "b", 1, 2, True, None]), min_size=1).map(literal)
GOOD_HINT = st.recursive(st.sampled_from(GOOD) | LITERALS, larger, max_leaves=6)
ANY_HINT = st.recursive(st.sampled_from(GOOD + BAD), worse, max_leaves=6)

DOCUMENTED = "Do it.\n\nArgs:\n    x: A thing.\n    y: Another.\n\nReturns:\n    A result."


def function_with(hints: dict[str, Any], documentation: str) -> Callable[..., None]:
    namespace: dict[str, Any] = {}
    exec(f"def f({', '.join(name for name in hints if name != 'return')}): pass", namespace)
    f: Callable[..., None] = namespace["f"]
    f.__annotations__ = hints
    f.__doc__ = documentation
    return f


@settings(deadline=None, max_examples=400)
@given(GOOD_HINT, ANY_HINT)
def test_hints(x: Any, returned: Any) -> None:
    same(function_with({"x": x, "return": returned}, DOCUMENTED))


@settings(deadline=None, max_examples=200)
@given(ANY_HINT)
def test_one_hint_and_nothing_returned(x: Any) -> None:
    same(function_with({"x": x}, DOCUMENTED))


# -- docstrings

SPACES = ["", " ", "  ", "    ", "\t", " \t", "\f", "\xa0", "\r"]
HEADINGS = ["Args:", "Returns:", "Raises:", "Arguments:", "Args: ", "Example:", "KwArgs:"]
ENTRIES = [
    "x:",
    "y:",
    "x (int):",
    "y (a, b) :",
    "x(int):",
    "x ((a)):",
    "y :",
    "*x:",
    "é9_:",
    "note:",
]
CHOICES = [
    '(choices: ["a", " b "])',
    "(Choices:[1, 2] )",
    "(choices: [])",
    '(choices: {"a": 1})',
    '(choices: "ab")',
    "(choices: 5)",
    "(choices: a)",
    "(choice\u017f: [1])",
    "(choices:",
    ")",
]
WORDS = ["", "word", "two words", "see: this", "é\u2028z", "a  b", *CHOICES]
INDENTATION = st.sampled_from(SPACES)


def lines() -> st.SearchStrategy[str]:
    words = st.sampled_from(WORDS)
    heading = st.tuples(INDENTATION, st.sampled_from(HEADINGS), st.sampled_from(["", "", "", " w"]))
    entry = st.tuples(INDENTATION, st.sampled_from(ENTRIES), INDENTATION, words, INDENTATION, words)
    text = st.tuples(INDENTATION, words, INDENTATION)
    return st.one_of(heading, entry, entry, text).map("".join)


BODIES = st.lists(lines(), max_size=8).map("\n".join)
SHAPED = st.builds("Do it.\n{}Args:\n{}".format, INDENTATION, BODIES)


@settings(deadline=None, max_examples=1000)
@given(BODIES | SHAPED)
def test_docstrings(text: str) -> None:
    assert read_docstring(text.strip()) == parse_google_format_docstring(text.strip())


@settings(deadline=None, max_examples=300)
@given(SHAPED)
def test_schemas_by_docstrings(documentation: str) -> None:
    """Both arguments are described, unless the last lines belong to something above them."""
    same(function_with({"x": str, "y": Grade}, documentation + "\n x: A.\n y: B."))


@settings(deadline=None, max_examples=200)
@given(st.text(st.sampled_from('Args:Returns:Raises:xy(choices: ["1"]) \n\t'), max_size=80))
def test_docstrings_of_any_text(text: str) -> None:
    same(function_with({"x": str, "return": int}, f"F.\n\nArgs:\nx: {text}"))


# -- functions as tools

SPEC = {
    "start_anchor": "<bot>",
    "fields": {
        "call": {
            "open_pattern": r"<c (?P<name>\w+)>",
            "close": "</c>",
            "content": "kv-lines",
            "transform": {"function": {"name": "{name}", "arguments": "{content}"}},
        }
    },
}
TEXTS = ["3", "2.5", "true", "null", "None", "[1]", '{"a": 1}', "x"]


def arguments(parser: Callable[..., Any], function: Any, text: str) -> Any:
    """What a parser with the function as its tool makes of a call of it."""
    stream = parser(prefix="", tools=[function])
    stream.feed(text)
    return stream.finalize()[0]["call"]["function"]["arguments"]


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_parsers_cast_by_functions(name: str) -> None:
    """An error in the function is raised where the parser is made."""
    function = FUNCTIONS[name]
    ours = partial(arguments, compile_template(SPEC).Parser)
    theirs = partial(arguments, partial(ResponseParser, SPEC))
    for value in TEXTS:
        lines = "\n".join(f"{argument}={value}" for argument in function.__annotations__)
        text = f"<c {function.__name__}>{lines}</c>"
        made = outcome(partial(ours, text=text), function)
        assert made == outcome(partial(theirs, text=text), function)
