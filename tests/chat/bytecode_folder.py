"""The user's cache of bytecode, as tests look at it."""

from __future__ import annotations

from pathlib import Path

from runtime.chat import environment

_IN_MEMORY = (
    environment.compiled_template,
    environment.undeclared_variables,
    environment.literal_text,
    environment._kept_record,
)


def forget() -> None:
    """Drop what this process keeps in memory, so that the folder is asked."""
    for cached in _IN_MEMORY:
        cached.cache_clear()


def entries(home: Path) -> list[Path]:
    """The templates kept under a folder of caches."""
    return sorted((home / "chatc" / "jinja").iterdir())
