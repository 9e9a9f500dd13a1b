"""The parsers that are tested, by name, with the texts of their case files.

`qwen3` is compiled from the v1 template of that model, into a folder of its own; `extended/qwen3`
is the generated parser, which is compiled from the template in the dialect.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module, invalidate_caches
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from compiler.frontend.load import load
from compiler.pipeline import compile_source

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
MODELS = tuple(sorted(path.parent.name for path in ROOT.glob("grammars/*/response_template.json")))
EXTENDED = tuple(
    f"extended/{path.stem}"
    for path in sorted(ROOT.glob("tests/cases/extended/*.toml"))
    if (ROOT / "generated" / path.stem / "response.py").is_file()
)
PARSERS = (*MODELS, *EXTENDED)
V1_FOLDER = TemporaryDirectory(prefix="chatc-tests-")  # goes when the process ends
sys.path.append(V1_FOLDER.name)
# In these a case has one right message, which needs nothing but the prompt and the text.
_NOT_PLAIN = {"tools", "accept", "finish_reason", "text_match", "model"}
_MARKER = re.compile(r"<[^<>\n]{1,40}>|to=functions\.|```[a-z]*|call:|\n\n")


@dataclass(frozen=True)
class Example:
    """A case without tools: a text and the message that is right for it."""

    parser: str
    prefix: str
    text: str
    expected: Mapping[str, Any]


def parsers_of(name: str) -> Any:
    """The module of a parser: `Parser`, `parse`, `parse_result` and `parse_batch`."""
    return import_module(module_of(name))


@cache
def module_of(name: str) -> str:
    """The full name of a parser's module, which every process with this `sys.path` can import."""
    if name in EXTENDED:
        return f"generated.{folder_of(name)}"
    package = Path(V1_FOLDER.name, "v1_parsers")
    package.mkdir(exist_ok=True)
    source = load(ROOT / "grammars" / name / "response_template.json")
    (package / f"{name}.py").write_text(compile_source(source, name).module, encoding="utf-8")
    invalidate_caches()
    return f"v1_parsers.{name}"


def folder_of(name: str) -> str:
    """The model that a parser is for."""
    return name.removeprefix("extended/")


@cache
def examples_of(name: str) -> tuple[Example, ...]:
    """The cases of a parser that have one right message and need no tools."""
    cases = tomllib.loads((ROOT / "tests" / "cases" / f"{name}.toml").read_text("utf-8"))
    return tuple(
        Example(
            name,
            case.get("prefix", cases.get("prompt", "")) + case.get("prefill", ""),
            case["raw"],
            json.loads(case["expected"]),
        )
        for case in cases["case"]
        if {"raw", "expected"} <= case.keys() and not _NOT_PLAIN & case.keys()
    )


@cache
def markers_of(name: str) -> tuple[str, ...]:
    """Every marker in the parser's cases, and pieces of the values between them."""
    found = set(_MARKER.findall("".join(example.text for example in examples_of(name))))
    return (*sorted(found), '{"name": "f", "arguments": {"a": 1}}', "[f(a=1)]", "<", "\n", " ", "x")
