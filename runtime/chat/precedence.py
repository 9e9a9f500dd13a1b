"""Which of a repository's templates a loader takes: the precedence of transformers 5.24.0.

Tokenizers read .jinja files, and tokenizer_config.json only if there are none. Processors read
processor_config.json before chat_template.json before .jinja files, and never the tokenizer's
config.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from runtime.chat.layout import (
    ADDITIONAL_FOLDER,
    CLASHING_NAME,
    DEFAULT_NAME,
    LEGACY_FILE,
    PROCESSOR_CONFIG,
    ROOT_FILE,
    TEMPLATE_KEY,
    TEMPLATE_SUFFIX,
    TOKENIZER_CONFIG,
    MissingTemplateKey,
    StorageError,
    StoredTemplate,
    StoredTemplates,
)
from runtime.chat.reading import json_object, templates_in
from runtime.chat.surprises import storage_warnings


def tokenizer_templates(files: Mapping[str, bytes]) -> StoredTemplates:
    """What `PreTrainedTokenizerBase.from_pretrained` takes. Raises StorageError."""
    value = _value_in(files, TOKENIZER_CONFIG)
    used = _by_name(_tokenizer_files(files))
    if used:
        return _stored(files, used, _is_default_alone(used), processor=False)
    used = _by_name(templates_in(files, TOKENIZER_CONFIG))
    return _stored(files, None if value is None else used, isinstance(value, str), processor=False)


def processor_templates(files: Mapping[str, bytes]) -> StoredTemplates:
    """What `ProcessorMixin.get_processor_dict` takes. Raises StorageError."""
    _require_usable_legacy(files)
    used = {} if LEGACY_FILE in files else _by_name(_processor_files(files))
    if _value_in(files, PROCESSOR_CONFIG) is not None:
        return _processor_value(files, PROCESSOR_CONFIG)
    if LEGACY_FILE in files:
        return _processor_value(files, LEGACY_FILE)
    is_one = _is_default_alone(used)
    is_nothing = not used or (is_one and not used[DEFAULT_NAME].text)
    return _stored(files, None if is_nothing else used, is_one, processor=True)


def _tokenizer_files(files: Mapping[str, bytes]) -> Iterator[StoredTemplate]:
    """The .jinja files as a tokenizer names them; of one name, the last counts."""
    clashing = f"{ADDITIONAL_FOLDER}/{CLASHING_NAME}{TEMPLATE_SUFFIX}"
    root = clashing if clashing in files else ROOT_FILE
    for template in templates_in(files, root):
        yield replace(template, name=DEFAULT_NAME)
    for file in _additional(files):
        if file != clashing:
            yield from templates_in(files, file)


def _processor_files(files: Mapping[str, bytes]) -> Iterator[StoredTemplate]:
    """The .jinja files as a processor names them; of one name, the last counts."""
    for file in _additional(files):
        for template in templates_in(files, file):
            # A file named ".jinja" has no suffix for processors.
            yield replace(template, name=template.name or TEMPLATE_SUFFIX)
    yield from templates_in(files, ROOT_FILE)


def _processor_value(files: Mapping[str, bytes], file: str) -> StoredTemplates:
    """What a processor takes from the key in a JSON file."""
    value = _value_in(files, file)
    if isinstance(value, list):
        raise StorageError(f"{file}: processors do not read a list of templates")
    is_nothing = not value and file == LEGACY_FILE
    used = None if is_nothing else _by_name(templates_in(files, file))
    return _stored(files, used, isinstance(value, str), processor=True)


def _require_usable_legacy(files: Mapping[str, bytes]) -> None:
    """Raise StorageError where chat_template.json keeps a processor from being loaded."""
    if LEGACY_FILE not in files:
        return
    if TEMPLATE_KEY not in json_object(files, LEGACY_FILE):
        raise MissingTemplateKey(f"{LEGACY_FILE}: there is no {TEMPLATE_KEY!r} in it")
    if _additional(files):
        raise StorageError(
            f"{LEGACY_FILE}: processors refuse it beside {ADDITIONAL_FOLDER}; "
            f"its template belongs in {ROOT_FILE}"
        )


def _value_in(files: Mapping[str, bytes], file: str) -> object:
    """The value of the key in a JSON file; None if there is none."""
    return json_object(files, file).get(TEMPLATE_KEY) if file in files else None


def _additional(files: Mapping[str, bytes]) -> list[str]:
    return [file for file in files if file.startswith(f"{ADDITIONAL_FOLDER}/")]


def _by_name(templates: Iterable[StoredTemplate]) -> dict[str, StoredTemplate]:
    return {template.name: template for template in templates}


def _is_default_alone(used: Mapping[str, StoredTemplate]) -> bool:
    return set(used) == {DEFAULT_NAME}


def _stored(
    files: Mapping[str, bytes],
    used: Mapping[str, StoredTemplate] | None,
    is_one: bool,
    processor: bool,
) -> StoredTemplates:
    """The result; `is_one`: the template is the loader's only one, not one of named ones."""
    taken = used or {}
    origins = {name: template.file for name, template in taken.items()}
    templates: str | dict[str, str] | None = None
    if used is not None:
        texts = {name: template.text for name, template in used.items()}
        templates = texts[DEFAULT_NAME] if is_one else texts
    return StoredTemplates(templates, origins, storage_warnings(files, taken, processor))
