"""The shape of the house, as tests: who may import whom, and what keeps the runtime inlinable."""

from __future__ import annotations

import ast
import builtins
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from compiler.exporters.standalone import STAND_INS

ROOT = Path(__file__).parents[1]
MAX_LINES = 400
STDLIB = {*sys.stdlib_module_names, "tomllib"}  # which 3.10 has not yet
JINJA_IMPORTER = "runtime/chat/environment.py"
RUNS_PARSERS = ("compiler/cli", "compiler/bench")  # and so load generated code, by its name as text
SHORTCUTS = re.compile(
    r"#\s*(?:type:\s*ignore|noqa|mypy:|ruff:|pragma|fmt:\s*(?:off|skip)|TODO|FIXME)"
)


@dataclass(frozen=True)
class Imported:
    """One import, wherever in its file it stands."""

    module: str
    name: str | None  # None: `import module`
    alias: str | None
    line: int
    is_relative: bool


def sources(*folders: str, suffixes: tuple[str, ...] = (".py",)) -> list[Path]:
    """The files under the folders, relative to the root."""
    return sorted(
        path.relative_to(ROOT)
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.suffix in suffixes and "__pycache__" not in path.parts
    )


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse((ROOT / path).read_text("utf-8"))


def imports(path: Path) -> Iterator[Imported]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Imported(alias.name, None, alias.asname, node.lineno, False)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                module = node.module or ""
                yield Imported(module, alias.name, alias.asname, node.lineno, node.level > 0)


def top(module: str) -> str:
    return module.partition(".")[0]


def dotted(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def offences(folder: str, allowed: set[str]) -> list[str]:
    """Imports in a folder from packages that are not allowed there."""
    return [
        f"{path}:{found.line} imports {found.module}"
        for path in sources(folder)
        for found in imports(path)
        if top(found.module) not in allowed or found.is_relative
    ]


def test_the_runtime_imports_the_standard_library_and_itself() -> None:
    own = STDLIB | {"runtime"}
    assert [each for each in offences("runtime", own) if not each.startswith(JINJA_IMPORTER)] == []


def test_one_module_imports_jinja_and_only_when_it_is_needed() -> None:
    packages = {"jinja2", "markupsafe"}
    environment = Path(JINJA_IMPORTER)
    assert {top(found.module) for found in imports(environment)} <= STDLIB | {"runtime"} | packages
    at_once = [
        node
        for node in tree(environment).body
        if isinstance(node, ast.ImportFrom | ast.Import)
        and packages & {top(name) for name in (ast.unparse(node).split()[1], "")}
    ]
    assert at_once == []


def test_generated_code_imports_the_runtime() -> None:
    allowed = STDLIB | {"runtime", "generated", "regex"}
    assert offences("generated", allowed) == []


def test_the_compiler_imports_neither_the_runtime_nor_generated_code() -> None:
    packages = {"black", "click", "jinja2", "lark", "regex", "rich", "tomli"}
    allowed = STDLIB | packages | {"compiler"}
    # Jinja code is valid only for the environment that made it, and the linter renders templates as
    # the runtime does: that has one definition.
    places = ("compiler/backends/jinja/jinja_code.py", "compiler/lint/chat/rendering.py")
    found = [each for each in offences("compiler", allowed) if not each.startswith(places)]
    assert found == []
    there = [found for place in places for found in imports(Path(place))]
    assert {each.module for each in there if top(each.module) == "runtime"} == {
        "runtime.chat.environment",
        "runtime.chat.inputs",
        "runtime.chat.template",
    }


def test_the_stages_import_nothing_by_its_name_as_text() -> None:
    importers = [
        f"{path}:{node.lineno}"
        for path in sources("compiler")
        if not any(path.is_relative_to(folder) for folder in RUNS_PARSERS)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute | ast.Name)
        and getattr(node, "attr", getattr(node, "id", "")) in ("import_module", "__import__")
    ]
    assert importers == []


def test_the_command_line_is_imported_by_nothing_else() -> None:
    inward = [
        f"{path}:{found.line}"
        for path in sources("compiler")
        if not path.is_relative_to("compiler/cli") and path.name != "__main__.py"
        for found in imports(path)
        if found.module.startswith("compiler.cli")
    ]
    assert inward == []


