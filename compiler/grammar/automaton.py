"""Reading back: Lark builds the LALR table of the grammar text, and its states become ours.

The delimiters that the table accepts in a state are the state's watch list, so the text of the
grammar decides what the parser does. States of the table that differ only in how much of a rule
has been read (before and after a region's text, say) are one state here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from lark import Lark, Token
from lark.lexer import Lexer

from compiler.grammar.nodes import RegionGrammar, Terminal


class GrammarError(ValueError):
    """A grammar text that no streaming parser can follow."""


@dataclass(frozen=True)
class Transition:
    """A delimiter, and the index of the state that follows it."""

    terminal: Terminal
    target: int


@dataclass(frozen=True)
class State:
    """What text means here, and which delimiters are watched, in the order of the grammar."""

    text: Terminal | None  # None: any text here is dropped
    transitions: tuple[Transition, ...]
    has_strings: bool = False  # in which no closer counts


@dataclass(frozen=True)
class Automaton:
    """All states; the first one is the start."""

    states: tuple[State, ...]


class _NoLexer(Lexer):
    """Tokens are fed by hand; Lark only has to build the table."""

    __future_interface__ = True

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Token]:
        return iter(())


def load_grammar(text: str) -> Lark:
    """Lark's LALR parser of the grammar text; raises lark.exceptions.GrammarError."""
    return Lark(text, parser="lalr", lexer=_NoLexer, maybe_placeholders=False)


def read_automaton(grammar: RegionGrammar, text: str) -> Automaton:
    """The states of the grammar `text`; `grammar` says what its terminals are.

    Raises GrammarError where text changes which delimiters may follow: a stream cannot know
    whether text of no length was there.
    """
    table = _explore(load_grammar(text))
    by_name = {terminal.name: terminal for terminal in grammar.terminals}
    order = {name: index for index, name in enumerate(by_name)}
    blocks = _merge(table, by_name)
    numbers: dict[int, int] = {}
    states: list[State] = []
    queue = [blocks[0]]
    numbers[blocks[0]] = 0
    while queue:
        block = queue.pop(0)
        members = [index for index, owner in enumerate(blocks) if owner == block]
        moves = {name: blocks[target] for index in members for name, target in table[index].items()}
        texts = sorted(name for name in moves if by_name[name].role == "text")
        strings = any(by_name[name].role == "string" for name in moves)
        if len(texts) > 1:
            raise GrammarError(f"text is both {' and '.join(texts)} in one state")
        transitions = []
        for name in sorted(moves, key=order.__getitem__):
            if by_name[name].role in _BODY:
                continue
            if moves[name] not in numbers:
                numbers[moves[name]] = len(numbers)
                queue.append(moves[name])
            transitions.append(Transition(by_name[name], numbers[moves[name]]))
        states.append(State(by_name[texts[0]] if texts else None, tuple(transitions), strings))
    return Automaton(tuple(states))


_BODY = ("text", "string")  # what a region's text is made of
_DEEPEST = 100  # regions nest a few levels; a stack beyond this means a recursive grammar


def _explore(parser: Lark) -> list[dict[str, int]]:
    """Every reachable configuration of the LALR parser: terminal name -> next configuration."""
    first: Any = parser.parse_interactive("")
    numbers = {tuple(first.parser_state.state_stack): 0}
    configurations = [first]
    table: list[dict[str, int]] = []
    while len(table) < len(configurations):
        here = configurations[len(table)]
        moves: dict[str, int] = {}
        for name in sorted(here.accepts() - {"$END"}):
            following = here.copy()
            following.feed_token(Token(name, ""))
            stack = tuple(following.parser_state.state_stack)
            if len(stack) > _DEEPEST:
                raise GrammarError("the regions nest without end")
            if stack not in numbers:
                numbers[stack] = len(configurations)
                configurations.append(following)
            moves[name] = numbers[stack]
        table.append(moves)
    return table


def _merge(table: list[dict[str, int]], terminals: dict[str, Terminal]) -> list[int]:
    """Configuration -> block: the coarsest partition where a delimiter leads to one block."""
    texts = [{name for name in moves if terminals[name].role in _BODY} for moves in table]
    watched = [
        {name: target for name, target in moves.items() if name not in text}
        for moves, text in zip(table, texts, strict=True)
    ]
    # Where text has been read and no more is accepted, the region is still the one it belongs to.
    belongs = [frozenset(text) for text in texts]
    for index, moves in enumerate(table):
        for name in texts[index]:
            if set(watched[moves[name]]) != set(watched[index]):
                raise GrammarError(f"{name} changes which delimiters may follow")
            belongs[moves[name]] = belongs[moves[name]] or frozenset({name})
    blocks = _number(zip(belongs, map(frozenset, watched), strict=True))
    while True:
        refined = _number(
            (blocks[index], tuple(sorted((name, blocks[to]) for name, to in moves.items())))
            for index, moves in enumerate(watched)
        )
        if refined == blocks:
            return blocks
        blocks = refined


def _number(keys: Iterable[object]) -> list[int]:
    """The same number for the same key, in order of first sight."""
    seen: dict[object, int] = {}
    return [seen.setdefault(key, len(seen)) for key in keys]
