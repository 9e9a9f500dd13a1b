"""What differs between the files on disk and those that the sources determine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from compiler.artifacts import Artifact
from compiler.models import GENERATED, GRAMMARS, Model
from compiler.template_files import EXTENDED_FILE, TEMPLATE_FILE

Kind = Literal["missing", "stale", "edited", "orphan"]


@dataclass(frozen=True)
class Difference:
    """A file that is not as it should be; `diff` leads to the file as it should be."""

    kind: Kind
    path: Path
    remedy: str
    diff: str = ""

    def as_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "path": self.path.as_posix(),
            "remedy": self.remedy,
            "diff": self.diff,
        }


def differences(model: Model, artifacts: Iterable[Artifact]) -> Iterator[Difference]:
    """Those of one model's files."""
    for artifact in artifacts:
        if artifact.is_fresh():
            continue
        kind: Kind = "stale"
        remedy = f"run {model.command}"
        if not artifact.path.is_file():
            kind = "missing"
        elif artifact.is_edited():
            kind = "edited"
            remedy = "take the edit back, or generate with --force to lose it"
        yield Difference(kind, artifact.path, remedy, artifact.diff())


def orphans(made: set[Path], unknown: set[Path]) -> Iterator[Difference]:
    """Files and packages that no template makes.

    `made` are the files that templates make; the packages `unknown` are those of templates with
    mistakes. Caches and hidden files are nobody's business.
    """
    packages = {path.parent for path in made}
    for path in _visible(GENERATED):
        if path in packages:
            inside = [inner for inner in _visible(path) if inner not in made]
            yield from (Difference("orphan", inner, "delete it") for inner in inside)
        elif path not in made | unknown:
            yield Difference("orphan", path, "delete it")
    for grammar in sorted(GRAMMARS.glob("*/region.lark")):
        templates = (grammar.parent / name for name in (EXTENDED_FILE, TEMPLATE_FILE))
        if not any(template.is_file() for template in templates):
            yield Difference("orphan", grammar, "delete it")


def _visible(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(
        path
        for path in folder.iterdir()
        if path.name != "__pycache__" and not path.name.startswith(".")
    )
