"""Everything the module template shows, decided: names, source texts, comments, imports.

The template holds no decisions; this is the last stage that knows the template's meaning.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from compiler.backends.python.bodies import (
    StringsConstant,
    body_imports,
    strings_constants,
)
from compiler.backends.python.contents import Constant, Function, pattern_constant
from compiler.backends.python.names import (
    SECTION_TEXT,
    Names,
    is_dirty,
    name_module,
    outside_constant,
    strict_section,
    text_field,
)
from compiler.backends.python.one_pass import OnePass, one_pass
from compiler.backends.python.states import StateView, view_states
from compiler.backends.python.values import (
    NESTED_TYPES,
    Value,
    has_leaves,
    literal,
    value_in_parser,
)
from compiler.backends.python.watches import WatchView, shown, watch_state
from compiler.delimiters.derive import derive
from compiler.delimiters.trees import tree_of
from compiler.frontend.syntax import Delimiter, Field, Template
from compiler.grammar.automaton import Automaton
from compiler.grammar.nodes import RegionGrammar

RUNTIME_API = 1  # of the runtime that the emitted code is written for


@dataclass(frozen=True)
class RegionView:
    """A `Region(...)` constant."""

    constant: str
    field: str  # repr
    dirty: bool


@dataclass(frozen=True)
class ClosingView:
    """The method that makes a field's value when its region closes."""

    slug: str
    comment: str
    implicit: bool
    structured: bool
    lines: tuple[str, ...]
    store: str
    policies: str  # arguments for what cannot become a value


@dataclass(frozen=True)
class ModuleView:
    """The whole module."""

    title: str
    transitions: tuple[str, ...]
    imports: tuple[str, ...]
    api: int
    template_hash: str
    regions: tuple[RegionView, ...]
    constants: tuple[Constant, ...]
    strings: tuple[StringsConstant, ...]
    watches: tuple[WatchView, ...]
    functions: tuple[Function, ...]
    bases: tuple[str, ...]  # classes that `Parser` is made from
    takes_ids: bool
    attributes: tuple[tuple[str, str], ...]
    defaults: str
    anchor: str
    start_region: str  # constant
    states: tuple[StateView, ...]
    closings: tuple[ClosingView, ...]
    one_pass: OnePass | None
    quick: str  # the function made of them, or None


def template_hash(spec: Any) -> str:
    """Identity of a template: of its JSON without layout, in the order written."""
    text = json.dumps(spec, ensure_ascii=False, separators=(",", ":"), default=str)
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def view_module(
    grammar: RegionGrammar, automaton: Automaton, title: str, digest: str
) -> ModuleView:
    """The view of one template; `title` names it in the docstring, `digest` is its hash."""
    template = grammar.template
    names = name_module(grammar, automaton)
    values = {
        field.pointer: value_in_parser(field, names.slug(field), template)
        for field in template.fields
    }
    watches = _watches(automaton, names)
    captures = _unique(capture for watch in watches for capture in watch.captures)
    capturing = frozenset(label for label, _ in captures)
    anchor, anchor_constants, anchor_import = _anchor(template.anchor)
    constants = (
        *anchor_constants,
        *(constant for _, constant in captures),
        *_unique(_outside_constants(automaton)),
        *(constant for value in values.values() for constant in value.constants),
    )
    closings = _closings(template, automaton, names, values)
    by_name = {watch.name: watch for watch in watches}
    unrolled = one_pass(template, automaton, names, by_name)
    bases = _bases(template, automaton)
    special = {
        *((module, name) for name, module in bases.items()),
        anchor_import,
        *([("runtime.token_ids", "parse_token_ids")] if template.special else ()),
        *body_imports(automaton, unrolled.lines() if unrolled else ()),
    }
    return ModuleView(
        title=title,
        transitions=_transitions(automaton, names),
        imports=_imports(values.values(), watches, constants, closings, special, unrolled),
        api=RUNTIME_API,
        template_hash=repr(digest),
        regions=_regions(template, automaton, names),
        constants=constants,
        strings=tuple(strings_constants(template.fields, names)),
        watches=watches,
        functions=tuple(function for value in values.values() for function in value.functions),
        bases=tuple(bases),
        takes_ids=bool(template.special),
        attributes=_attributes(template, values, watches),
        defaults=_defaults(template, values),
        anchor=anchor,
        start_region=names.states[0].region,
        states=view_states(automaton, names, template.implicit, capturing),
        closings=closings,
        one_pass=unrolled,
        quick="one_pass" if unrolled else "None",
    )


