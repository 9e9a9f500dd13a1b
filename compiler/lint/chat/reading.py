"""A chat template's tokens and its syntax tree, both with exact places.

jinja2 knows lines only. Its parser, though, copies the line number of a token to the node that it
makes, so here every token carries its offset in place of its line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from jinja2 import TemplateSyntaxError, nodes
from jinja2.lexer import TokenStream
from jinja2.parser import Parser

from compiler.lint.chat.rendering import environment


@dataclass(frozen=True)
class Token:
    """A token of jinja2's lexer, such as `name`, `operator` or `block_begin`, as it is written."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class NotJinja(ValueError):
    """A text that is no template. `offset` is where that shows."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


def read_tokens(text: str, trimmed: bool = True) -> tuple[Token, ...]:
    """All tokens, with white space and comments, but without the space that tags take.

    Lines of `text` end with \\n. `trimmed`: as in `environment`. Raises NotJinja.
    """
    return tuple(_tokens(text, trimmed))


def parse(text: str, tokens: tuple[Token, ...], trimmed: bool = True) -> nodes.Template:
    """The tree of a text whose tokens are given; `lineno` of a node is the offset of a token:

    the dot of an attribute, the bracket of an item or call, the name of a filter, `is` of a test,
    the first token of anything else. Raises NotJinja.
    """
    base = environment(trimmed)
    lexed = ((token.start, token.kind, token.text) for token in tokens)
    parser = Parser(base, "")
    try:
        parser.stream = TokenStream(base.lexer.wrap(lexed), None, None)
        return parser.parse()
    except TemplateSyntaxError as error:
        raise NotJinja(error.message or "no template", min(error.lineno, len(text))) from None


def _tokens(text: str, trimmed: bool) -> Iterator[Token]:
    position = 0
    try:
        for _, kind, written in environment(trimmed).lexer.tokeniter(text, None):
            position = _after_space(text, position, written)
            yield Token(kind, written, position)
            position += len(written)
    except TemplateSyntaxError as error:
        message = (error.message or "no token").partition(" at ")[0]  # "... at 12": an offset
        raise NotJinja(message, position) from None


def _after_space(text: str, position: int, written: str) -> int:
    """Where `written` stands: after the white space that a tag has taken, if it is one."""
    while not text.startswith(written, position):
        assert text[position].isspace()
        position += 1
    return position
