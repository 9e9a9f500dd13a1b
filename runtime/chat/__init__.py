"""Chat templates: `ChatTemplate`, `load_chat_template`, `get_json_schema`.

A name is imported when it is first asked for, so importing the package costs nothing; the types are
in `__init__.pyi`.
"""

from __future__ import annotations

from typing import Any

_HOMES = {
    "ChatTemplate": "runtime.chat.template",
    "get_json_schema": "runtime.chat.json_schema",
    "load_chat_template": "runtime.chat.storage",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