def _bases(template: Template, automaton: Automaton) -> dict[str, str]:
    """The classes that the module's parser is made from, and their modules."""
    bases = {}
    if template.special:
        bases["TokenIds"] = "runtime.token_ids"
    if any(state.has_strings for state in automaton.states):
        bases["BodyParser"] = "runtime.body_parser"
    return bases or {"StreamParser": "runtime.parser"}


def _watches(automaton: Automaton, names: Names) -> tuple[WatchView, ...]:
    views: dict[str, tuple[WatchView, ...]] = {}
    for state, name in zip(automaton.states, names.states, strict=True):
        if name.watch not in views:
            views[name.watch] = watch_state(state, name.watch, name.method)
    return tuple(view for found in views.values() for view in found)


def _regions(template: Template, automaton: Automaton, names: Names) -> tuple[RegionView, ...]:
    """In the order in which the states come to them."""
    views = []
    for state, name in zip(automaton.states, names.states, strict=True):
        field = text_field(state)
        other = RegionView(name.region, "None", name.region == SECTION_TEXT)
        views += [_region(field, names)] if field else [other]
    made = _made(template, automaton)
    return _unique([*views, *(_region(field, names) for field in made)])


def _region(field: Field, names: Names) -> RegionView:
    return RegionView(names.region(field), repr(field.name), is_dirty(field))


def _outside_constants(automaton: Automaton) -> Iterator[Constant]:
    """What may stand in sections, outside of their regions."""
    for state in automaton.states:
        section = strict_section(state)
        if section and section.outside is not None:
            comment = f"{section.pointer}/outside_pattern"
            yield pattern_constant(outside_constant(state), comment, section.outside)


def _made(template: Template, automaton: Automaton) -> list[Field]:
    """The fields that some state makes a value of."""
    read = {field.pointer for state in automaton.states if (field := text_field(state))}
    whole = {
        each.terminal.field.pointer
        for state in automaton.states
        for each in state.transitions
        if each.terminal.role == "whole" and each.terminal.field
    }
    return [field for field in template.fields if field.pointer in read | whole]


def _closings(
    template: Template, automaton: Automaton, names: Names, values: Mapping[str, Value]
) -> tuple[ClosingView, ...]:
    return tuple(
        ClosingView(
            names.slug(field),
            _closing_comment(field),
            field.is_implicit,
            values[field.pointer].structured,
            values[field.pointer].lines,
            values[field.pointer].store,
            _policies(field),
        )
        for field in _made(template, automaton)
    )


def _policies(field: Field) -> str:
    """Text of the implicit field that has no value cannot become its text again."""
    given = {"on_incomplete": field.on_incomplete, "on_invalid": field.on_invalid}
    return "".join(
        f", {key}={('drop' if field.is_implicit and policy == 'text' else policy)!r}"
        for key, policy in given.items()
        if policy
    )


def _closing_comment(field: Field) -> str:
    parts = [field.content]
    if field.transform is not None:
        parts.append("transform of each item" if field.transform_each else "transform")
    if field.join is not None:
        parts.append(f"joined with {field.join!r}")
    elif field.repeats:
        parts.append("repeats")
    else:
        parts.append("the last one counts")
    return f"{field.pointer}: {', '.join(parts)}."


def _transitions(automaton: Automaton, names: Names) -> tuple[str, ...]:
    """The docstring's table: state, delimiter, next state."""
    rows = []
    for state, name in zip(automaton.states, names.states, strict=True):
        for transition in state.transitions:
            delimiter = transition.terminal.delimiter
            found = shown(delimiter) if delimiter else "the end of the value"
            rows.append((name.method, found, names.states[transition.target].method))
        if not state.transitions:
            rows.append((name.method, "the end", "the end"))
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    return tuple(
        f"{source:<{widths[0]}}  --  {delimiter:<{widths[1]}}  ->  {target}".replace('"""', '""\\"')
        for source, delimiter, target in rows
    )


def _attributes(
    template: Template, values: Mapping[str, Value], watches: tuple[WatchView, ...]
) -> tuple[tuple[str, str], ...]:
    attributes: list[tuple[str, str]] = []
    if template.special:
        attributes.append(("SPECIAL", repr(template.special)))
    context = max((watch.context for watch in watches), default=0)
    if context:
        attributes.append(("CONTEXT", repr(context)))
    required = _unique(field.name for field in template.fields if not field.optional)
    if required:
        attributes.append(("REQUIRED", repr(required)))
    joined = _joined(template, values)
    if joined:
        attributes.append(("JOINED", repr(joined)))
    if template.defaults:
        kept = ", ".join(repr(key) for key in template.defaults)
        attributes.append(("DEFAULTS", f"frozenset({{{kept}}})"))
    if any(map(has_leaves, template.fields)):
        attributes.append(("tool_types", f"staticmethod({NESTED_TYPES})"))
    return tuple(attributes)


