"""Texts that a command reads, exactly as they are: no line end is changed."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from compiler.cli.terminal import Unusable


def read_text(path: str) -> str:
    """The text of a file, or of stdin for "-". Raises Unusable."""
    name = "stdin" if path == "-" else path
    try:
        content = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
        return content.decode("utf-8")
    except OSError as error:
        raise Unusable(f"{name}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise Unusable(f"{name}: not UTF-8 text: offset {error.start}") from None


def text_or_file(value: str) -> str:
    """The value itself, or the text of the file that `@FILE` names."""
    return read_text(value[1:]) if value.startswith("@") else value


def parsed_json(text: str, name: str) -> Any:
    """The value of a JSON text that messages call `name`. Raises Unusable."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unusable(f"{name}: not JSON: {error}") from None


def read_tools(path: str) -> list[Any]:
    """A JSON array of tool schemas. Raises Unusable."""
    tools = parsed_json(read_text(path), path)
    if not isinstance(tools, list):
        raise Unusable(f"{path}: tools are a JSON array of schemas")
    return tools
