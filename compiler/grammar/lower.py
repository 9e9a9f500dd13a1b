"""Lowering: a template becomes a region grammar.

    {"fields": {"think": {"open": "<t>", "close": "</t>"}, "content": {"close": "<end>"}}}

becomes

    start: (think | content | _stray)* [unclosed]
    ?unclosed: THINK_OPEN [THINK_TEXT] -> think
    think: THINK_OPEN [THINK_TEXT] THINK_CLOSE
    content: CONTENT_TEXT
    _stray: CONTENT_CLOSE
"""

from __future__ import annotations

import json

from compiler.frontend.syntax import Field, Template
from compiler.grammar.nodes import Alternative, RegionGrammar, Rule, Symbol, Terminal
from compiler.grammar.slugs import slugs


def lower(template: Template) -> RegionGrammar:
    """The region grammar of a template; every field becomes a rule of its own."""
    names = slugs(field.name for field in template.fields)
    rules: list[Rule] = []
    unclosed: list[Alternative] = []
    terminals: list[Terminal] = []
    for field in template.fields:
        if field.is_implicit:
            continue
        slug = names[field.name]
        opener, text, closer = _terminals(field, slug)
        terminals += [terminal for terminal in (opener, text, closer) if terminal]
        inside = (Symbol(opener.name), Symbol(text.name, optional=True)) if opener else ()
        unclosed.append(Alternative(inside, alias=slug))
        if closer:
            closed = Alternative((*inside, Symbol(closer.name)))
            rules.append(Rule(slug, (closed,), _meaning(field)))
    rules += _between(template, names, terminals)
    return RegionGrammar(
        template=template,
        sequence=tuple(rule.name for rule in rules),
        unclosed=Rule("unclosed", tuple(unclosed)) if unclosed else None,
        rules=tuple(rules),
        terminals=tuple(terminals),
        slugs=tuple((names[field.name], field.name) for field in template.fields),
    )


def _terminals(field: Field, slug: str) -> tuple[Terminal | None, Terminal, Terminal | None]:
    name = slug.upper()
    opener = Terminal(f"{name}_OPEN", "open", field, field.opener) if field.opener else None
    closer = Terminal(f"{name}_CLOSE", "close", field, field.closer) if field.closer else None
    return opener, Terminal(f"{name}_TEXT", "text", field, None), closer


def _between(template: Template, names: dict[str, str], terminals: list[Terminal]) -> list[Rule]:
    """The rules for text outside the explicit regions: the implicit field's, or none's."""
    field = template.implicit
    if field is None:
        terminals.append(Terminal("DROPPED_TEXT", "text", None, None))
        return [Rule("_dropped", (Alternative((Symbol("DROPPED_TEXT"),)),), "belongs to no field")]
    slug = names[field.name]
    _, text, closer = _terminals(field, slug)
    terminals.append(text)
    rules = [Rule(slug, (Alternative((Symbol(text.name),)),), _meaning(field))]
    if closer:
        terminals.append(closer)
        stray = Alternative((Symbol(closer.name),))
        rules.append(Rule("_stray", (stray,), f"ends {field.name}, or ends nothing"))
    return rules


def _meaning(field: Field) -> str:
    """What the field does with its text, in a line."""
    args = f" {_json(dict(field.content_args))}" if field.content_args else ""
    parts = [field.content + args]
    if field.transform is not None:
        each = " of each item" if field.transform_each else ""
        parts.append(f"transform{each} {_json(field.transform)}")
    if field.join is not None:
        parts.append(f"joined with {_json(field.join)}")
    elif field.repeats:
        parts.append("repeats")
    if not field.optional:
        parts.append("required")
    return "; ".join(parts)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
