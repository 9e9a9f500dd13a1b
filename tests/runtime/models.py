"""The ten generated parsers, their templates, and the texts of their case files."""

from __future__ import annotations

import importlib
import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
MODELS = tuple(sorted(path.parent.name for path in ROOT.glob("grammars/*/response_template.json")))
_MARKER = re.compile(r"<[^<>\n]{1,40}>|to=functions\.|```[a-z]*|call:|\n\n")


@dataclass(frozen=True)
class Example:
    """A case without tools: a text and the message that is right for it."""

    model: str
    prefix: str
    text: str
    expected: Mapping[str, Any]


@cache
def module_of(model: str) -> ModuleType:
    """The generated package of a model."""
    return importlib.import_module(f"generated.{model}")


@cache
def template_of(model: str) -> dict[str, Any]:
    """The response template of a model."""
    path = ROOT / "grammars" / model / "response_template.json"
    template: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return template


@cache
def examples_of(model: str) -> tuple[Example, ...]:
    """The cases of a model that have one right message and need no tools."""
    cases = tomllib.loads((ROOT / "tests" / "cases" / f"{model}.toml").read_text("utf-8"))
    return tuple(
        Example(
            model,
            case.get("prefix", cases.get("prompt", "")) + case.get("prefill", ""),
            case["raw"],
            json.loads(case["expected"]),
        )
        for case in cases["case"]
        if {"raw", "expected"} <= case.keys() and not {"tools", "accept"} & case.keys()
    )


@cache
def markers_of(model: str) -> tuple[str, ...]:
    """Every marker in the model's cases, and pieces of the values between them."""
    found = set(_MARKER.findall("".join(example.text for example in examples_of(model))))
    return (*sorted(found), '{"name": "f", "arguments": {"a": 1}}', "[f(a=1)]", "<", "\n", " ", "x")
