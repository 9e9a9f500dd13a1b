"""Content parsers, transforms and argument types against the functions of transformers 5.24.0."""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import regex
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from transformers.utils.chat_parsing import ResponseParser
from transformers.utils.chat_parsing.content_parsers import parse_content, process_field
from transformers.utils.chat_parsing.response_parser import _coerce, _schema_types

from runtime.content.boolean import parse_bool
from runtime.content.floating import parse_float
from runtime.content.integer import parse_int
from runtime.content.json_dialect import parse_json_dialect
from runtime.content.json_text import parse_json
from runtime.content.kv_lines import parse_kv_lines
from runtime.content.python_call_list import parse_python_call_list
from runtime.content.text import parse_text
from runtime.content.xml_inline import parse_xml_inline, parse_xml_parts, trim_newline, trim_space
from runtime.tools import argument_types, cast_arguments
from runtime.transform import Scope, descend, each_scope
from runtime.unicode_classes import SPACE, WORD

many = settings(max_examples=200, deadline=None)


@dataclass(frozen=True)
class Raised:
    """The class of an error, as far as a caller can catch it."""

    kind: type[Exception]


# Subclasses first: an error counts as the first of these that it is.
KINDS = (KeyError, AttributeError, TypeError, RecursionError, ValueError)


def outcome(function: Callable[[], Any]) -> Any:
    """Raised, or the value's repr: it tells 1, 1.0 and True apart and knows the order of keys."""
    try:
        return repr(function())
    except KINDS as error:
        return Raised(next(kind for kind in KINDS if isinstance(error, kind)))


def same(ours: Callable[[], Any], reference: Callable[[], Any]) -> None:
    assert outcome(ours) == outcome(reference)


def texts(*pieces: str, size: int = 14) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(pieces), max_size=size).map("".join)


scalars = st.one_of(
    texts("1", "0", "_", ".", "e", "-", "+", " ", "\n", "\x1c", "\u0663", "inf", "nan", "true"),
    st.integers().map(str),
    st.floats().map(repr),
    st.text(max_size=5),
)


@many
@given(scalars, st.booleans())
def test_scalars(body: str, strip: bool) -> None:
    same(lambda: parse_text(body), lambda: parse_content(body, "text", {}))
    same(lambda: parse_int(body, strip=strip), lambda: parse_content(body, "int", {"strip": strip}))
    same(
        lambda: parse_float(body, strip=strip),
        lambda: parse_content(body, "float", {"strip": strip}),
    )
    same(
        lambda: parse_bool(body, strip=strip), lambda: parse_content(body, "bool", {"strip": strip})
    )


json_like = st.one_of(
    texts(
        *("{", "}", "[", "]", '"', "\\", "\n", ",", ":", "a", "b1", "0", " ", "<q>", "</q>", "<r>"),
        *("\x01", "\x02", "\x1c", "\r", "\u2028", "\xe9", "\u0301", "\u200d", "|", "{a:1}", '"a"'),
        *("x: ", "true", "null", '\\"', "{a: ", ", b:"),
        size=20,
    ),
    st.recursive(
        st.sampled_from(["1", "-2.5", "true", '"x, y: 1"', '"\\"{a:1"', "<q>a</q>", "|{b:1}|"]),
        lambda inner: st.one_of(
            st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
            st.lists(st.tuples(st.sampled_from(["a", '"b"', "\xe9 ", " c\n", "<q>d</q>"]), inner))
            .map(lambda entries: [f"{key}:{value}" for key, value in entries[:3]])
            .map(lambda entries: "{" + ",".join(entries) + "}"),
        ),
        max_leaves=8,
    ),
)
delimiters = st.lists(
    st.sampled_from(
        [("<q>", "</q>"), ("<r>", "</q>"), ("|", "|"), ("", "|"), ("<q>", ""), ("1", "0")]
    ),
    max_size=2,
)


@many
@given(json_like)
def test_json(body: str) -> None:
    same(lambda: parse_json(body), lambda: parse_content(body, "json", {}))


