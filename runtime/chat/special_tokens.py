"""The special tokens that chat templates read as variables, from a model repository's configs.

A tokenizer of transformers 5.24.0 passes its named special tokens to every template. Here they are
read without it; tokens that only the Python class of a model defines are not in the files.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from runtime.chat.layout import TOKENIZER_CONFIG, StorageError
from runtime.chat.reading import json_object

_TOKENS_FILE = "special_tokens_map.json"  # legacy; read where the config lists no added tokens
_STANDARD_KINDS = ("bos", "eos", "unk", "sep", "pad", "cls", "mask")
_STANDARD_NAMES = tuple(f"{kind}_token" for kind in _STANDARD_KINDS)
_EXTRA_TOKENS = "extra_special_tokens"
_MODEL_TOKENS = "model_specific_special_tokens"


def load_special_tokens(folder: str | os.PathLike[str]) -> dict[str, str]:
    """Variable name -> token, as keyword arguments for rendering: bos_token, image_token ...

    Raises StorageError (a ValueError) for files that transformers cannot read, OSError.
    """
    root = Path(folder)
    paths = [root / name for name in (TOKENIZER_CONFIG, _TOKENS_FILE)]
    files = {path.name: path.read_bytes() for path in paths if path.is_file()}
    config = json_object(files, TOKENIZER_CONFIG) if TOKENIZER_CONFIG in files else {}
    explicit = _explicit_tokens(config)
    if _TOKENS_FILE in files and "added_tokens_decoder" not in config:
        legacy = json_object(files, _TOKENS_FILE)
        explicit.update(_members_of(legacy.get(_EXTRA_TOKENS)))
        config = {**config, **{name: _untyped(value) for name, value in legacy.items()}}
    given = {name: value for name, value in config.items() if name.endswith("_token")}
    tokens = {name: _token_text(value) for name, value in (*given.items(), *explicit.items())}
    for name in _STANDARD_NAMES:
        if tokens.get(name) is None and config.get(name) is not None:
            raise StorageError(f"{name}: not a token: {config[name]!r}")
    return {name: token for name, token in tokens.items() if token is not None}


def _explicit_tokens(config: Mapping[str, object]) -> dict[str, object]:
    """Tokens of the model by name, which may be any name."""
    extra = config.get(_EXTRA_TOKENS) or config.get("additional_special_tokens")
    named = {
        name: value
        for name, value in config.items()
        if name.endswith("_token") and name not in _STANDARD_NAMES and isinstance(value, str)
    }
    return {**named, **_members_of(extra)} or _members_of(config.get(_MODEL_TOKENS))


def _members_of(value: object) -> dict[str, object]:
    return dict(value) if isinstance(value, dict) else {}


def _untyped(value: object) -> object:
    """A token of the legacy file; as an object it needs no type there."""
    return {**value, "__type": "AddedToken"} if isinstance(value, dict) else value


def _token_text(value: object) -> str | None:
    """The text of a token, which is text or a saved AddedToken; None for anything else."""
    if isinstance(value, dict) and value.get("__type") == "AddedToken":
        value = value.get("content")
    return value if isinstance(value, str) else None
