"""Load the chat templates of a model repository as transformers 5.24.0 does."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from runtime.chat.choice import processor_template, tokenizer_template
from runtime.chat.layout import StorageError, StoredTemplates
from runtime.chat.precedence import processor_templates, tokenizer_templates
from runtime.chat.reading import additional_paths, template_files
from runtime.chat.template import ChatTemplate
from runtime.chat.writing import SavedTemplates, save_chat_templates

__all__ = [
    "SavedTemplates",
    "StoredTemplates",
    "load_chat_template",
    "load_chat_templates",
    "save_chat_templates",
]


def load_chat_template(
    folder: str | os.PathLike[str],
    name: str | None = None,
    tools: Any = None,
    processor: bool = False,
) -> ChatTemplate:
    """The template in `folder` that a tokenizer, or a processor, renders with.

    `name`: a named template, or a template itself where none has that name. Without it a tokenizer
    takes `tool_use` if it is there and `tools` is not None, else `default`; a processor `default`.
    Raises ValueError if there is none to take, and as `load_chat_templates`.
    """
    templates = load_chat_templates(folder, processor).templates
    if processor:
        return ChatTemplate(processor_template(templates, name))
    return ChatTemplate(tokenizer_template(templates, name, tools))


def load_chat_templates(folder: str | os.PathLike[str], processor: bool = False) -> StoredTemplates:
    """The templates that a tokenizer, or a processor, loaded from `folder` has.

    Nothing in the folder is run. Raises StorageError (a ValueError) where transformers cannot load
    them or could not use them, OSError if the folder cannot be read.
    """
    files = template_files(folder)
    if not processor:
        return tokenizer_templates(files)
    for file in additional_paths(Path(folder)):
        if file not in files:
            raise StorageError(f"{file}: not a file; processors cannot be loaded with it")
    return processor_templates(files)
