"""The file for a model repository: the standalone parser, formatted, under its header."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from pathlib import PurePath

from compiler.artifacts import format_module
from compiler.backends.python.provenance import SourceHash, file_hash, with_header
from compiler.exporters.standalone import standalone
from compiler.pipeline import Compiled
from compiler.source import Source


@dataclass(frozen=True)
class Bundle:
    """One file that parses a model's responses, and the packages it needs (none, or regex)."""

    text: str
    packages: tuple[str, ...]


def bundle(compiled: Compiled, title: str, made_from: SourceHash, command: str) -> Bundle:
    """The file for a compiled template; it is the same wherever and whenever it is made.

    `title` names the model, `command` makes the file again. Raises NotInlinable.
    """
    alone = standalone(compiled.module, title)
    body = format_module(_requirements(alone.packages) + alone.source)
    compile(body, f"the bundle of {title}", "exec")
    return Bundle(with_header(body, title, (made_from,), command), alone.packages)


def bundle_command(target: str, file: str) -> str:
    """What makes a bundle again, run in the folder of what `target` names."""
    return f"chatc bundle {shlex.quote(target)} -o {shlex.quote(file)}"


def template_row(source: Source) -> SourceHash:
    """The template for the header: the file, or its place in a file with other things in it."""
    file = PurePath(source.display).name
    if not source.base_pointer:
        return SourceHash(file, file_hash(source.text.encode("utf-8", "surrogatepass")))
    return SourceHash(f"{file}#{source.base_pointer}", file_hash(json.dumps(source.spec).encode()))


def _requirements(packages: tuple[str, ...]) -> str:
    if not packages:
        return ""
    names = " ".join(packages)
    return f"# Needs more than the standard library: pip install {names}\n"