@settings(many, max_examples=600)
@given(json_like, st.booleans(), delimiters, st.booleans(), st.booleans())
@example('"\\"{a:1}\\"{b:', True, [], True, True)
@example("['a<q>b</q>c']", False, [("<q>", "</q>"), ("'", "'")], False, True)
def test_json_dialect(
    body: str,
    unquoted_keys: bool,
    string_delims: list[tuple[str, str]],
    allow_non_json: bool,
    strip: bool,
) -> None:
    args: dict[str, Any] = {
        "unquoted_keys": unquoted_keys,
        "string_delims": string_delims,
        "allow_non_json": allow_non_json,
        "strip": strip,
    }
    same(lambda: parse_json_dialect(body, **args), lambda: parse_content(body, "json", args))


@settings(many, max_examples=600)
@given(texts("{", "}", '"', '"', "\\", "\n", ",", ":", "a", " ", "{a:", "\x85", "\u0301", "{b :"))
def test_json_dialect_rewrites_as_the_reference_does(text: str) -> None:
    # Delimiters make a string of any text, so what was rewritten shows in the value.
    body = f"[<s>x</s>, {text}]"
    args: dict[str, Any] = {"unquoted_keys": True, "string_delims": [("<s>", "</s>"), ("[", "]")]}
    same(lambda: parse_json_dialect(body, **args), lambda: parse_content(body, "json", args))


space, word = f"[{SPACE}]", f"[{WORD}]"
PARAMETER = r"<p=(?P<key>\w+)>\s*(?P<value>.*?)\s*</p>"
LINES = r"<p=(?P<key>[^>\n]+)>\n?(?P<value>.*?)\n?</p>"
PAIRS = r"<k>\s*(?P<key>.*?)\s*</k>\s*<v>(?P<value>.*?)</v>"
NO_VALUE = r"<(?P<key>\w)>"
OPTIONAL_VALUE = r"<(?P<key>p)(?:=(?P<value>a))?>"

end = re.compile("</p>")
Tags = Callable[..., dict[str, Any]]


def by_pattern(pattern: str, ends_with: str | None = None) -> Tags:
    tag = regex.compile(pattern, regex.DOTALL)
    return lambda body, **options: parse_xml_inline(body, tag, ends_with, **options)


def by_parts(opener: str, *parts: Any) -> Tags:
    return lambda body, **options: parse_xml_parts(body, re.compile(opener), parts, **options)


tag_readers: list[tuple[str, Tags]] = [
    (PARAMETER, by_pattern(PARAMETER, "</p>")),
    (PARAMETER, by_parts(f"<p=(?P<key>{word}+)>{space}*", ("value", trim_space, end))),
    (LINES, by_pattern(LINES, "</p>")),
    (LINES, by_parts(r"<p=(?P<key>[^>\n]+)>\n?", ("value", trim_newline, end))),
    (PAIRS, by_pattern(PAIRS)),
    (
        PAIRS,
        by_parts(
            f"<k>{space}*",
            ("key", trim_space, re.compile(f"</k>{space}*<v>")),
            ("value", None, re.compile("</v>")),
        ),
    ),
    (NO_VALUE, by_pattern(NO_VALUE)),
    (OPTIONAL_VALUE, by_pattern(OPTIONAL_VALUE, ">")),
]


def json_or_text(text: str) -> Any:
    return parse_json_dialect(text, allow_non_json=True)


value_parsers: list[tuple[Any, Callable[[str], Any] | None]] = [
    (None, None),
    ({"name": "json", "args": {"allow_non_json": True}}, json_or_text),
    ({"name": "json"}, parse_json),
    ({"name": "int"}, parse_int),
    ({"name": "bool"}, parse_bool),
    ({"name": "kv-lines", "args": {}}, parse_kv_lines),
    ({"args": {}}, parse_text),
]


@settings(many, max_examples=600)
@given(
    texts(
        *("<p=a>", "<p=b>", "</p>", "\n", " ", "\x1c", "x", "1", '"s"', "<p=", "<p>", ">", "<k>"),
        *("</k>", "<v>", "</v>", "\xe9", "\u3000", "</k><v>", "<p=a>1</p>", "<k>b</k> <v>x</v>"),
        size=16,
    ),
    st.sampled_from(tag_readers),
    st.sampled_from(value_parsers),
    st.booleans(),
)
def test_xml_inline(
    body: str, reader: tuple[str, Tags], value_parser: tuple[Any, Any], merge: bool
) -> None:
    (pattern, tags), (name, value) = reader, value_parser
    args = {"tag_pattern": pattern, "value_parser": name, "merge_duplicates": merge}
    same(
        lambda: tags(body, value=value, merge_duplicates=merge),
        lambda: parse_content(body, "xml-inline", args),
    )