def _defaults(template: Template, values: Mapping[str, Value]) -> str:
    """The defaults as a literal; the default of a joined field is its first piece."""
    items = []
    joined = _joined(template, values)
    for key, default in template.defaults.items():
        pieces = [] if default is None else [default]
        items.append(f"{key!r}: {literal(pieces if key in joined else default)}")
    return "{" + ", ".join(items) + "}"


def _joined(template: Template, values: Mapping[str, Value]) -> dict[str, str]:
    """The fields whose pieces are joined at the end, with their separators."""
    separators = {field.name: values[field.pointer].joined for field in template.fields}
    return {name: separator for name, separator in separators.items() if separator is not None}


def _anchor(anchor: Delimiter) -> tuple[str, tuple[Constant, ...], tuple[str, str]]:
    """The expression for the text after the anchor, its constants and its import."""
    literals = anchor.literals or ()
    if len(literals) == 1 and not _overlaps_itself(literals[0]):
        source = f"after_last_literal(prefix, {literals[0]!r})"
        return source, (), ("runtime.anchor", "after_last_literal")
    derived = derive(tree_of(anchor), "ANCHOR", "ANCHOR_WAIT")
    constant = Constant(
        "START_ANCHOR", f"{anchor.pointer}: {shown(anchor)}", derived.final.source(), derived.engine
    )
    return (
        "after_last_match(prefix, START_ANCHOR)",
        (constant,),
        ("runtime.anchor", "after_last_match"),
    )


def _overlaps_itself(literal: str) -> bool:
    """Whether a second occurrence may begin inside a first one."""
    return any(literal.startswith(literal[start:]) for start in range(1, len(literal)))


def _imports(
    values: Iterable[Value],
    watches: tuple[WatchView, ...],
    constants: tuple[Constant, ...],
    closings: tuple[ClosingView, ...],
    special: set[tuple[str, str]],
    unrolled: OnePass | None,
) -> tuple[str, ...]:
    """Import lines in the order ruff gives them, naming only what the module uses."""
    needed = {name for value in values for name in value.imports} | special
    needed |= {("runtime.api", name) for name in ("parse_all", "parse_one", "require_api")}
    needed |= {("runtime.events", "Event"), ("runtime.events", "Message")}
    needed |= {("runtime.regions", "Region"), ("runtime.stream", "State")}
    if watches:
        needed.add(("runtime.watch", "Watch"))
    if any("space" in dict(watch.options) for watch in watches):
        needed.add(("runtime.scan", "Space"))
    needed |= {
        ("runtime.scan", call.partition("(")[0]) for watch in watches for _, call in watch.waits
    }
    if any(closing.structured for closing in closings):
        needed.add(("runtime.stream", "FAILURES"))
    if unrolled:
        needed |= {("runtime.tools", "ToolTypes"), ("runtime.stream", "finished_message")}
    if unrolled and any("Scope()" in line for line in unrolled.loop):
        needed.add(("runtime.transform", "Scope"))
    needed |= {
        ("runtime.stream", name)
        for name in ("Unfinished", "groups_of")
        if unrolled and any(f"{name}(" in line for line in unrolled.loop)
    }
    takes_ids = ("runtime.token_ids", "TokenIds") in special
    sources = [constant.source for constant in constants]
    sources += [source for watch in watches for source in watch.sources()]
    for table in ("DIGIT", "SPACE", "WORD"):
        if any(f"{{{table}}}" in source for source in sources):
            needed.add(("runtime.unicode_classes", table))
    engines = {constant.engine for constant in constants}
    engines |= {watch.engine for watch in watches if watch.engine != "re"}
    lines = ["import re"] if "re" in engines else []
    collections = "Collection, Iterable, Sequence" if takes_ids else "Sequence"
    lines += [f"from collections.abc import {collections}", "from typing import Any", ""]
    if "regex" in engines:
        lines += ["import regex", ""]
    by_module: dict[str, list[str]] = {}
    for module, name in sorted(needed):
        by_module.setdefault(module, []).append(name)
    order = _case_order
    lines += [
        f"from {module} import {', '.join(sorted(by_module[module], key=order))}"
        for module in sorted(by_module)
    ]
    return tuple(lines)


def _case_order(name: str) -> tuple[int, str]:
    """isort's: CONSTANTS, then Classes, then functions."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def _unique(items: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(dict.fromkeys(items))
