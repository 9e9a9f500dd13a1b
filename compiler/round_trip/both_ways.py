"""The two ways of a model: the chat template that writes, and the parser that reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from compiler.round_trip.shapes import Message


class StreamParser(Protocol):
    """The part of a generated `Parser` that is driven here."""

    def feed(self, text: str) -> Any: ...
    def finalize(self) -> tuple[Message, Any]: ...


class ParserModule(Protocol):
    """The part of a generated module that is called here."""

    @property
    def parse_result(self) -> Callable[..., tuple[Message, Any]]: ...
    @property
    def Parser(self) -> Callable[..., StreamParser]: ...


@dataclass(frozen=True)
class BothWays:
    """A model: `render` is ChatTemplate.render, which always gets `variables`."""

    render: Callable[..., str]
    variables: Mapping[str, Any]
    parser: ParserModule
