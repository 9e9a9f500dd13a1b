"""Parsers to run: the one place where the compiler's side loads generated code and the runtime.

A model's name stands for its generated package, which is run as it is. A template elsewhere is
compiled in memory; code that lies beside it is never run.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from compiler.cli.targets import find_target, is_name, models, response_template, unknown
from compiler.cli.terminal import Unusable
from compiler.models import GENERATED, folder_name

Message = dict[str, Any]
Event = dict[str, Any]


@dataclass(frozen=True)
class Arguments:
    """What a parser is told besides the text: the keywords of `parse_result`."""

    prefix: str
    tools: list[Any] | None
    on_error: str
    finish_reason: str | None


class ParseError(Exception):
    """The part of the runtime's ParseError that a command reads; `parse_error()` is the class."""

    events: list[Event]


class StreamParser(Protocol):
    """The part of a generated `Parser` that a command drives."""

    initial_events: list[Event]
    errors: list[Event]

    def feed(self, text: str) -> list[Event]: ...
    def finalize(self, finish_reason: str | None = None) -> tuple[Message, list[Event]]: ...


class ParserModule(Protocol):
    """The part of a generated module, or of a template compiled in memory, that a command calls."""

    @property
    def parse_result(self) -> Callable[..., tuple[Message, list[Event]]]: ...
    @property
    def Parser(self) -> Callable[..., StreamParser]: ...


@dataclass(frozen=True)
class ParserSource:
    """Where a parser comes from; plain data, so that other processes can load it too."""

    module: Path | None  # a generated response.py
    spec: Any = None  # or else the template

    def load(self) -> ParserModule:
        """Import the generated module, or compile the template. Raises Unusable."""
        if self.module is None:
            from compiler.memory import compile_template

            return compile_template(self.spec)
        return _import(self.module)


def find_parser(target: str) -> ParserSource:
    """The parser of MODEL (generated), or of DIR or FILE (compiled in memory).

    Raises Unusable, and TemplateError with all mistakes of a template.
    """
    if is_name(target):
        name = folder_name(target)
        module = _generated(name)
        if module is not None:
            return ParserSource(module)
        named = {model.name: model for model in models()}
        if name in named:
            response_template(named[name])
            raise Unusable(f'{name} has not been generated: run "chatc generate {name}"')
        if not Path(target).exists():
            raise unknown(target, sorted(named.keys() | _generated_names()))
    return ParserSource(None, _valid_spec(response_template(find_target(target))))


def failure_as_json(error: Exception) -> dict[str, Any]:
    """What `parse_result` raised, as plain data: all of a ParseError, class and text of others."""
    errors = importlib.import_module("runtime.errors")
    if isinstance(error, errors.ParseError):
        described: dict[str, Any] = errors.as_json(error)
        return described
    return {"class": type(error).__name__, "message": str(error) or type(error).__name__}


def parse_error() -> type[ParseError]:
    """The class ParseError, which has the `events` that the failing call had decided."""
    error_class: type[ParseError] = importlib.import_module("runtime.errors").ParseError
    return error_class


def _generated(name: str) -> Path | None:
    """The generated module of that name: in this folder, or else in the installed package."""
    local = GENERATED / name / "response.py"
    if local.is_file():
        return local.resolve()
    package = importlib.util.find_spec("generated")
    for folder in (package.submodule_search_locations or ()) if package else ():
        installed = Path(folder) / name / "response.py"
        if installed.is_file():
            return installed
    return None


def _generated_names() -> set[str]:
    return {module.parent.name for module in GENERATED.glob("*/response.py")}


def _import(module: Path) -> ParserModule:
    name = f"generated.{module.parent.name}.response"
    spec = importlib.util.spec_from_file_location(name, module)
    assert spec is not None and spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(loaded)
    except (ImportError, SyntaxError) as error:
        raise Unusable(f"{module.parent.name}: cannot import its parser: {error}") from None
    return loaded


def _valid_spec(template: Path) -> Any:
    from compiler.frontend.load import load
    from compiler.frontend.validate import validate

    source = load(template)
    validate(source)
    return source.spec
