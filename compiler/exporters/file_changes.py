"""Change several files of a folder: all of them, or none if one cannot be changed."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class FileChange:
    """A file, relative to the folder, and its new content; None deletes it."""

    file: str
    content: bytes | None


def apply_changes(folder: Path, changes: Sequence[FileChange]) -> None:
    """Make the changes in order; each file is replaced at once.

    Raises OSError, and then everything is as it was. All that is new is on the disk before the
    first file is touched.
    """
    if not changes:
        return
    made = _make_folders(folder, changes)
    done: list[FileChange] = []
    try:
        with tempfile.TemporaryDirectory(dir=folder, prefix=".chatc.") as beside:
            prepared = _prepare(folder, Path(beside), changes)
            for change, temporary in zip(changes, prepared, strict=True):
                path = folder / change.file
                done.append(FileChange(change.file, _content(path)))
                _put(path, temporary)
    except BaseException:
        _restore(folder, done)
        for parent in made:
            parent.rmdir()
        raise


def _make_folders(folder: Path, changes: Sequence[FileChange]) -> list[Path]:
    """Make the folders that are missing, one level deep; return them."""
    parents = [(folder / change.file).parent for change in changes if change.content is not None]
    missing = [parent for parent in dict.fromkeys(parents) if not parent.is_dir()]
    for parent in missing:
        parent.mkdir()
    return missing


def _prepare(folder: Path, beside: Path, changes: Sequence[FileChange]) -> list[Path | None]:
    """The new files, outside their places, with the rights of those they replace."""
    prepared: list[Path | None] = []
    for number, change in enumerate(changes):
        temporary = None
        if change.content is not None:
            path, temporary = folder / change.file, beside / str(number)
            temporary.write_bytes(change.content)
            temporary.chmod(path.stat().st_mode & 0o777 if path.is_file() else 0o644)
        prepared.append(temporary)
    return prepared


def _put(path: Path, temporary: Path | None) -> None:
    if temporary is None:
        path.unlink()
    else:
        temporary.replace(path)


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _restore(folder: Path, before: Sequence[FileChange]) -> None:
    for change in reversed(before):
        path = folder / change.file
        if _content(path) == change.content:
            continue
        if change.content is None:
            path.unlink()
        else:
            path.write_bytes(change.content)
