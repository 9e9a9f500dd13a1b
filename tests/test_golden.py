"""One feature a folder: template.json, and what it compiles to.

A golden file exists to be read: the generated code of each feature, without running the compiler in
one's head. `UPDATE_GOLDEN=1 make test ARGS=tests/test_golden.py` rewrites them; read the diff.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from compiler.artifacts import format_module
from compiler.frontend.load import load
from compiler.pipeline import compile_source

GOLDEN = Path(__file__).parent / "golden"
FEATURES = sorted(path.parent for path in GOLDEN.glob("*/template.json"))


def test_there_are_features() -> None:
    assert len(FEATURES) > 30


@pytest.mark.parametrize("folder", FEATURES, ids=lambda folder: folder.name)
def test_compiles_to_the_golden_files(folder: Path) -> None:
    spec = json.loads((folder / "template.json").read_text("utf-8"))
    compiled = compile_source(load(spec), folder.name)
    fresh = {"region.lark": compiled.grammar_text, "module.py": format_module(compiled.module)}
    for name, text in fresh.items():
        path = folder / name
        if os.environ.get("UPDATE_GOLDEN"):
            path.write_bytes(text.encode())
        assert path.read_text("utf-8") == text, f"{path.name} is stale: see the module docstring"