@many
@given(
    texts("a", "b", ":", "=", "\n", ";", " ", "\x1c", "1", "\xe9", "\r\n", "::"),
    st.sampled_from(["\n", ";", " ", ": ", ""]),
    st.sampled_from([":", "=", " ", "::", ""]),
    st.booleans(),
    st.sampled_from(value_parsers),
)
def test_kv_lines(
    body: str, line_sep: str, kv_sep: str, strip: bool, value_parser: tuple[Any, Any]
) -> None:
    name, value = value_parser
    args: dict[str, Any] = {"line_sep": line_sep, "kv_sep": kv_sep, "strip": strip}
    same(
        lambda: parse_kv_lines(body, value=value, **args),
        lambda: parse_content(body, "kv-lines", args | {"value_parser": name}),
    )


atoms = [
    *("1", "-0", "0", "1.5", "-2e3", "1e400", "9007199254740992", "True", "null", "truex", "1."),
    *(r'"x\n"', "'a\"b'", r'"\ud83d\uDE00"', r'"\uD83D"', r"'\''", r'"\x"', '"\ud800"', '"a\nb"'),
]
call_values = st.recursive(
    st.sampled_from(atoms),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
        st.lists(st.tuples(st.sampled_from(['"a"', "'b'", '"c"', "d"]), inner), max_size=3)
        .map(lambda entries: ", ".join(f"{key} :{value}" for key, value in entries))
        .map(lambda entries: "{" + entries + "}"),
    ),
    max_leaves=6,
)
calls = (
    st.lists(st.tuples(st.sampled_from(["a", "b", "c-d", "e"]), call_values), max_size=3)
    .map(lambda arguments: "f.g (" + ",".join(f"{key}= {value}" for key, value in arguments) + ")")
    .flatmap(lambda call: st.sampled_from([f"[{call}]", f"[{call}, h()] ", f"[{call},]"]))
)
call_pieces = texts(
    *("[", "]", "f", "(", ")", "a=", "a", "=", ",", '"x"', "'", '"', "\\", "\\u0041", "\\ud83d"),
    *("1", "-", "01", "1e5", "True", "{", "}", ":", '"k":', " ", "\n", "\x0b", "f(a=", ")]", "#"),
)


@settings(many, max_examples=600)
@given(st.one_of(calls, call_pieces, call_pieces.map(lambda text: f"[f(a={text})]")))
@example("[f(a=" + "[" * 100 + "]" * 100 + ")]")
@example("[f(a=" + "[" * 101 + "]" * 101 + ")]")
def test_python_call_list(body: str) -> None:
    same(lambda: parse_python_call_list(body), lambda: parse_content(body, "python-call-list", {}))


@dataclass
class TransformedField:
    """What the reference reads of a field."""

    transform: Any
    transform_each: bool = False
    name: str = "field"
    content: str = "json"

    @property
    def content_args(self) -> dict[str, Any]:
        return {}


json_values = st.recursive(
    st.sampled_from(["1", "null", '"text"']),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: f"[{','.join(items)}]"),
        st.dictionaries(st.sampled_from(["a", "b", "content"]), inner, max_size=3).map(
            lambda entries: "{" + ",".join(f'"{key}":{entries[key]}' for key in entries) + "}"
        ),
    ),
    max_leaves=8,
)
paths = st.lists(st.sampled_from(["content", "a", "b", "c"]), min_size=1, max_size=3)
captures = st.dictionaries(st.sampled_from(["a", "c", "content"]), st.just("captured"))


@many
@given(json_values, paths, captures)
def test_placeholders(body: str, parts: list[str], captured: dict[str, str]) -> None:
    path = ".".join(parts)
    scope = Scope({**captured, "content": parse_json(body)})
    same(
        lambda: {"x": descend(scope[parts[0]], path)},
        lambda: process_field(body, TransformedField({"x": f"{{{path}}}"}), captured),
    )


