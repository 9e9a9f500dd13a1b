"""What `pip install` brings: no dependency, and every file that the code reads."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from compiler.version import VERSION
from tests.test_layering import STDLIB, imports, sources, top

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
SETUPTOOLS = PYPROJECT["tool"]["setuptools"]


def test_installing_brings_nothing_else() -> None:
    assert PROJECT["dependencies"] == []


@pytest.mark.parametrize("extra", sorted(PROJECT["optional-dependencies"]))
def test_extras_are_pinned(extra: str) -> None:
    """The same packages write the same bytes."""
    for requirement in PROJECT["optional-dependencies"][extra]:
        name, _, marker = requirement.partition(";")
        own = name.startswith(f"{PROJECT['name']}[")
        assert own or name.count("==") == 1, requirement
        assert not marker or marker.strip().startswith("python_version"), requirement


def test_the_compiler_extra_has_what_the_compiler_imports() -> None:
    imported = {top(found.module) for path in sources("compiler") for found in imports(path)}
    needed = imported - STDLIB - {"compiler", "runtime"}
    pinned = {r.partition("==")[0] for r in PROJECT["optional-dependencies"]["compiler"]}
    assert needed <= pinned


def test_every_file_beside_the_code_is_packaged() -> None:
    patterns = SETUPTOOLS["package-data"]
    anywhere = patterns["*"]
    for package in ("compiler", "runtime", "generated"):
        listed = [*anywhere, *patterns.get(package, [])]
        for path in sorted((ROOT / package).rglob("*")):
            if path.suffix == ".py" or path.is_dir() or "__pycache__" in path.parts:
                continue
            inside = path.relative_to(ROOT / package)
            if package == "generated" and path.name == "region.lark":
                continue  # of a template elsewhere: not part of the project
            assert any(inside.match(pattern.removeprefix("**/")) for pattern in listed), path.name


def test_every_folder_of_code_is_a_package() -> None:
    """`packages.find` leaves a folder without `__init__.py` out."""
    folders = {
        path.parent for name in ("compiler", "runtime") for path in (ROOT / name).rglob("*.py")
    }
    assert [
        folder.name for folder in sorted(folders) if not (folder / "__init__.py").is_file()
    ] == []


def test_the_version_has_one_home() -> None:
    assert "version" in PROJECT["dynamic"]
    assert SETUPTOOLS["dynamic"]["version"] == {"attr": "compiler.version.VERSION"}
    assert VERSION.count(".") == 2
    assert (ROOT / "compiler" / "version.py").read_text("utf-8").count("import") == 0
