"""A chat template as its checks see it: tokens, tree, and what came of the probes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from jinja2 import TemplateSyntaxError, nodes

from compiler.lint.chat.edits import Replacement
from compiler.lint.chat.instrumented import with_printed_values_seen
from compiler.lint.chat.probes import PROBES
from compiler.lint.chat.reading import Token, parse, read_tokens
from compiler.lint.chat.rendering import Outcome, Trial
from compiler.lint.chat.source import ChatSource
from compiler.lint.problems import Fix


@dataclass(frozen=True)
class Rendered:
    """The outcome of each probe, and the values that were printed: probe, offset, value."""

    outcomes: Mapping[str, Outcome]
    printed: tuple[tuple[str, int, object], ...]


@dataclass(frozen=True)
class ChatSubject:
    """A chat template under test. Line numbers of its tree are offsets, see `parse`."""

    source: ChatSource
    tokens: tuple[Token, ...]
    tree: nodes.Template

    @property
    def text(self) -> str:
        return self.source.text

    @cached_property
    def rendered(self) -> Rendered:
        """Nothing where jinja2 makes no code of the template: that is another rule's."""
        printed: list[tuple[str, int, object]] = []
        probe = ""

        def see(value: object, offset: int) -> object:
            printed.append((probe, offset, value))
            return value

        outcomes = {}
        try:
            tree = with_printed_values_seen(parse(self.text, self.tokens))
            trial = Trial(tree, trimmed=True, printed=see)
        except TemplateSyntaxError:
            return Rendered({}, ())
        for probe, arguments in PROBES.items():
            outcomes[probe] = trial.render(arguments)
        return Rendered(outcomes, tuple(printed))

    def tag_at(self, offset: int) -> tuple[Token, ...]:
        """The tokens of the tag around an offset, white space aside; none for text."""
        tag: list[Token] = []
        for token in self.tokens:
            if token.kind.endswith("_begin"):
                tag = []
            if token.kind != "whitespace":
                tag.append(token)
            if token.kind.endswith("_end") and token.end > offset:
                return tuple(tag)
        return ()

    def fix(self, message: str, edits: Iterable[Replacement]) -> Fix:
        """Edits of `text` as a fix of the file."""
        return Fix(message, tuple(self.source.edit(*edit) for edit in edits))


def read_subject(source: ChatSource) -> ChatSubject:
    """Raises NotJinja."""
    tokens = read_tokens(source.text)
    return ChatSubject(source, tokens, parse(source.text, tokens))
