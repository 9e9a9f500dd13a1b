"""The files that a model's sources determine: computed in memory, then written or compared."""

from __future__ import annotations

import difflib
import io
import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path, PurePath

import black
from black.mode import TargetVersion
from jinja2 import TemplateSyntaxError

from compiler.backends.jinja.specialise import compile_chat_template
from compiler.backends.python.provenance import SourceHash, file_hash, is_edited, with_header
from compiler.frontend.load import load
from compiler.models import GENERATED, BadChatTemplate, Model
from compiler.pipeline import Compiled, compile_source

_PACKAGE = '''"""{name}: `parse` a response, or stream it through `Parser`."""

from generated.{name}.response import Parser, parse, parse_batch, parse_result

__all__ = ["Parser", "parse", "parse_batch", "parse_result"]
'''
_PACKAGE_WITH_RENDER = '''"""{name}: `parse` or stream (`Parser`) a response, `render` a prompt."""

from __future__ import annotations

from typing import Any

from generated.{name}.response import Parser, parse, parse_batch, parse_result

__all__ = ["Parser", "parse", "parse_batch", "parse_result", "render"]


def __getattr__(name: str) -> Any:
    # Rendering loads what parsing does without.
    if name == "render":
        from generated.{name}.chat import render

        return render
    raise AttributeError(f"module {{__name__!r}} has no attribute {{name!r}}")
'''
_PACKAGES = '''"""Generated parsers, one package a model: run `make generate`, edit nothing here."""
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


def artifacts_of(model: Model) -> tuple[Compiled, tuple[Artifact, ...]]:
    """Compile a model and lay out its files; raises TemplateError."""
    source = load(model.template)
    compiled = compile_source(source, model.name)
    header_sources = (
        SourceHash(PurePath(source.display).name, file_hash(source.text.encode())),
        SourceHash("region.lark", file_hash(compiled.grammar_text.encode())),
    )
    parser = (
        Artifact(GENERATED / "__init__.py", _PACKAGES),
        Artifact(model.grammar, compiled.grammar_text, model.output / "response.py"),
        _module(model, "response.py", compiled.module, header_sources),
    )
    package = _PACKAGE.format(name=model.name)
    if model.chat_template is None:
        return compiled, (*parser, _module(model, "__init__.py", package, header_sources))
    chat, chat_source = _chat(model, model.chat_template)
    package = _PACKAGE_WITH_RENDER.format(name=model.name)
    sources = (*header_sources, chat_source)
    return compiled, (*parser, chat, _module(model, "__init__.py", package, sources))


def _chat(model: Model, path: Path) -> tuple[Artifact, SourceHash]:
    """The chat template as a module; raises BadChatTemplate."""
    text = path.read_text("utf-8")
    try:
        module = compile_chat_template(text, model.name)
    except TemplateSyntaxError as error:
        raise BadChatTemplate(f"{path.as_posix()}:{error.lineno}: {error.message}") from None
    source = SourceHash(path.name, file_hash(text.encode()))
    return _module(model, "chat.py", module, (source,)), source


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
