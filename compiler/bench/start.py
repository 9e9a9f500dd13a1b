"""Start-up: importing a generated module, compiling a template, meeting a known one again."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from compiler.bench.measure import Row, new_process, seconds
from compiler.memory import compile_template

_IMPORT = """
import json, re, sys, time
start = time.perf_counter()
import generated.{name}.response
print(time.perf_counter() - start)
"""


def start_rows(name: str, spec: dict[str, Any]) -> Iterator[Row]:
    """Rows for one model; the import is timed in new interpreters that have `re` and `json`."""
    if Path("generated", name, "response.py").is_file():
        yield Row(
            f"{name}, import of the generated module",
            _import_seconds(name) * 1e3,
            "ms",
            limit=5,
        )
    fresh = [_variant(spec, number) for number in range(12)]
    compile_template(fresh.pop())  # loads the compiler itself
    took = min(seconds(partial(compile_template, each), 1) for each in fresh)
    yield Row(f"{name}, compile_template of a new template", took * 1e3, "ms", limit=30)
    known = seconds(lambda: [compile_template(spec) for _ in range(100)]) / 100
    yield Row(f"{name}, compile_template of a known template", known * 1e6, "us")


def _import_seconds(name: str) -> float:
    """The shortest of several imports; the first one leaves the bytecode for the others."""
    return min(float(new_process(_IMPORT.format(name=name))) for _ in range(9))


def _variant(spec: dict[str, Any], number: int) -> dict[str, Any]:
    """The same template with another default, which no cache knows."""
    variant = copy.deepcopy(spec)
    variant.setdefault("defaults", {})["variant"] = number
    return variant
