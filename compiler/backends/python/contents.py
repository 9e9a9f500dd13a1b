"""The call of a content parser, as Python source, and all that it needs.

    {"content": "json", "content_args": {"unquoted_keys": true}}

becomes `parse_json_dialect(text, unquoted_keys=True)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from compiler.backends.python.tags import cut_tag
from compiler.delimiters.derive import content_pattern
from compiler.delimiters.nodes import Node
from compiler.delimiters.pattern import parse_pattern
from compiler.frontend.fields import TYPED_ALREADY
from compiler.frontend.syntax import Content

# Content parser -> runtime module and function: the one place that knows what the runtime offers.
PARSERS: Mapping[str, tuple[str, str]] = {
    "text": ("runtime.content.text", "parse_text"),
    "int": ("runtime.content.integer", "parse_int"),
    "float": ("runtime.content.floating", "parse_float"),
    "bool": ("runtime.content.boolean", "parse_bool"),
    "json": ("runtime.content.json_text", "parse_json"),
    "xml-inline": ("runtime.content.xml_inline", "parse_xml_inline"),
    "xml-tree": ("runtime.content.xml_tree", "parse_xml_tree"),
    "kv-lines": ("runtime.content.kv_lines", "parse_kv_lines"),
    "python-call-list": ("runtime.content.python_call_list", "parse_python_call_list"),
}
NESTED = "text"  # the variable that a nested value parser is given
JSON_DIALECT = ("runtime.content.json_dialect", "parse_json_dialect")
_STRICT_JSON = ("runtime.content.json_text", "parse_strict_json")
_JSON_VALUES = ("runtime.content.json_values", "parse_json_values")
_PYTHON_CALLS = ("runtime.content.python_calls", "parse_python_calls")
_XML_TAGS = "runtime.content.xml_tags"
_FIRST_OF = ("runtime.content.first_of", "parse_first")
_VALUES = ("python_literals", "bare_keys", "many", "entries")
_SEPARATORS = {"comma": ",", "newline": "\n"}
_EVERY_KEY = ("runtime.dialect_tools", "EVERY_KEY")
PLAIN = {"text", "int", "float", "bool"}  # their chunks are part of the value already: not dirty


@dataclass(frozen=True)
class Function:
    """A small function of the module: a nested value parser with its arguments filled in."""

    name: str
    comment: str
    expression: str  # of `text`


@dataclass(frozen=True)
class Constant:
    """A compiled pattern of the module."""

    name: str
    comment: str
    source: str  # a Python expression
    engine: str  # "re" or "regex"


def pattern_constant(name: str, comment: str, written: str) -> Constant:
    """For a pattern that matches a text as a whole."""
    pattern = content_pattern(parse_pattern(written))
    return Constant(name, comment, pattern.final.source(), pattern.engine)


@dataclass(frozen=True)
class ContentCall:
    """A parser call: its source, and all that it needs."""

    source: str
    functions: tuple[Function, ...] = ()
    constants: tuple[Constant, ...] = ()
    imports: frozenset[tuple[str, str]] = frozenset()  # (module, name)
    typed: bool = False  # it gives the value and the keys that need no cast

    def value_only(self) -> ContentCall:
        """The same without the keys."""
        return replace(self, source=f"{self.source}[0]", typed=False) if self.typed else self

    def with_keys(self, name: str) -> ContentCall:
        """The call of the parser `name`, with the keys: every one where all values have types."""
        if self.typed:
            return self
        if name not in TYPED_ALREADY:
            return replace(self, source=f"{self.source}, ()")
        imports = self.imports | {_EVERY_KEY}
        return replace(self, source=f"{self.source}, {_EVERY_KEY[1]}", imports=imports)


@dataclass(frozen=True)
class Context:
    """Where a parser stands."""

    slug: str  # prefixes the names it defines
    place: str  # what comments say before the name of an argument
    extended: bool  # by the rules of the dialect
    as_written: bool = False  # text is not stripped unless the arguments say so


def content_call(content: Content, text: str, context: Context) -> ContentCall:
    """The call of a content parser on the expression `text`."""
    name, args = content.name, content.args
    if name in PLAIN:
        return _plain_call(name, args, text, context)
    if name == "json":
        return _json_call(args, text, context)
    if name == "xml-inline":
        return _xml_inline_call(args, text, context)
    if name == "kv-lines":
        keywords = [
            f"{key}={args[key]!r}" for key in ("line_sep", "kv_sep", "strip") if key in args
        ]
        nested, maker = _value_parser(args.get("value_parser"), context)
        return _call(PARSERS[name], [text, *keywords, *maker], nested)
    if name == "xml-tree":
        keywords = [f"{key}={args[key]!r}" for key in ("tag_prefix", "item_tag") if key in args]
        return _call(PARSERS[name], [text, *keywords])
    if name == "python-call-list" and context.extended:
        return _python_calls(args, text)
    return _call(PARSERS[name], [text])


def first_call(contents: list[tuple[Content, Context]], text: str, typed: bool) -> ContentCall:
    """The call of several content parsers, of which the first that can read the text counts.

    If `typed`, each gives the keys that need no cast as well.
    """
    makers = []
    needs = _NOTHING
    for content, context in contents:
        call = content_call(content, NESTED, context)
        name, call = _function(
            call.with_keys(content.name) if typed else call.value_only(),
            context.slug,
            context.place.rstrip(": "),
        )
        makers.append(name)
        needs = _together(needs, call)
    return replace(_call(_FIRST_OF, [text, *makers], needs), typed=typed)


_NOTHING = ContentCall("")


def _call(
    parser: tuple[str, str], arguments: list[str], needs: ContentCall = _NOTHING
) -> ContentCall:
    source = f"{parser[1]}({', '.join(arguments)})"
    return replace(needs, source=source, imports=needs.imports | {parser}, typed=False)


def _together(first: ContentCall, second: ContentCall) -> ContentCall:
    """What both need."""
    return ContentCall(
        "",
        (*first.functions, *second.functions),
        (*first.constants, *second.constants),
        first.imports | second.imports,
    )


def _plain_call(name: str, args: Mapping[str, Any], text: str, context: Context) -> ContentCall:
    strips = args.get("strip", not (context.as_written and name == "text"))
    if name == "text" and text != NESTED:
        return ContentCall(f"{text}.strip()" if strips else text)
    if name == "text" and not strips:
        return ContentCall(text)
    keywords = [] if strips else ["strip=False"]
    if name == "float" and context.extended:
        keywords.append("finite=True")
    return _call(PARSERS[name], [text, *keywords])


def _json_call(args: Mapping[str, Any], text: str, context: Context) -> ContentCall:
    keywords = list(_json_keywords(args))
    if context.extended:
        flags = [f"{key}=True" for key in _VALUES if args.get(key)]
        if args.get("unquoted_keys") and not args.get("bare_keys"):
            flags.append("bare_keys=True")
        keywords = [*flags, *keywords]
        return _call(_JSON_VALUES if keywords else _STRICT_JSON, [text, *keywords])
    if args.get("unquoted_keys"):
        keywords.insert(0, "unquoted_keys=True")
    return _call(JSON_DIALECT if keywords else PARSERS["json"], [text, *keywords])


def _json_keywords(args: Mapping[str, Any]) -> Iterator[str]:
    if args.get("string_delims"):
        pairs = ", ".join(f"({opener!r}, {closer!r})" for opener, closer in args["string_delims"])
        yield f"string_delims=({pairs},)"
    if args.get("allow_non_json"):
        yield "allow_non_json=True"
        if not args.get("strip", True):
            yield "strip=False"


def _python_calls(args: Mapping[str, Any], text: str) -> ContentCall:
    keywords = []
    if not args.get("brackets", True):
        keywords.append("brackets=False")
    separator = _SEPARATORS[args.get("separator", "comma")]
    if separator != ",":
        keywords.append(f"separator={separator!r}")
    if args.get("methods"):
        keywords.append("methods=True")
    return _call(_PYTHON_CALLS, [text, *keywords])


def _xml_inline_call(args: Mapping[str, Any], text: str, context: Context) -> ContentCall:
    tags = _Tags.of(parse_pattern(args["tag_pattern"]), context)
    keywords = ["merge_duplicates=True"] if args.get("merge_duplicates") else []
    nested, maker = _value_parser(args.get("value_parser"), context)
    needs, keywords = _together(tags.needs, nested), [*keywords, *maker]
    module = PARSERS["xml-inline"][0]
    if not context.extended:
        return _call((module, f"parse_xml_{tags.kind}"), [text, *tags.arguments, *keywords], needs)
    finder = "find_tags" if tags.kind == "inline" else "find_tag_parts"
    needs, outside = _outside(args.get("outside_pattern"), context, needs)
    found = _call((module, finder), [text, *tags.arguments, outside], needs)
    if args.get("unescape"):
        keywords.append("unescape=True")
    if not args.get("types"):
        return _call((_XML_TAGS, "parse_tags"), [found.source, *keywords], found)
    types, needs = _types(args["types"], context, found)
    call = _call((_XML_TAGS, "parse_typed_tags"), [found.source, types, *keywords], needs)
    return replace(call, typed=True)


def _outside(written: str | None, context: Context, needs: ContentCall) -> tuple[ContentCall, str]:
    """The argument that tells which text may stand outside of tags, and what that needs."""
    if written is None:
        return needs, "outside=str.isspace"
    name = f"{context.slug.upper()}_OUTSIDE"
    constant = pattern_constant(name, f"{context.place}outside_pattern", written)
    needs = replace(needs, constants=(*needs.constants, constant))
    return needs, f"outside={name}.fullmatch"


def _types(
    types: Mapping[str, Any], context: Context, needs: ContentCall
) -> tuple[str, ContentCall]:
    """What makes a value of each type, as a dict, and what that needs besides."""
    items = []
    for number, (kind, written) in enumerate(types.items(), 1):
        spec: Mapping[str, Any] = {"name": written} if isinstance(written, str) else written
        content = Content(spec["name"], spec.get("args", {}))
        place = f"{context.place}types/{kind}"
        inner = Context(f"{context.slug}_type_{number}", f"{place}: ", True, as_written=True)
        call = content_call(content, NESTED, inner).value_only()
        maker = "None"
        if call.source != NESTED:
            maker, call = _function(call, inner.slug, place)
        items.append(f"{kind!r}: {maker}")
        needs = _together(needs, call)
    return "{" + ", ".join(items) + "}", needs


@dataclass(frozen=True)
class _Tags:
    """How tags are found: by the pattern, or by its parts."""

    kind: str  # "inline" or "parts"
    arguments: tuple[str, ...]
    needs: ContentCall

    @classmethod
    def of(cls, pattern: Node, context: Context) -> _Tags:
        name, comment = f"{context.slug.upper()}_TAG", f"{context.place}tag_pattern"
        parts = cut_tag(pattern)
        if parts is None:
            whole = content_pattern(pattern)
            constant = Constant(name, comment, whole.final.source(), whole.engine)
            needs = ContentCall("", constants=(constant,))
            return cls("inline", (name, repr(whole.ends_with)), needs)
        opener = content_pattern(parts.opener)
        constants = [Constant(name, f"{comment}, its opener", opener.final.source(), opener.engine)]
        arguments = []
        for number, part in enumerate(parts.parts, 1):
            closer = content_pattern(part.closer)
            closes = f"{name}_CLOSE" if len(parts.parts) == 1 else f"{name}_CLOSE_{number}"
            constants.append(
                Constant(closes, f"{comment}, a closer", closer.final.source(), closer.engine)
            )
            arguments.append(f"({part.gap!r}, {part.trim}, {closes})")
        module = PARSERS["xml-inline"][0]
        imports = frozenset((module, part.trim) for part in parts.parts if part.trim)
        needs = ContentCall("", constants=tuple(constants), imports=imports)
        return cls("parts", (name, f"[{', '.join(arguments)}]"), needs)


def _value_parser(
    spec: Mapping[str, Any] | None, context: Context
) -> tuple[ContentCall, list[str]]:
    """What a nested value parser needs, and the argument that gives it; nothing for none."""
    if spec is None:
        return _NOTHING, []
    slug, place = f"{context.slug}_value", f"{context.place}value_parser"
    content = Content(spec.get("name", "text"), spec.get("args", {}))
    inner = Context(slug, f"{place}/content_args/", context.extended)
    name, needs = _function(content_call(content, NESTED, inner).value_only(), slug, place)
    return needs, [f"value={name}"]


def _function(call: ContentCall, slug: str, comment: str) -> tuple[str, ContentCall]:
    """The name of a function str -> value that makes the call, and what it needs."""
    plain = re.fullmatch(r"(\w+)\(text\)", call.source)
    if plain:
        return plain[1], call
    function = Function(f"parse_{slug}", comment, call.source)
    return function.name, replace(call, functions=(*call.functions, function))
