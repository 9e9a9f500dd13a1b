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
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

from compiler.backends.python.contents import (
    Constant,
    ContentCall,
    Context,
    Function,
    content_call,
    first_call,
)
from compiler.backends.python.names import is_dirty
from compiler.frontend.fields import TYPED_ALREADY
from compiler.frontend.placeholders import Placeholder, placeholder_in
from compiler.frontend.syntax import Content, Field, Template


@dataclass(frozen=True)
class Where:
    """The expressions for what a value is made of, where the source will stand."""

    body: str
    whole_body: str  # raises where the end of the text cut a structured region off
    closed_body: str  # raises where its closer has not come
    captures: str
    tools: str
    message: str


IN_PARSER = Where(
    "self.body()",
    "self.whole_body()",
    "self.closed_body()",
    "self.captures",
    "self.tools",
    "self.message",
)
# Of a parser that may take ids: its content parsers see no guards (runtime/token_ids.py).
IN_ID_PARSER = replace(
    IN_PARSER,
    body="self.plain(self.body())",
    whole_body="self.plain(self.whole_body())",
    closed_body="self.plain(self.closed_body())",
)
UNESCAPE_CAPTURES = ("runtime.content.xml_tags", "unescape_captures")
# Of a value that can be made of a text, no beginning of the text makes one.
_SELF_DELIMITING = ("json", "python-call-list")


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


def value_in_parser(field: Field, slug: str, template: Template) -> Value:
    """The source for one field in a parser; `slug` prefixes the names it defines."""
    if not template.special:
        return value_of(field, slug, template.defaults, IN_PARSER)
    if not looks_for(field, template.special):
        return value_of(field, slug, template.defaults, IN_ID_PARSER)
    value = value_of(field, slug, template.defaults, IN_PARSER)
    return replace(value, lines=(*value.lines, "value = self.plain(value)"))


def looks_for(field: Field, markers: Iterable[str]) -> bool:
    """Whether a content parser looks for one of the markers, and so must see the quoted ones."""
    args = [field.content_args, *(other.args for other in field.other_contents)]
    texts = [each for text in _texts(args) for each in (text, re.sub(r"\\(.)", r"\1", text))]
    return any(marker in text for marker in markers for text in texts)


def _texts(args: Any) -> Iterator[str]:
    if isinstance(args, str):
        yield args
    elif isinstance(args, (Mapping, list)):
        for item in args.values() if isinstance(args, Mapping) else args:
            yield from _texts(item)


def value_of(field: Field, slug: str, defaults: Mapping[str, Any], where: Where) -> Value:
    """The source for one field, where it will stand."""
    plain_text = field.content == "text" and field.transform is None and not field.other_contents
    whole_body = where.closed_body if needs_closer(field) else where.whole_body
    body = where.body if plain_text else whole_body
    call = _content(field, body, slug)
    imports = set(call.imports)
    typed = ", typed" if call.typed else ""
    if field.transform is None:
        lines = [f"value{typed} = {call.source}"]
    elif field.transform_each:
        imports.add(("runtime.transform", "each_scope"))
        item = _Transform(_Scope("scope"), False, field.extended, imports).source(field.transform)
        captures = _captures(field, where).used(imports)
        lines = [
            f"content{typed} = {call.source}",
            f"value = [{item} for scope in each_scope(content, {captures})]",
        ]
    else:
        whole = _Transform(_captures(field, where), True, field.extended, imports)
        lines = [f"value = {whole.source(field.transform)}"]
        has_text = field.closes_with != "opener"  # which may be cut off, so it is looked at
        if has_text or _names_content(field.transform, field.extended):
            lines.insert(0, f"content{typed} = {call.source}")
    if field.makes_calls:
        imports.add(("runtime.transform", "require_call"))
        each = field.transform_each
        lines += (
            ["for call in value:", "    require_call(call)"] if each else ["require_call(value)"]
        )
    lines += _with_tools(field, where.tools, call.typed, imports)
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


def _names_content(transform: Any, extended: bool) -> bool:
    """Whether a placeholder of the transform names the content."""
    if isinstance(transform, (dict, list)):
        items = transform.values() if isinstance(transform, dict) else transform
        return any(_names_content(item, extended) for item in items)
    found = placeholder_in(transform, extended) if isinstance(transform, str) else None
    return any(path.partition(".")[0] == "content" for path in (found.paths if found else ()))


def needs_closer(field: Field) -> bool:
    """Whether a beginning of a region may have a value too, and a closer tells where it ends."""
    if not field.extended or not (field.closer or field.closes_with):
        return False
    contents = (field.content, *(other.name for other in field.other_contents))
    return any(content not in (*_SELF_DELIMITING, "text") for content in contents)


def _content(field: Field, body: str, slug: str) -> ContentCall:
    first = Content(field.content, field.content_args)
    place = f"{field.pointer}/content"
    if not field.other_contents:
        comment = f"{place}: " if field.extended else f"{place}_args/"
        call = content_call(first, body, Context(slug, comment, field.extended))
        return call if field.casts else call.value_only()
    contents = [
        (content, Context(f"{slug}_content_{number}", f"{place}/{number}: ", field.extended))
        for number, content in enumerate((first, *field.other_contents))
    ]
    by_parser = {content.name in TYPED_ALREADY for content, _ in contents}
    by_tag = any(content.args.get("types") for content, _ in contents)
    return first_call(contents, body, typed=field.casts and (by_tag or len(by_parser) > 1))


