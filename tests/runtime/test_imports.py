"""Importing a compiled parser costs the standard library's light modules, and nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.runtime.models import PARSERS, ROOT, V1_FOLDER, examples_of, module_of, parsers_of

# In an interpreter without site packages, environment or current folder.
_RUN = """
import json, sys
module, *folders = sys.argv[1:]
sys.path += folders
before = set(sys.modules)
from importlib import import_module
parse = import_module(module).parse
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
def fresh(name: str) -> tuple[set[str], set[str], Any]:
    """Modules loaded by the import and by a parse after it, and that parse's message."""
    example = examples_of(name)[3]
    command = [sys.executable, "-I", "-S", "-X", "utf8", "-c", _RUN]
    command += [module_of(name), str(ROOT), V1_FOLDER.name]
    given = json.dumps([example.text, example.prefix])
    run = subprocess.run(command, input=given, capture_output=True, text=True, check=True)
    loaded, later, message = json.loads(run.stdout)
    return set(loaded), set(later), message


def packages(modules: set[str]) -> set[str]:
    return {module.partition(".")[0] for module in modules}


@pytest.mark.parametrize("name", PARSERS)
def test_a_parser_is_standard_library_and_runtime(name: str) -> None:
    loaded, later, message = fresh(name)
    assert message == examples_of(name)[3].expected
    own = module_of(name).partition(".")[0]
    for modules in (loaded, later):
        others = packages(modules) - sys.stdlib_module_names
        assert others == {own, "runtime"}
        assert not packages(modules) & (HEAVY | FOREIGN)


@pytest.mark.parametrize("name", PARSERS)
def test_a_parser_loads_no_other_model_and_only_what_it_uses(name: str) -> None:
    loaded, _, _ = fresh(name)
    package, _, _ = module_of(name).partition(".")
    module = parsers_of(name).Parser.__module__
    own = {each for each in loaded if each.startswith(f"{package}.")}
    assert own == {module_of(name), module}
    source = Path(str(import_module(module).__file__)).read_text("utf-8")
    shared = {"runtime.content.excerpt", "runtime.content.json_text"}
    readers = ("runtime.dialect_tools", "runtime.content.python_calls")
    if any(f"from {module} import" in source for module in readers):
        shared.add("runtime.content.json_values")
    parsers = {each for each in loaded if each.startswith("runtime.content.")}
    for parser in parsers - shared:
        assert f"from {parser} import" in source
