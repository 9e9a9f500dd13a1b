"""How a region's text becomes its value: content parser, transform and folding, as Python source.

    {"content": "json", "repeats": true, "transform": {"type": "function", "function": "{content}"}}

becomes

    content = parse_json(self.whole_body())
    value = {"type": "function", "function": content}
    ...
    self.message.setdefault("tool_calls", []).append(value)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

import regex

from compiler.backends.python.tags import cut_tag
from compiler.delimiters.derive import content_pattern
from compiler.delimiters.nodes import Node
from compiler.delimiters.pattern import parse_pattern
from compiler.frontend.syntax import Field

# Content parser -> runtime module and function: the one place that knows what the runtime offers.
PARSERS: Mapping[str, tuple[str, str]] = {
    "text": ("runtime.content.text", "parse_text"),
    "int": ("runtime.content.integer", "parse_int"),
    "float": ("runtime.content.floating", "parse_float"),
    "bool": ("runtime.content.boolean", "parse_bool"),
    "json": ("runtime.content.json_text", "parse_json"),
    "xml-inline": ("runtime.content.xml_inline", "parse_xml_inline"),
    "kv-lines": ("runtime.content.kv_lines", "parse_kv_lines"),
    "python-call-list": ("runtime.content.python_call_list", "parse_python_call_list"),
}
NESTED = "text"  # the variable that a nested value parser is given
JSON_DIALECT = ("runtime.content.json_dialect", "parse_json_dialect")
_DIALECT = ("unquoted_keys", "string_delims", "allow_non_json")
PLAIN = {"text", "int", "float", "bool"}  # their chunks are part of the value already: not dirty

_PLACEHOLDER = regex.compile(r"\{(\w+(?:\.\w+)*)\}")


@dataclass(frozen=True)
class Where:
    """The expressions for what a value is made of, where the source will stand."""

    body: str
    whole_body: str  # raises where the end of the text cut a structured region off
    captures: str
    tools: str
    message: str


IN_PARSER = Where("self.body()", "self.whole_body()", "self.captures", "self.tools", "self.message")


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


@dataclass(frozen=True)
class Value:
    """The source that makes and stores one field's value."""

    structured: bool  # may fail, and the end of the text may cut it off
    lines: tuple[str, ...]  # make `value`
    store: str  # put it in the message
    functions: tuple[Function, ...]
    constants: tuple[Constant, ...]
    imports: frozenset[tuple[str, str]]  # (module, name)
    joined: str | None  # the separator, where pieces are kept and joined at the end


@dataclass(frozen=True)
class _Call:
    """A parser call under construction: its source, and all that it needs."""

    source: str
    functions: tuple[Function, ...] = ()
    constants: tuple[Constant, ...] = ()
    imports: frozenset[tuple[str, str]] = frozenset()


def value_of(field: Field, slug: str, defaults: Mapping[str, Any], where: Where) -> Value:
    """The source for one field; `slug` prefixes the names it defines."""
    plain_text = field.content == "text" and field.transform is None
    body = where.body if plain_text else where.whole_body
    call = _parse(field.content, field.content_args, body, slug, field.pointer)
    imports = set(call.imports)
    if field.transform is None:
        lines = [f"value = {call.source}"]
    elif field.transform_each:
        imports.add(("runtime.transform", "each_scope"))
        item = _transform(field.transform, "scope", False, imports)
        lines = [
            f"content = {call.source}",
            f"value = [{item} for scope in each_scope(content, {where.captures})]",
        ]
    else:
        lines = [
            f"content = {call.source}",
            f"value = {_transform(field.transform, where.captures, True, imports)}",
        ]
    if field.transform is not None or field.content not in PLAIN:
        imports.add(("runtime.tools", "cast_arguments"))
        lines += [f"if {where.tools}:", f"    value = cast_arguments(value, {where.tools})"]
    store, joined, sound = _store(field, defaults, where.message, plain_text, lines, imports)
    return Value(
        structured=not plain_text or not sound,
        lines=tuple(lines),
        store=store,
        functions=call.functions,
        constants=call.constants,
        imports=frozenset(imports),
        joined=joined,
    )


def _store(
    field: Field,
    defaults: Mapping[str, Any],
    message: str,
    plain_text: bool,
    lines: list[str],
    imports: set[tuple[str, str]],
) -> tuple[str, str | None, bool]:
    """The statement that stores `value`, a joined field's separator, and whether it is sound."""
    key, default = repr(field.name), defaults.get(field.name)
    if field.join is not None:
        if not plain_text:
            imports.add(("runtime.transform", "join_text"))
            lines.append("value = join_text(value)")
        if default is None or isinstance(default, str):
            return f"{message}.setdefault({key}, []).append(value)", field.join, True
        # The default cannot be joined to: as in the reference, the first region raises.
        return f"{message}[{key}] = {message}[{key}] + {field.join!r} + value", None, False
    if field.repeats:
        sound = field.name not in defaults or isinstance(default, list)
        return f"{message}.setdefault({key}, []).append(value)", None, sound
    return f"{message}[{key}] = value", None, True


