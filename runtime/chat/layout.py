"""How chat templates lie in a model repository, as transformers 5.24.0 reads and writes them.

chat_template.jinja                     the template named "default"
additional_chat_templates/NAME.jinja    the template NAME
tokenizer_config.json                   legacy, read by tokenizers: the key "chat_template"
chat_template.json                      legacy, read by processors: the same key
processor_config.json                   legacy, read by processors: the same key

The key holds one template as text, or named ones: {NAME: TEXT} or [{"name": ..., "template": ...}].
"""

from __future__ import annotations

from dataclasses import dataclass

ROOT_FILE = "chat_template.jinja"
ADDITIONAL_FOLDER = "additional_chat_templates"
TOKENIZER_CONFIG = "tokenizer_config.json"
PROCESSOR_CONFIG = "processor_config.json"
LEGACY_FILE = "chat_template.json"
CONFIG_FILES = (TOKENIZER_CONFIG, LEGACY_FILE, PROCESSOR_CONFIG)

TEMPLATE_KEY = "chat_template"
TEMPLATE_SUFFIX = ".jinja"
DEFAULT_NAME = "default"

# Tokenizers keep additional_chat_templates/file.jinja where they keep chat_template.jinja.
CLASHING_NAME = "file"

_LONGEST_FILE_NAME = 255  # bytes, on the usual file systems


class StorageError(ValueError):
    """Stored chat templates that cannot be read, or not by the loader asked for."""


class MissingTemplateKey(StorageError, KeyError):
    """An object without the key that holds its template; a KeyError, as in transformers."""

    def __str__(self) -> str:
        return str(self.args[0])


class UnreadableProcessorConfig(StorageError, OSError):
    """A processor_config.json that is not JSON; an OSError, as in transformers."""


@dataclass(frozen=True)
class StoredTemplate:
    """One template where it lies: file relative to the repository, name, text."""

    file: str
    name: str
    text: str


@dataclass(frozen=True)
class StorageWarning:
    """A surprise of transformers' precedence: a rule id, the file it is about, a sentence."""

    id: str
    file: str
    message: str


@dataclass(frozen=True)
class StoredTemplates:
    """What transformers makes of a repository.

    `templates` is its `chat_template` attribute: one text, named texts, or None. `origins` gives
    the file of each template by name; that of one text is "default".
    """

    templates: str | dict[str, str] | None
    origins: dict[str, str]
    warnings: tuple[StorageWarning, ...] = ()


def template_path(name: str) -> str:
    """Where a template of this name is stored, relative to the repository.

    Raises ValueError for a name that is not one file name on every system: one that leaves the
    folder, names a drive, or is empty, too long or not text.
    """
    if name == DEFAULT_NAME:
        return ROOT_FILE
    file = f"{name}{TEMPLATE_SUFFIX}"
    if not name or any(char in '/\\:*?"<>|' or not char.isprintable() for char in name):
        raise ValueError(f"Invalid chat template name: {name!r}")
    if len(file.encode()) > _LONGEST_FILE_NAME:
        raise ValueError(f"Invalid chat template name: {name!r}")
    return f"{ADDITIONAL_FOLDER}/{file}"
