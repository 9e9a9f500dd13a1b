"""What is known of a model's format: origin.toml in its folder under grammars/."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ORIGIN = "origin.toml"


class BadOrigin(ValueError):
    """An origin.toml that cannot be read."""


@dataclass(frozen=True)
class Origin:
    """The facts that are read by programs; the others are for people."""

    title: str = ""  # "Kimi K2"
    ids: tuple[str, ...] = ()  # the names under which models of this format are published
    stop_tokens: tuple[str, ...] = ()
    prompt_endings: tuple[str, ...] = ()  # what the prompt may have written of the message
    engines: Mapping[str, str] = field(default_factory=dict)  # engine -> its name of the format
    example: str = ""  # a reply, or ""


def read_origin(folder: Path) -> Origin:
    """The origin of the model in a folder; an empty one if the file is not there.

    Raises BadOrigin.
    """
    path = folder / ORIGIN
    if not path.is_file():
        return Origin()
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except ValueError as error:  # not TOML, or not UTF-8
        raise BadOrigin(f"{path.as_posix()}: {error}") from None
    engines = data.get("engines", {})
    if not isinstance(engines, dict) or not all(isinstance(e, str) for e in engines.values()):
        raise BadOrigin(f"{path.as_posix()}: engines must be a table of strings")
    return Origin(
        title=_text(data, "title", path),
        ids=_list(data, "ids", path),
        stop_tokens=_list(data, "stop_tokens", path),
        prompt_endings=_list(data, "prompt_endings", path),
        engines=engines,
        example=_text(data, "example", path),
    )


def _text(data: Mapping[str, Any], key: str, path: Path) -> str:
    text = data.get(key, "")
    if not isinstance(text, str):
        raise BadOrigin(f"{path.as_posix()}: {key} must be a string")
    return text


def _list(data: Mapping[str, Any], key: str, path: Path) -> tuple[str, ...]:
    items = data.get(key, [])
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        raise BadOrigin(f"{path.as_posix()}: {key} must be an array of strings")
    return tuple(items)
