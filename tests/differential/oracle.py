"""The region grammar run by Lark itself: slow, and obviously what the grammar says.

Lark's LALR parser asks for tokens; a lexer of forty lines answers with the leftmost, then longest
delimiter among those that the parser accepts in its state, or with the text before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import regex
from lark import Lark, Token, Tree
from lark.lexer import Lexer

from compiler.grammar.nodes import RegionGrammar, Terminal


def oracle_regions(grammar: RegionGrammar, grammar_text: str, text: str) -> list[tuple[str, str]]:
    """The regions of a text in order: field name and raw text."""
    lark = Lark(grammar_text, parser="lalr", lexer=_lexer_of(grammar), keep_all_tokens=True)
    names = dict(grammar.slugs)
    regions = []
    for region in lark.parse(text).children:
        if isinstance(region, Tree) and region.data in names:
            tokens = [token for token in region.children if isinstance(token, Token)]
            body = "".join(token for token in tokens if token.type.endswith("_TEXT"))
            regions.append((names[region.data], body))
    return regions


def _lexer_of(grammar: RegionGrammar) -> type[Lexer]:
    patterns = {t.name: _compiled(t) for t in grammar.terminals if t.delimiter}
    ranks = {
        t.name: (t.role == "close", t.field.name if t.field else "") for t in grammar.terminals
    }

    class DelimiterLexer(Lexer):
        __future_interface__ = True

        def __init__(self, lexer_conf: Any) -> None:
            pass

        def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Token]:
            text = str(getattr(lexer_state.text, "text", lexer_state.text))
            position = 0
            fired: set[tuple[int, str]] = set()  # delimiters without width: once at a place
            while True:
                table = parser_state.parse_conf.states[parser_state.position]
                body = next((name for name in table if name.endswith("_TEXT")), None)
                best = None
                for name in table:
                    if name not in patterns:
                        continue
                    for match in _matches(patterns[name], text, position):
                        start, end = match.span()
                        if start < end or (start, name) not in fired:
                            key = (start, start - end, ranks[name])
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

    return DelimiterLexer


def _matches(pattern: Any, text: str, position: int) -> Iterator[Any]:
    """The first match at or after each position in turn; none of no width at the very end."""
    for start in range(position, len(text)):
        match = pattern.search(text, start)
        if match is None or match.start() == len(text):
            return
        yield match


def _compiled(terminal: Terminal) -> Any:
    delimiter = terminal.delimiter
    assert delimiter is not None
    if delimiter.pattern is not None:
        return regex.compile(delimiter.pattern, regex.DOTALL)
    longest_first = sorted(delimiter.literals or (), key=len, reverse=True)
    return regex.compile("|".join(map(regex.escape, longest_first)), regex.DOTALL)
