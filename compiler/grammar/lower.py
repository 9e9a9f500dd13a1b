"""Lowering: a template becomes a region grammar.

    {"fields": {"think": {"open": "<t>", "close": "</t>"}, "content": {"close": "<end>"}}}

becomes

    start: (think | content | _stray)* [unclosed]
    ?unclosed: THINK_OPEN [THINK_TEXT] -> think
    think: THINK_OPEN [THINK_TEXT] THINK_CLOSE
    content: CONTENT_TEXT
    _stray: CONTENT_CLOSE

A section is a rule around the regions of its field, and a region that may stand inside another is
in the rule of that:

    call_section: CALL_SECTION_OPEN (DROPPED_TEXT | call)* CALL_SECTION_CLOSE
    think: THINK_OPEN (THINK_TEXT | call)* THINK_CLOSE
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from compiler.frontend.syntax import Template
from compiler.grammar.entries import DROPPED_TEXT, Entries, Entry, region_terminals
from compiler.grammar.meaning import meaning
from compiler.grammar.nodes import Alternative, RegionGrammar, Repeated, Rule, Symbol, Terminal


def lower(template: Template) -> RegionGrammar:
    """The region grammar of a template; every field, or each of its forms, becomes a rule."""
    found = Entries(template)
    apart = found.between_regions()
    everywhere = [each for entry in apart for each in (entry, *entry.parts)]
    between = list(_between(template, found.slugs))
    unclosed = [_unclosed("unclosed", apart)]
    unclosed += [_unclosed(_inside(entry), entry.inner) for entry in everywhere]
    terminals = [terminal for entry in everywhere for terminal in entry.terminals]
    terminals += (terminal for terminal, _ in between)
    return RegionGrammar(
        template=template,
        sequence=tuple(rule.name for rule in (*_rules(apart), *(rule for _, rule in between))),
        unclosed=tuple(rule for rule in unclosed if rule.alternatives),
        rules=(*_rules(everywhere), *(rule for _, rule in between)),
        terminals=tuple({terminal.name: terminal for terminal in terminals}.values()),
        slugs=tuple((found.slugs[field.pointer], field.name) for field in template.fields),
    )


def _rules(entries: Iterable[Entry]) -> Iterator[Rule]:
    """Those of the entries that something else than the end of the text can close."""
    for entry in entries:
        ways = [Alternative((*_opened(entry), Symbol(each.name))) for each in entry.closers]
        if entry.is_whole:
            ways = [Alternative(_opened(entry))]
        if ways:
            yield Rule(entry.name, tuple(ways), entry.comment)


def _unclosed(name: str, entries: Iterable[Entry]) -> Rule:
    """The rule for the entries that the end of the text closes."""
    ways = []
    for entry in entries:
        if not entry.is_whole:
            runs_on = any(not inner.is_whole for inner in entry.inner)
            last = (Symbol(_inside(entry), optional=True),) if runs_on else ()
            ways.append(Alternative((*_opened(entry), *last), alias=entry.name))
    return Rule(name, tuple(ways))


def _inside(entry: Entry) -> str:
    """The rule for what the end of the text closes in an entry; no slug has two underscores."""
    return f"{entry.name}__unclosed"


def _opened(entry: Entry) -> tuple[Symbol | Repeated, ...]:
    """From its opener up to its closer."""
    opener = Symbol(entry.opener.name)
    body = [terminal.name for terminal in entry.body]
    if entry.inner or len(body) > 1:
        return opener, Repeated((*body, *(rule.name for rule in _rules(entry.inner))))
    return (opener, *(Symbol(name, optional=True) for name in body))


def _between(template: Template, slugs: Mapping[str, str]) -> Iterator[tuple[Terminal, Rule]]:
    """What else stands between regions: text of the implicit field, or of none, and delimiters."""
    field = template.implicit
    if field is None:
        yield DROPPED_TEXT, _rule("_dropped", DROPPED_TEXT, "belongs to no field")
    else:
        slug = slugs[field.pointer]
        _, (text,), closers = region_terminals(field, slug)
        yield text, _rule(slug, text, meaning(field))
        for closer in closers:
            yield closer, _rule("_stray", closer, f"ends {field.name}, or ends nothing")
    if template.ignored:
        ignored = Terminal("IGNORED", "ignore", None, template.ignored)
        yield ignored, _rule("_ignored", ignored, "is dropped; the text around it is one")


def _rule(name: str, terminal: Terminal, comment: str) -> Rule:
    return Rule(name, (Alternative((Symbol(terminal.name),)),), comment)
