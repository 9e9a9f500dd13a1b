"""Read the files of a model repository that hold chat templates, and the templates in them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from runtime.chat.layout import (
    ADDITIONAL_FOLDER,
    CONFIG_FILES,
    DEFAULT_NAME,
    PROCESSOR_CONFIG,
    ROOT_FILE,
    TEMPLATE_KEY,
    TEMPLATE_SUFFIX,
    MissingTemplateKey,
    StorageError,
    StoredTemplate,
    UnreadableProcessorConfig,
)


def template_files(folder: str | os.PathLike[str]) -> dict[str, bytes]:
    """The files in `folder` that can hold chat templates: relative path -> content.

    Raises OSError if there is no such folder, or a file cannot be read.
    """
    root = Path(folder)
    present = {path.name for path in root.iterdir()}
    paths = [name for name in (*CONFIG_FILES, ROOT_FILE) if name in present]
    paths += additional_paths(root)
    return {path: (root / path).read_bytes() for path in paths if (root / path).is_file()}


def additional_paths(root: Path) -> list[str]:
    """What looks like an additional template, sorted; it need not be a file."""
    folder = root / ADDITIONAL_FOLDER
    names = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    return [f"{ADDITIONAL_FOLDER}/{name}" for name in names if name.endswith(TEMPLATE_SUFFIX)]


def stored_templates(files: Mapping[str, bytes]) -> tuple[StoredTemplate, ...]:
    """Every template in the files, whoever reads it. Raises StorageError."""
    return tuple(template for file in files for template in templates_in(files, file))


def templates_in(files: Mapping[str, bytes], file: str) -> tuple[StoredTemplate, ...]:
    """The templates in one of the files, none if it is not there.

    A name may come more than once. Raises StorageError.
    """
    if file not in files:
        return ()
    if file == ROOT_FILE:
        return (StoredTemplate(file, DEFAULT_NAME, file_text(files, file)),)
    if file in CONFIG_FILES:
        value = json_object(files, file).get(TEMPLATE_KEY)
        return tuple(StoredTemplate(file, name, text) for name, text in _named_texts(file, value))
    name = file.removeprefix(f"{ADDITIONAL_FOLDER}/").removesuffix(TEMPLATE_SUFFIX)
    return (StoredTemplate(file, name, file_text(files, file)),)


def file_text(files: Mapping[str, bytes], file: str) -> str:
    """The text of a file, its line ends as "\\n"; a byte order mark stays. Raises StorageError."""
    try:
        text = files[file].decode("utf-8")
    except UnicodeDecodeError as error:
        byte = files[file][error.start]
        message = f"{file}: not UTF-8 text: byte 0x{byte:02x} at offset {error.start}"
        raise StorageError(message) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def json_object(files: Mapping[str, bytes], file: str) -> dict[str, object]:
    """The JSON object in a file. Raises StorageError."""
    failure = UnreadableProcessorConfig if file == PROCESSOR_CONFIG else StorageError
    text = file_text(files, file)
    try:
        value: object = json.loads(text)
    except (RecursionError, ValueError) as error:
        raise failure(f"{file}: not JSON: {error}") from None
    if not isinstance(value, dict):
        raise StorageError(f"{file}: not a JSON object")
    return value


def _named_texts(file: str, value: object) -> Iterator[tuple[str, str]]:
    """Name and text of each template in the value of the key."""
    if isinstance(value, str):
        yield DEFAULT_NAME, value
    elif isinstance(value, dict):
        for name, text in value.items():
            yield name, _require_text(file, text, f"the template {name!r}")
    elif isinstance(value, list):
        for position, entry in enumerate(value):
            place = f"entry {position} of {TEMPLATE_KEY!r}"
            yield (
                _require_text(file, _member(file, entry, "name", place), f"the name in {place}"),
                _require_text(
                    file, _member(file, entry, "template", place), f"the text in {place}"
                ),
            )
    elif value is not None:
        _require_text(file, value, repr(TEMPLATE_KEY))


def _member(file: str, entry: object, key: str, place: str) -> object:
    if not isinstance(entry, dict):
        raise StorageError(f"{file}: {place} is not an object with a name and a template")
    if key not in entry:
        raise MissingTemplateKey(f"{file}: {place} has no {key!r}")
    member: object = entry[key]
    return member


def _require_text(file: str, value: object, what: str) -> str:
    if not isinstance(value, str):
        raise StorageError(f"{file}: {what} is not text but {json.dumps(value)[:40]}")
    return value
