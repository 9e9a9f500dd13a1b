"""The region grammar run by Lark itself: slow, and obviously what the grammar says.

Lark's LALR parser says what it accepts; it is given the leftmost, then longest delimiter among
that, or the text before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import regex
from lark import Lark, Token, Tree
from lark.lexer import Lexer

from compiler.frontend.syntax import Delimiter
from compiler.grammar.body_text import string_pattern
from compiler.grammar.nodes import RegionGrammar, Terminal


def oracle_regions(grammar: RegionGrammar, grammar_text: str, text: str) -> list[tuple[str, str]]:
    """The regions of a text in the order of their openers: field name and raw text."""
    options: dict[str, Any] = {"keep_all_tokens": True, "maybe_placeholders": False}
    lark = Lark(grammar_text, parser="lalr", lexer=_NoLexer, **options)
    parser: Any = lark.parse_interactive("")
    for token in _tokens(parser, grammar.terminals, text):
        parser.feed_token(token)
    return _regions(parser.feed_eof(), dict(grammar.slugs))


def _regions(start: Tree[Token], names: dict[str, str]) -> list[tuple[str, str]]:
    regions: list[tuple[str, str]] = []
    may_go_on = ""  # the rule of the last region, if only ignored delimiters came after it
    for child in start.children:
        if isinstance(child, Tree):
            if child.data == may_go_on:
                regions[-1] = (regions[-1][0], regions[-1][1] + _body(child))
            else:
                regions += _inside(child, names)
            is_implicit = all(isinstance(each, Token) for each in child.children) and (
                len(child.children) == 1 and child.children[0].type.endswith("_TEXT")
            )
            may_go_on = str(child.data) if is_implicit else ""
        elif child.type != "IGNORED":
            may_go_on = ""
    return regions


def _inside(tree: Tree[Token], names: dict[str, str]) -> Iterator[tuple[str, str]]:
    """A region and those inside it; of a section those inside it only."""
    if tree.data in names:
        yield names[tree.data], _body(tree)
    for child in tree.children:
        if isinstance(child, Tree):
            yield from _inside(child, names)


def _body(tree: Tree[Token]) -> str:
    tokens = [child for child in tree.children if isinstance(child, Token)]
    return "".join(token for token in tokens if token.type.endswith(("_TEXT", "_STRING")))


class _NoLexer(Lexer):
    """Tokens are fed by hand."""

    __future_interface__ = True

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Token]:
        return iter(())


def _tokens(parser: Any, terminals: tuple[Terminal, ...], text: str) -> Iterator[Token]:
    """One token after another; each has been fed before the next is looked for."""
    patterns = {t.name: _compiled(t.delimiter) for t in terminals if t.delimiter}
    for t in terminals:
        if t.role == "string" and t.field and t.field.strings:
            patterns[t.name] = regex.compile(string_pattern(t.field.strings), regex.DOTALL)
    order = {t.name: (t.rank, number) for number, t in enumerate(terminals)}
    position = 0
    fired: set[tuple[int, str]] = set()  # delimiters without width: once at a place
    while True:
        accepted = sorted(parser.accepts())
        body = next((name for name in accepted if name.endswith("_TEXT")), None)
        best = None
        for name in accepted:
            if name not in patterns:
                continue
            for match in _matches(patterns[name], text, position):
                start, end = match.span()
                if start < end or (start, name) not in fired:
                    key = (start, start - end, order[name])
                    best = min(best or (key, name, end), (key, name, end))
                    break
        start = best[0][0] if best else len(text)
        if start > position and body:
            yield Token(body, text[position:start])
            position = start
            continue
        if best is None:
            return
        _, name, end = best
        if start == end:
            fired.add((start, name))
        yield Token(name, text[start:end])
        position = end


def _matches(pattern: Any, text: str, position: int) -> Iterator[Any]:
    """The first match at or after each position in turn; none of no width at the very end."""
    for start in range(position, len(text)):
        match = pattern.search(text, start)
        if match is None or match.start() == len(text):
            return
        yield match


def _compiled(delimiter: Delimiter) -> Any:
    return regex.compile(_source(delimiter), regex.DOTALL)


def _source(delimiter: Delimiter) -> str:
    if delimiter.pattern is not None:
        ways = [delimiter.pattern]
    else:
        ways = sorted(map(regex.escape, delimiter.literals or ()), key=len, reverse=True)
    return "|".join([*ways, *(f"(?={_source(other)})" for other in delimiter.yields_to)])