@many
@given(json_values, paths, captures)
def test_transform_each(body: str, parts: list[str], captured: dict[str, str]) -> None:
    path = ".".join(parts)
    same(
        lambda: [
            descend(scope[parts[0]], path) for scope in each_scope(parse_json(body), captured)
        ],
        lambda: process_field(body, TransformedField(f"{{{path}}}", True), captured),
    )


type_names = st.sampled_from(
    ["integer", "number", "boolean", "null", "object", "array", "string", "any", None, 3]
)
schemas: st.SearchStrategy[Any] = st.recursive(
    st.fixed_dictionaries(
        {},
        optional={
            "type": st.one_of(type_names, st.lists(type_names, max_size=4)),
            "nullable": st.sampled_from([True, False, None]),
        },
    ),
    lambda inner: st.one_of(
        st.builds(
            lambda base, union, choices: {**base, union: choices},
            inner,
            st.sampled_from(["anyOf", "oneOf", "allOf"]),
            st.one_of(st.lists(inner, max_size=3), st.none()),
        ),
        st.sampled_from([True, None, "integer", {"anyOf": {"type": "null"}}, {"oneOf": "text"}]),
    ).filter(lambda schema: isinstance(schema, dict)),
    max_leaves=4,
)


def is_coarse(text: str) -> bool:
    """Whether a float may be too coarse for the number: there we keep more digits on purpose."""
    try:
        return 2**53 <= abs(float(text)) < math.inf
    except ValueError:
        return False


written = [
    *("3.0", "1e3", "-0", "1_000", "nan", "inf", "1e400", "0", "1", "null", "{}", '[1,"2"]', "x"),
    *('{"a":1}', "1.50", "[NaN]", "1e-400", "", " TRUE ", " None", "1" * 400, "1" * 5000),
]
argument_texts = st.one_of(
    st.sampled_from(written),
    st.integers(-(2**53) + 1, 2**53 - 1).map(str),
    st.floats().map(repr),
    texts("1", "0", "_", ".", "e", "-", " ", "\u0663"),
).filter(lambda text: not is_coarse(text))
arguments = st.one_of(
    argument_texts, st.lists(st.one_of(argument_texts, st.none()), max_size=3), st.integers()
)


@settings(many, max_examples=500)
@given(schemas, schemas, arguments, arguments, st.sampled_from(["one", "list", "nested"]))
def test_argument_types(x: Any, y: Any, for_x: Any, for_y: Any, shape: str) -> None:
    parameters = {"properties": {"x": x, "y": y}}
    tools: list[Any] = [{"type": "function", "function": {"name": "f", "parameters": parameters}}]
    call = {"function": {"name": "f", "arguments": {"x": for_x, "y": for_y, "z": "1"}}}
    other = {"function": {"name": "g", "arguments": {"x": for_x}}}
    value = {"one": call, "list": [other, call], "nested": ["text", [[call], None]]}[shape]
    oracle = ResponseParser({"fields": {"c": {}}, "start_anchor": "<a>"}, prefix="", tools=tools)
    same(
        lambda: cast_arguments(copy.deepcopy(value), argument_types(tools)),
        lambda: oracle._coerce_tool_calls(copy.deepcopy(value)),
    )


@many
@given(schemas, argument_texts)
def test_types_that_never_cast_may_be_left_out(schema: Any, text: str) -> None:
    assume(isinstance(schema, dict))
    types = argument_types([{"name": "f", "parameters": {"properties": {"x": schema}}}])["f"]
    assert repr(_coerce(text, types.get("x", ()))) == repr(_coerce(text, _schema_types(schema)))


@many
@given(st.integers(min_value=-(10**300), max_value=10**300), st.sampled_from(["integer", "number"]))
def test_integers_keep_all_their_digits(number: int, type_name: str) -> None:
    call = {"function": {"name": "f", "arguments": {"x": str(number), "y": f"{number}.0"}}}
    cast_arguments(call, {"f": {"x": (type_name,), "y": ("integer",)}})
    assert repr(call["function"]["arguments"]) == repr({"x": number, "y": number})
