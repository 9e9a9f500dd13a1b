"""Warnings where the precedence of transformers 5.24.0 is not what the files suggest.

LT801  tokenizer_config.json is not read, as there are .jinja files
LT802  chat_template.jinja and additional_chat_templates/default.jinja name one template
LT803  additional_chat_templates/file.jinja is a tokenizer's default template
LT804  chat_template.json is read before chat_template.jinja
LT805  the file is read by the other loader only
LT806  processor_config.json is read before every other file
LT807  there are named templates but no default
LT808  chat_template.jinja is empty
LT809  a byte order mark is part of the template
LT810  one name is given twice in a list
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from runtime.chat.layout import (
    ADDITIONAL_FOLDER,
    CLASHING_NAME,
    CONFIG_FILES,
    DEFAULT_NAME,
    LEGACY_FILE,
    PROCESSOR_CONFIG,
    ROOT_FILE,
    TEMPLATE_SUFFIX,
    TOKENIZER_CONFIG,
    StorageError,
    StorageWarning,
    StoredTemplate,
)
from runtime.chat.reading import templates_in

_BYTE_ORDER_MARK = "\ufeff"
_CLASHING_FILE = f"{ADDITIONAL_FOLDER}/{CLASHING_NAME}{TEMPLATE_SUFFIX}"
_CLASH = f"tokenizers read {_CLASHING_FILE} as {DEFAULT_NAME!r}, instead of {ROOT_FILE}"


def storage_warnings(
    files: Mapping[str, bytes], used: Mapping[str, StoredTemplate], processor: bool
) -> tuple[StorageWarning, ...]:
    """What surprises in the choice of the templates `used`, by name, from `files`."""
    found = (*_about_hidden(files, used, processor), *_about_used(files, used, processor))
    return tuple(dict.fromkeys(found))


def _about_hidden(
    files: Mapping[str, bytes], used: Mapping[str, StoredTemplate], processor: bool
) -> Iterator[StorageWarning]:
    """A warning for each file with a template that is not used and is nowhere else."""
    texts = {(name, template.text) for name, template in used.items()}
    for file in files:
        hidden = [t for t in _readable(files, file) if (t.name, t.text) not in texts]
        if hidden and all(template.file != file for template in used.values()):
            reason = _processor_reason if processor else _tokenizer_reason
            yield reason(file, hidden, files, used)


def _readable(files: Mapping[str, bytes], file: str) -> tuple[StoredTemplate, ...]:
    """The templates in a file, none where it cannot be read: this loader may not need it."""
    try:
        return templates_in(files, file)
    except StorageError:
        return ()


def _tokenizer_reason(
    file: str,
    hidden: Sequence[StoredTemplate],
    files: Mapping[str, bytes],
    used: Mapping[str, StoredTemplate],
) -> StorageWarning:
    """Why a tokenizer does not use these templates of the file."""
    names = ", ".join(repr(template.name) for template in hidden)
    if file in (LEGACY_FILE, PROCESSOR_CONFIG):
        return StorageWarning("LT805", file, f"tokenizers do not read it; it has: {names}")
    if file == TOKENIZER_CONFIG:
        message = f"not read, as there are {TEMPLATE_SUFFIX} files; it has: {names}"
        return StorageWarning("LT801", file, message)
    if _CLASHING_FILE in files:
        return StorageWarning("LT803", file, _CLASH)
    return StorageWarning("LT802", file, f"{used[DEFAULT_NAME].file} is read instead")


def _processor_reason(
    file: str,
    hidden: Sequence[StoredTemplate],
    files: Mapping[str, bytes],
    used: Mapping[str, StoredTemplate],
) -> StorageWarning:
    """Why a processor does not use these templates of the file."""
    names = ", ".join(repr(template.name) for template in hidden)
    if file == TOKENIZER_CONFIG:
        return StorageWarning("LT805", file, f"processors do not read it; it has: {names}")
    if any(template.file == PROCESSOR_CONFIG for template in used.values()):
        return StorageWarning("LT806", file, f"{PROCESSOR_CONFIG} is read instead of: {names}")
    if not hidden[0].text:
        return StorageWarning("LT808", file, "an empty template is none for processors")
    if LEGACY_FILE in files:
        return StorageWarning("LT804", file, f"{LEGACY_FILE} is read instead of: {names}")
    return StorageWarning("LT802", file, f"{ROOT_FILE} is read instead")


def _about_used(
    files: Mapping[str, bytes], used: Mapping[str, StoredTemplate], processor: bool
) -> Iterator[StorageWarning]:
    for name, template in used.items():
        if template.text.startswith(_BYTE_ORDER_MARK):
            message = f"the template {name!r} starts with a byte order mark, which is rendered"
            yield StorageWarning("LT809", template.file, message)
        if name == DEFAULT_NAME and not template.text and template.file == ROOT_FILE:
            message = "an empty file is an empty template, whatever the other files hold"
            yield StorageWarning("LT808", template.file, message)
        if not processor and template.file == _CLASHING_FILE:
            yield StorageWarning("LT803", template.file, _CLASH)
        if template.file in CONFIG_FILES and _is_given_twice(files, template):
            message = f"the template {name!r} is given more than once; the last is read"
            yield StorageWarning("LT810", template.file, message)
    if used and DEFAULT_NAME not in used:
        message = f"no template named {DEFAULT_NAME!r} is read, only: {', '.join(map(repr, used))}"
        yield StorageWarning("LT807", next(iter(used.values())).file, message)


def _is_given_twice(files: Mapping[str, bytes], template: StoredTemplate) -> bool:
    others = [other for other in _readable(files, template.file) if other.name == template.name]
    return any(other.text != template.text for other in others)
