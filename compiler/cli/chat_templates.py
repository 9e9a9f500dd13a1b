"""Chat templates to render: a model's, a model repository's, or one file.

The runtime, which loads and renders them, is imported by its name as text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from compiler.cli.targets import is_name, unknown
from compiler.cli.terminal import Unusable
from compiler.cli.texts import read_text
from compiler.models import GRAMMARS, folder_name

Span = tuple[int, int]  # start and end, offsets in characters

_DEFAULT = "default"


class ChatTemplate(Protocol):
    """The part of the runtime's ChatTemplate that a command calls."""

    @property
    def render(self) -> Callable[..., str]: ...
    @property
    def variables(self) -> frozenset[str]: ...
    @property
    def render_with_spans(self) -> Callable[..., tuple[str, list[Span]]]: ...


class StorageWarning(Protocol):
    """The part of the runtime's StorageWarning that a command tells."""

    @property
    def id(self) -> str: ...
    @property
    def file(self) -> str: ...
    @property
    def message(self) -> str: ...


class NoChatTemplate(Unusable):
    """There is none at a place that could have one."""


@dataclass(frozen=True)
class FoundTemplate:
    """A chat template, the tokens that it gets as variables, and what surprises about its place."""

    template: ChatTemplate
    special_tokens: dict[str, str] = field(default_factory=dict)
    warnings: tuple[StorageWarning, ...] = ()


def find_chat_template(
    target: str, name: str | None, tools: list[Any] | None, processor: bool
) -> FoundTemplate:
    """The template of MODEL or DIR, or FILE itself.

    `name`: one of several templates; without it, the one that a tokenizer, or a processor, takes.
    Raises Unusable.
    """
    path = _model_folder(target) or Path(target)
    if path.is_dir():
        return _template_in(path, name, tools, processor)
    if not path.exists():
        raise _nothing_at(target)
    if name is not None:
        raise Unusable(f"{target}: one template, which has no name")
    return FoundTemplate(_template(read_text(target)))


def with_image_blocks(messages: list[Any]) -> list[Any]:
    """The messages as a processor passes them to its template."""
    normalized: list[Any] = import_module("runtime.chat.media").with_image_blocks(messages)
    return normalized


def _template(source: str) -> ChatTemplate:
    template: ChatTemplate = import_module("runtime.chat.template").ChatTemplate(source)
    return template


def _model_folder(target: str) -> Path | None:
    """The folder under grammars/ of the model of that name, if it has a chat template."""
    return _folders().get(folder_name(target)) if is_name(target) else None


def _folders() -> dict[str, Path]:
    found = sorted(GRAMMARS.glob("*/chat_template.jinja"))
    return {folder_name(template.parent.name): template.parent for template in found}


def _nothing_at(target: str) -> Unusable:
    if not is_name(target):
        return Unusable(f"{target}: no such file or folder")
    if (GRAMMARS / folder_name(target)).is_dir():
        return NoChatTemplate(f"{folder_name(target)} has no chat template")
    return unknown(target, _folders())


def _template_in(
    folder: Path, name: str | None, tools: list[Any] | None, processor: bool
) -> FoundTemplate:
    try:
        stored = import_module("runtime.chat.storage").load_chat_templates(folder, processor)
        tokens = import_module("runtime.chat.special_tokens").load_special_tokens(folder)
        if not stored.templates and stored.templates != "":
            raise NoChatTemplate(f"{folder.as_posix()}: no chat template here")
        source = _chosen(stored.templates, name, tools, processor)
    except ValueError as error:
        raise Unusable(f"{folder.as_posix()}: {error}") from None
    return FoundTemplate(_template(source), tokens, stored.warnings)


def _chosen(
    templates: str | dict[str, str],
    name: str | None,
    tools: list[Any] | None,
    processor: bool,
) -> str:
    """One of a repository's templates; a name that is none of theirs is no template itself here."""
    named = {_DEFAULT: templates} if isinstance(templates, str) else templates
    if name is not None and name not in named:
        raise ValueError(f"no template named {name!r}, only: {', '.join(map(repr, named))}")
    if name is not None:
        return named[name]
    choice = import_module("runtime.chat.choice")
    chosen: str = (
        choice.processor_template(templates)
        if processor
        else choice.tokenizer_template(templates, tools=tools)
    )
    return chosen
