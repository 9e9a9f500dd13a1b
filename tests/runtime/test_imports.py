"""Importing a generated parser costs the standard library's light modules, and nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from typing import Any

import pytest

from tests.runtime.models import MODELS, ROOT, examples_of

# In an interpreter without site packages, environment or current folder.
_RUN = """
import json, sys
sys.path.append(sys.argv[1])
before = set(sys.modules)
from importlib import import_module
parse = import_module("generated." + sys.argv[2]).parse
loaded = sorted(set(sys.modules) - before)
text, prefix = json.load(sys.stdin)
message = parse(text, prefix=prefix)
later = sorted(set(sys.modules) - before)
print(json.dumps([loaded, later, message]))
"""
# Each takes longer to import than a parser with everything else that it needs.
HEAVY = {"asyncio", "ctypes", "email", "http", "inspect", "logging", "multiprocessing", "socket"}
HEAVY |= {"ssl", "tokenize", "typing_extensions", "unittest", "urllib", "xml"}
FOREIGN = {"compiler", "jinja2", "lark", "regex", "transformers"}


@cache
def fresh(model: str) -> tuple[set[str], set[str], Any]:
    """Modules loaded by the import and by a parse after it, and that parse's message."""
    example = examples_of(model)[3]
    command = [sys.executable, "-I", "-S", "-X", "utf8", "-c", _RUN, str(ROOT), model]
    given = json.dumps([example.text, example.prefix])
    run = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    loaded, later, message = json.loads(run.stdout)
    return set(loaded), set(later), message


def packages(modules: set[str]) -> set[str]:
    return {module.partition(".")[0] for module in modules}


@pytest.mark.parametrize("model", MODELS)
def test_a_parser_is_standard_library_and_runtime(model: str) -> None:
    loaded, later, message = fresh(model)
    assert message == examples_of(model)[3].expected
    for modules in (loaded, later):
        others = packages(modules) - sys.stdlib_module_names
        assert others == {"generated", "runtime"}
        assert not packages(modules) & (HEAVY | FOREIGN)


@pytest.mark.parametrize("model", MODELS)
def test_a_parser_loads_no_other_model_and_only_what_it_uses(model: str) -> None:
    loaded, _, _ = fresh(model)
    generated = {module for module in loaded if module.startswith("generated.")}
    assert generated == {f"generated.{model}", f"generated.{model}.response"}
    source = (ROOT / "generated" / model / "response.py").read_text("utf-8")
    parsers = {module for module in loaded if module.startswith("runtime.content.")}
    for parser in parsers - {"runtime.content.excerpt", "runtime.content.json_text"}:
        assert f"from {parser} import" in source