def _captures(field: Field, where: Where) -> _Scope:
    """The captures as a transform sees them: without XML's entities, if the content has them."""
    contents = (field.content_args, *(other.args for other in field.other_contents))
    if not any(args.get("unescape") for args in contents):
        return _Scope(where.captures)
    module, name = UNESCAPE_CAPTURES
    return _Scope(f"{name}({where.captures})", frozenset({(module, name)}))


def _with_tools(
    field: Field, tools: str, typed: bool, imports: set[tuple[str, str]]
) -> Iterator[str]:
    """What is done with `value` where there are tools."""
    steps = []
    if field.offered:
        imports.add(("runtime.dialect_tools", "require_offered"))
        steps.append(f"require_offered(value, {tools})")
    if field.casts and (field.transform is not None or is_dirty(field)):
        module, cast = _cast(field)
        imports.add((module, cast))
        if has_leaves(field):
            imports.add((module, NESTED_TYPES))
        steps.append(f"value = {cast}(value, {tools}{', typed' if typed else ''})")
    if steps:
        yield f"if {tools}:"
        yield from (f"    {step}" for step in steps)


NESTED_TYPES = "nested_argument_types"  # what cast_leaves needs of the tools


def _cast(field: Field) -> tuple[str, str]:
    if not field.extended:
        return "runtime.tools", "cast_arguments"
    return "runtime.dialect_tools", "cast_leaves" if has_leaves(field) else "cast_texts"


def has_leaves(field: Field) -> bool:
    """Whether what is inside arguments is text too, and is cast."""
    names = [field.content, *(content.name for content in field.other_contents)]
    return field.casts and "xml-tree" in names


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
        # In the dialect a list of items is no item itself: all regions fill one list.
        add = "extend" if field.extended and field.transform_each else "append"
        return f"{message}.setdefault({key}, []).{add}(value)", None, sound
    return f"{message}[{key}] = value", None, True


@dataclass(frozen=True)
class _Scope:
    """The expression for what the placeholders of a transform name, and what it imports."""

    source: str
    imports: frozenset[tuple[str, str]] = frozenset()

    def used(self, imports: set[tuple[str, str]]) -> str:
        """The expression; what it needs is added to `imports`."""
        imports.update(self.imports)
        return self.source


@dataclass(frozen=True)
class _Transform:
    """How the placeholders of a transform are looked up."""

    scope: _Scope
    whole: bool  # they may also name the whole content, which is the variable `content`
    extended: bool
    imports: set[tuple[str, str]]  # what the source needs is added

    def source(self, transform: Any) -> str:
        """The transform as the literal it is."""
        if isinstance(transform, (dict, list)):
            return self._container(transform)
        placeholder = None
        if isinstance(transform, str):
            placeholder = placeholder_in(transform, self.extended)
        return literal(transform) if placeholder is None else self._look_up(placeholder)

    def _container(self, transform: dict[str, Any] | list[Any]) -> str:
        if isinstance(transform, dict):
            items = list(transform.values())
            inside = (f"{key!r}: {self.source(item)}" for key, item in transform.items())
            source = "{" + ", ".join(inside) + "}"
        else:
            items = transform
            source = "[" + ", ".join(map(self.source, transform)) + "]"
        if not any(self._may_be_absent(item) for item in items):
            return source
        self.imports.add(("runtime.transform", "without_absent"))
        return f"without_absent({source})"

    def _may_be_absent(self, item: Any) -> bool:
        placeholder = placeholder_in(item, self.extended) if isinstance(item, str) else None
        return placeholder is not None and placeholder.optional

    def _look_up(self, placeholder: Placeholder) -> str:
        path, *others = placeholder.paths
        if others or placeholder.literals or placeholder.optional:
            return self._first_of(placeholder)
        root = path.partition(".")[0]
        source = "content"
        if not (self.whole and root == "content"):
            source = f"{self.scope.used(self.imports)}[{root!r}]"
        if path == root:
            return source
        self.imports.add(("runtime.transform", "descend"))
        return f"descend({source}, {path!r})"

    def _first_of(self, placeholder: Placeholder) -> str:
        self.imports.add(("runtime.transform", "first_of"))
        roots = {path.partition(".")[0] for path in placeholder.paths}
        if not (self.whole and "content" in roots):
            scope = self.scope.used(self.imports)
        elif len(roots) == 1:
            scope = '{"content": content}'
        else:
            scope = f'{{**{self.scope.used(self.imports)}, "content": content}}'
        arguments = [scope, *map(repr, placeholder.paths)]
        if placeholder.optional:
            self.imports.add(("runtime.transform", "ABSENT"))
            arguments.append("otherwise=[ABSENT]")
        elif placeholder.literals:
            arguments.append(f"otherwise={literal(list(placeholder.literals))}")
        return f"first_of({', '.join(arguments)})"


def literal(value: Any) -> str:
    """A JSON value as a Python expression; NaN and Infinity have no literal of their own."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {literal(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    if isinstance(value, float) and not isfinite(value):
        return f'float("{value}")'
    return repr(value)