@pytest.mark.parametrize("folder", ["compiler", "runtime"])
def test_no_import_goes_in_a_circle(folder: str) -> None:
    modules = {dotted(path): path for path in sources(folder)}
    graph = {
        name: {
            target
            for found in imports(path)
            for target in (f"{found.module}.{found.name}", found.module)
            if target in modules and target != name
        }
        for name, path in modules.items()
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


@pytest.mark.parametrize("folder", ["compiler", "runtime", "tests"])
def test_no_file_is_long(folder: str) -> None:
    lengths = {
        path.as_posix(): len((ROOT / path).read_text("utf-8").splitlines())
        for path in sources(folder, suffixes=(".py", ".j2", ".lark"))
    }
    assert {path: length for path, length in lengths.items() if length > MAX_LINES} == {}


@pytest.mark.parametrize("folder", ["compiler", "runtime"])
def test_no_checker_is_silenced(folder: str) -> None:
    found = [
        f"{path}:{number}: {line.strip()}"
        for path in sources(folder)
        for number, line in enumerate((ROOT / path).read_text("utf-8").splitlines(), 1)
        if SHORTCUTS.search(line)
    ]
    assert found == []


def test_no_file_is_a_drawer_of_odds_and_ends() -> None:
    names = {"utils", "util", "helpers", "helper", "misc", "common"}
    found = [str(p) for p in sources("compiler", "runtime", "tests") if p.stem in names]
    assert found == []


# What lets any part of the runtime be inlined into one file.


def defined(path: Path) -> list[str]:
    """The names that a module's top-level statements define, imports aside."""
    names: list[str] = []
    for statement in tree(path).body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.append(statement.name)
        elif isinstance(statement, ast.Assign):
            names += [t.id for t in statement.targets if isinstance(t, ast.Name)]
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            names.append(statement.target.id)
    return names


def test_no_two_runtime_modules_define_one_name() -> None:
    owners: dict[str, str] = {}
    clashes = []
    for path in sources("runtime"):
        foreign = {found.alias or found.name or found.module: found for found in imports(path)}
        owned = [(name, path.as_posix()) for name in defined(path)]
        owned += [
            (name, f"{found.module}.{found.name}")
            for name, found in foreign.items()
            if top(found.module) != "runtime"
        ]
        for name, owner in owned:
            if owners.setdefault(name, owner) != owner:
                clashes.append(f"{name}: {owners[name]} and {owner}")
    assert clashes == []


def test_no_runtime_name_hides_a_builtin() -> None:
    hidden = [
        f"{p}: {name}" for p in sources("runtime") for name in defined(p) if name in dir(builtins)
    ]
    assert hidden == []


def test_runtime_modules_import_each_other_by_name() -> None:
    bad = [
        f"{path}:{found.line}"
        for path in sources("runtime", "generated")
        for found in imports(path)
        if top(found.module) == "runtime"
        and (found.name in (None, "*") or found.alias or "." not in found.module)
    ]
    assert bad == []


def test_runtime_modules_import_each_other_at_the_top() -> None:
    """But for what no bundle holds: that is imported by those who need it.

    The definitions that a bundle replaces, and the rendering of chat templates.
    """
    late = [
        f"{path}:{node.lineno}"
        for path in sources("runtime")
        if not path.is_relative_to("runtime/chat")
        for statement in tree(path).body
        if not isinstance(statement, ast.ImportFrom)
        if getattr(statement, "name", "") not in STAND_INS
        for node in ast.walk(statement)
        if isinstance(node, ast.ImportFrom) and top(node.module or "") == "runtime"
    ]
    assert late == []


def test_runtime_modules_only_define_things() -> None:
    definitions = (
        ast.FunctionDef,
        ast.ClassDef,
        ast.Assign,
        ast.AnnAssign,
        ast.Import,
        ast.ImportFrom,
    )
    others = [
        f"{path}:{statement.lineno}"
        for path in sources("runtime")
        for position, statement in enumerate(tree(path).body)
        if not isinstance(statement, definitions)
        and not (position == 0 and isinstance(statement, ast.Expr))  # the docstring
    ]
    assert others == []


def test_runtime_patterns_are_compiled_when_they_are_needed() -> None:
    early = [
        f"{path}:{node.lineno}"
        for path in sources("runtime")
        for statement in tree(path).body
        if isinstance(statement, ast.Assign | ast.AnnAssign)
        for node in ast.walk(statement)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("re.compile", "compile")
    ]
    assert early == []
