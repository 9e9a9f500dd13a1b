"""The files that a model's sources determine: computed in memory, then written or compared."""

from __future__ import annotations

import difflib
import io
import json
import os
import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePath

import black
from black.mode import TargetVersion
from jinja2 import TemplateSyntaxError

from compiler.backends.jinja.specialise import compile_chat_template
from compiler.backends.python.provenance import SourceHash, file_hash, is_edited, with_header
from compiler.diagnostics import TemplateError
from compiler.frontend.chat_template import load_chat_template, not_jinja
from compiler.frontend.load import load
from compiler.models import GENERATED, Model
from compiler.pipeline import Compiled, compile_source

_PARSING_PACKAGE = '''"""{name}: `parse` a response, or stream it through `Parser`."""

from generated.{name}.response import {names}

__all__ = {quoted}
'''
_RENDERING_PACKAGE = '''"""{name}: `render` a prompt."""

from generated.{name}.chat import render

__all__ = ["render"]
'''
_FULL_PACKAGE = '''"""{name}: `parse` or stream (`Parser`) a response, `render` a prompt."""

from __future__ import annotations

TYPE_CHECKING = False  # for type checkers it is True
if TYPE_CHECKING:
    from generated.{name}.chat import render
    from generated.{name}.response import {names}

__all__ = {quoted}


def __getattr__(name: str) -> object:
    # Parsing and rendering do without each other: each is imported when it is first asked for.
    if name not in __all__:
        raise AttributeError(f"module {{__name__!r}} has no attribute {{name!r}}")
    if name == "render":
        from generated.{name} import chat as module
    else:
        from generated.{name} import response as module
    globals()[name] = getattr(module, name)
    return globals()[name]
'''
_PACKAGES = '''"""Generated code, one package a model: run `make generate`, edit nothing here."""
'''


_NO_NEWLINE = "\n\\ No newline at end of file\n"  # as diff and git write it
_GRAMMAR_HASH = re.compile(r"^#   region\.lark +sha256:([0-9a-f]{16})$", re.MULTILINE)


class HandEdited(Exception):
    """Generated files that were changed by hand, which nobody should lose without being told."""

    def __init__(self, paths: tuple[Path, ...]) -> None:
        names = ", ".join(path.as_posix() for path in paths)
        super().__init__(f"edited by hand: {names}; use --force to overwrite")
        self.paths = paths


@dataclass(frozen=True)
class Artifact:
    """A file as it should be."""

    path: Path
    text: str
    module: Path | None = None  # the generated module whose header holds this file's hash

    def is_fresh(self) -> bool:
        """Whether the file on disk is this one."""
        return self.path.is_file() and self.path.read_bytes() == self.text.encode()

    def is_edited(self) -> bool:
        """Whether the file on disk is neither this one nor what was generated before."""
        if self.module is None or not self.module.is_file() or not self.path.is_file():
            return False
        if self.is_fresh():
            return False
        if self.module == self.path:
            return is_edited(_read(self.path))
        recorded = _GRAMMAR_HASH.search(_read(self.module))
        return recorded is not None and recorded[1] != file_hash(_read(self.path).encode())

    def diff(self) -> str:
        """Unified diff from the file on disk to this one; "" if fresh."""
        name = self.path.as_posix()
        exists = self.path.is_file()
        old = self.path.read_bytes().decode("utf-8", "backslashreplace") if exists else ""
        lines = difflib.unified_diff(
            list(io.StringIO(old)),
            list(io.StringIO(self.text)),
            f"{name} (on disk)" if exists else "/dev/null",
            f"{name} (fresh)",
        )
        return "".join(line if line.endswith("\n") else f"{line}{_NO_NEWLINE}" for line in lines)


def _read(path: Path) -> str:
    """The text of a file, whatever its line ends and its bytes."""
    return path.read_text("utf-8", "backslashreplace")