def _transform(transform: Any, scope: str, whole: bool, imports: set[tuple[str, str]]) -> str:
    """The transform as the literal it is.

    `scope` is the expression for what its placeholders name; if it transforms the `whole` content,
    that is the variable `content`.
    """
    if isinstance(transform, dict):
        items = (
            f"{key!r}: {_transform(item, scope, whole, imports)}" for key, item in transform.items()
        )
        return "{" + ", ".join(items) + "}"
    if isinstance(transform, list):
        return "[" + ", ".join(_transform(item, scope, whole, imports) for item in transform) + "]"
    placeholder = _PLACEHOLDER.fullmatch(transform) if isinstance(transform, str) else None
    if placeholder is None:
        return literal(transform)
    path = placeholder[1]
    root = path.partition(".")[0]
    source = "content" if whole and root == "content" else f"{scope}[{root!r}]"
    if path == root:
        return source
    imports.add(("runtime.transform", "descend"))
    return f"descend({source}, {path!r})"


def literal(value: Any) -> str:
    """A JSON value as a Python expression; NaN and Infinity have no literal of their own."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {literal(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    if isinstance(value, float) and not isfinite(value):
        return f'float("{value}")'
    return repr(value)


def _parse(content: str, args: Mapping[str, Any], text: str, slug: str, pointer: str) -> _Call:
    """The call of a content parser on the expression `text`."""
    module, name = PARSERS[content]
    keywords: list[str] = []
    strips = args.get("strip", True)
    if content == "text" and text != NESTED:
        return _Call(f"{text}.strip()" if strips else text)
    if content == "text" and not strips:
        return _Call(text)
    if content in ("int", "float", "bool") and not strips:
        keywords.append("strip=False")
    if content == "json" and any(args.get(key) for key in _DIALECT):
        module, name = JSON_DIALECT
        keywords += _json_keywords(args)
    if content == "kv-lines":
        keywords += [
            f"{key}={args[key]!r}" for key in ("line_sep", "kv_sep", "strip") if key in args
        ]
    constants: tuple[Constant, ...] = ()
    functions: tuple[Function, ...] = ()
    imports = {(module, name)}
    positional = [text]
    if content == "xml-inline":
        comment = f"{pointer}/content_args/tag_pattern"
        pattern = parse_pattern(args["tag_pattern"])
        function, arguments, constants, more = _tags(pattern, f"{slug.upper()}_TAG", comment)
        name, imports = function, {(module, function), *more}
        positional += arguments
        if args.get("merge_duplicates"):
            keywords.append("merge_duplicates=True")
    if content in ("xml-inline", "kv-lines") and args.get("value_parser") is not None:
        value, nested = _value_parser(args["value_parser"], slug, f"{pointer}/content_args")
        keywords.append(f"value={value}")
        constants += nested.constants
        functions = nested.functions
        imports |= nested.imports
    source = f"{name}({', '.join(positional + keywords)})"
    return _Call(source, functions, constants, frozenset(imports))


def _tags(
    pattern: Node, name: str, comment: str
) -> tuple[str, list[str], tuple[Constant, ...], set[tuple[str, str]]]:
    """The function that finds tags, its arguments, their constants and imports."""
    module = PARSERS["xml-inline"][0]
    parts = cut_tag(pattern)
    if parts is None:
        whole = content_pattern(pattern)
        constant = Constant(name, comment, whole.final.source(), whole.engine)
        return "parse_xml_inline", [name, repr(whole.ends_with)], (constant,), set()
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
    imports = {(module, part.trim) for part in parts.parts if part.trim}
    return "parse_xml_parts", [name, f"[{', '.join(arguments)}]"], tuple(constants), imports


def _json_keywords(args: Mapping[str, Any]) -> list[str]:
    keywords = []
    if args.get("unquoted_keys"):
        keywords.append("unquoted_keys=True")
    if args.get("string_delims"):
        pairs = ", ".join(f"({opener!r}, {closer!r})" for opener, closer in args["string_delims"])
        keywords.append(f"string_delims=({pairs},)")
    if args.get("allow_non_json"):
        keywords.append("allow_non_json=True")
        if not args.get("strip", True):
            keywords.append("strip=False")
    return keywords


def _value_parser(spec: Mapping[str, Any], slug: str, pointer: str) -> tuple[str, _Call]:
    """The name of a function str -> value for a nested parser, and what it needs."""
    name = f"{slug}_value"
    where = f"{pointer}/value_parser"
    call = _parse(spec.get("name", "text"), spec.get("args", {}), NESTED, name, where)
    plain = re.fullmatch(r"(\w+)\(text\)", call.source)
    if plain:
        return plain[1], call
    function = Function(f"parse_{name}", where, call.source)
    return function.name, _Call("", (*call.functions, function), call.constants, call.imports)
