"""Write chat templates as transformers 5.24.0 saves them, each file at once or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from runtime.chat.layout import DEFAULT_NAME, StorageError, template_path
from runtime.chat.reading import template_files, templates_in


@dataclass(frozen=True)
class SavedTemplates:
    """Files relative to the folder: those written, and those there that hold other templates."""

    written: tuple[str, ...]
    stale: tuple[str, ...]


def save_chat_templates(
    folder: str | os.PathLike[str], templates: str | Mapping[str, str] | None
) -> SavedTemplates:
    """Write one template (text) or named ones to `folder`, which is made if it is not there.

    "default" becomes chat_template.jinja, NAME becomes additional_chat_templates/NAME.jinja. Other
    files stay as they are: `stale` tells which of them a loader may take a template from. Raises
    ValueError, before anything is written, for a name that is not one file name or a text that is
    not Unicode; OSError.
    """
    contents = template_contents(templates)
    root = Path(folder)
    root.mkdir(parents=True, exist_ok=True)
    for file, content in contents.items():
        _write_at_once(root / file, content)
    return SavedTemplates(tuple(contents), _stale(root, contents))


def template_contents(templates: str | Mapping[str, str] | None) -> dict[str, bytes]:
    """Relative path -> content of the files that hold these templates. Raises ValueError."""
    if templates is None:
        return {}
    named = {DEFAULT_NAME: templates} if isinstance(templates, str) else templates
    return {template_path(name): text.encode("utf-8") for name, text in named.items()}


def _write_at_once(path: Path, content: bytes) -> None:
    path.parent.mkdir(exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".chat_template.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _stale(root: Path, contents: Mapping[str, bytes]) -> tuple[str, ...]:
    files = template_files(root)
    return tuple(file for file in files if file not in contents and _has_template(files, file))


def _has_template(files: Mapping[str, bytes], file: str) -> bool:
    try:
        return bool(templates_in(files, file))
    except StorageError:  # not readable for transformers either
        return True