@dataclass(frozen=True)
class _Part:
    """What one template of a model is compiled to, and the files that it was made from."""

    artifacts: tuple[Artifact, ...]
    sources: tuple[SourceHash, ...]
    parser: Compiled | None = None


def artifacts_of(model: Model) -> tuple[Compiled | None, tuple[Artifact, ...]]:
    """Compile a model and lay out its files; no parser is compiled of a chat template alone.

    Raises TemplateError with every mistake of its templates.
    """
    tried = [_tried(_parser, model, model.response_template)]
    tried += [_tried(_chat, model, model.chat_template)]
    parts = [part for part in tried if isinstance(part, _Part)]
    mistakes = [error.diagnostics for error in tried if isinstance(error, TemplateError)]
    if mistakes:
        raise TemplateError([each for diagnostics in mistakes for each in diagnostics])
    sources = tuple(source for part in parts for source in part.sources)
    compiled = next((part.parser for part in parts if part.parser), None)
    package = _module(model, "__init__.py", _package(model, compiled), sources)
    artifacts = [artifact for part in parts for artifact in part.artifacts]
    return compiled, (Artifact(GENERATED / "__init__.py", _PACKAGES), *artifacts, package)


def _tried(
    compile_part: Callable[[Model, Path], _Part], model: Model, template: Path | None
) -> _Part | TemplateError | None:
    try:
        return None if template is None else compile_part(model, template)
    except TemplateError as error:
        return error


def _parser(model: Model, template: Path) -> _Part:
    source = load(template)
    compiled = compile_source(source, model.name)
    sources = (
        SourceHash(PurePath(source.display).name, file_hash(source.text.encode())),
        SourceHash("region.lark", file_hash(compiled.grammar_text.encode())),
    )
    grammar = Artifact(model.grammar, compiled.grammar_text, model.output / "response.py")
    module = _module(model, "response.py", compiled.module, sources)
    return _Part((grammar, module), sources, compiled)


def _chat(model: Model, template: Path) -> _Part:
    text = load_chat_template(template)
    try:
        module = compile_chat_template(text, model.name)
    except TemplateSyntaxError as error:
        raise not_jinja(template, error.message or "", error.lineno) from None
    sources = (SourceHash(template.name, file_hash(text.encode())),)
    return _Part((_module(model, "chat.py", module, sources),), sources)


def _package(model: Model, parser: Compiled | None) -> str:
    if model.response_template is None:
        return _RENDERING_PACKAGE.format(name=model.name)
    names = ["Parser", "parse", "parse_batch", "parse_result"]
    if parser and parser.template.special:
        names.insert(3, "parse_ids")
    public = [*names, "render"] if model.chat_template else names
    text = _FULL_PACKAGE if model.chat_template else _PARSING_PACKAGE
    quoted = json.dumps(public)
    return text.format(name=model.name, names=", ".join(names), quoted=quoted)


def _module(model: Model, name: str, source: str, sources: tuple[SourceHash, ...]) -> Artifact:
    body = format_module(source)
    compile(body, f"{model.name}/{name}", "exec")
    text = with_header(body, model.origin, sources, model.command)
    path = model.output / name
    return Artifact(path, text, path)


def format_module(source: str) -> str:
    """The source as black writes it."""
    mode = black.Mode(line_length=100, target_versions={TargetVersion.PY310})
    return black.format_str(source, mode=mode)


def write_artifacts(artifacts: tuple[Artifact, ...], force: bool = False) -> tuple[Path, ...]:
    """Write what is not fresh, each file at once or not at all; return the paths written.

    Raises HandEdited, before anything is written, unless forced.
    """
    stale = [artifact for artifact in artifacts if not artifact.is_fresh()]
    edited = tuple(artifact.path for artifact in stale if artifact.is_edited())
    if edited and not force:
        raise HandEdited(edited)
    for artifact in stale:
        _replace(artifact.path, artifact.text)
    return tuple(artifact.path for artifact in stale)


def _replace(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
