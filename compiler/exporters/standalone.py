"""A generated module and the parts of the runtime that it needs, as one file.

    from runtime.stream import Region          class Region(NamedTuple):
    CONTENT = Region("content")        ->          ...
                                               CONTENT = Region("content")

Starting from the generated module, every top-level definition that is mentioned comes along, and no
other; for a few that would bring too much there is a stand-in. The runtime keeps it simple: its
modules import each other only as `from runtime.x import name`, do nothing at import, and no two of
them define the same name.
"""

from __future__ import annotations

import ast
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from compiler.exporters.segments import Import, NotInlinable, Segment, SourceModule, read_segments

RUNTIME = Path(__file__).parents[2] / "runtime"

_LINE = 88  # characters: what ruff and black take for a line of imports by default
_ALSO_PUBLIC = ("ParseError", "StateError")  # what users of generated/ import from the runtime

# Instead of the runtime's definitions of these names.
STAND_INS = {
    "function_schema": '''

def function_schema(function: Callable[..., Any]) -> dict[str, Any]:
    """Refuses a Python function: reading its docstring takes chatc itself."""
    raise TypeError(
        f"tools are JSON schemas: pass the schema of {function.__name__!r}, not the function"
    )
''',
}

_USAGE = '''
With this file as response_parser.py:

    from response_parser import Parser, parse

    message = parse(text, prefix=prompt)  # a complete response
    parser = Parser(prefix=prompt)  # or piece by piece:
    events = [event for piece in pieces for event in parser.feed(piece)]
    message, last_events = parser.finalize()

or, for a response in a file: python response_parser.py < response.txt
"""'''

_MAIN = """

if __name__ == "__main__":
    response = sys.stdin.buffer.read().decode()
    print(json.dumps(parse(response, prefix=""), indent=2))
"""
_MAIN_IMPORTS = (Import("json", None), Import("sys", None))


@dataclass(frozen=True)
class Standalone:
    """The file, neither formatted nor under its header, and the packages it still needs."""

    source: str
    packages: tuple[str, ...]


@dataclass(frozen=True)
class _Part:
    """What is kept of a module."""

    module: SourceModule
    segments: tuple[Segment, ...]


def standalone(source: str, title: str) -> Standalone:
    """One file from a generated module's source; `title` names the model in it.

    Raises NotInlinable if the module and its runtime have a name in common.
    """
    entry = read_segments("generated", source)
    parts = _kept(entry, _runtime_of(entry))
    imports = _foreign_imports(parts) | set(_MAIN_IMPORTS)
    _require_distinct(parts, imports)
    packages = sorted({used.module for used in imports if not _is_stdlib(used.module)})
    text = [
        _docstring(entry.docstring),
        "from __future__ import annotations",
        _import_block(used for used in imports if _is_stdlib(used.module)),
        _import_block(used for used in imports if not _is_stdlib(used.module)),
        _public_names(entry),
    ]
    for part in parts:
        text.append(_banner(part.module, title))
        text.append("\n".join(segment.text for segment in part.segments))
    return Standalone("\n\n".join(text) + _MAIN, tuple(packages))


def _runtime_of(entry: SourceModule) -> Mapping[str, SourceModule]:
    """The runtime modules that `entry` imports, directly or not, each after those it imports."""
    ordered: dict[str, SourceModule] = {}

    def visit(module: SourceModule) -> None:
        for used in module.imports:
            if _is_runtime(used) and used.module not in ordered:
                path = RUNTIME.parent.joinpath(*used.module.split(".")).with_suffix(".py")
                imported = read_segments(used.module, path.read_text("utf-8"))
                visit(imported)
                ordered[used.module] = _with_stand_ins(imported)

    visit(entry)
    return ordered


def _with_stand_ins(module: SourceModule) -> SourceModule:
    segments = list(module.segments)
    for position, segment in enumerate(segments):
        for name in segment.defines & STAND_INS.keys():
            (segments[position],) = read_segments(name, STAND_INS[name]).segments
    return replace(module, segments=tuple(segments))


def _kept(entry: SourceModule, runtime: Mapping[str, SourceModule]) -> tuple[_Part, ...]:
    """What of each module the entry reaches, in an order in which every name is defined in time."""
    own = [segment for segment in entry.segments if not _is_replaced(segment)]
    reached: set[tuple[str, Segment]] = set()
    pending = [(entry, segment) for segment in own]
    while pending:
        module, segment = pending.pop()
        if (module.name, segment) in reached:
            continue
        reached.add((module.name, segment))
        imported = {
            used.bound: runtime[used.module] for used in module.imports if _is_runtime(used)
        }
        for name in segment.mentions:
            home = imported.get(name, module)
            pending += [(home, definition) for definition in home.defining(name)]
    parts = (
        _Part(module, tuple(s for s in module.segments if (module.name, s) in reached))
        for module in (*runtime.values(), entry)
    )
    return tuple(part for part in parts if part.segments)


def _is_replaced(segment: Segment) -> bool:
    """The handshake with the runtime, which is now the same file, and the list of public names."""
    return "require_api" in segment.mentions or "__all__" in segment.defines


def _is_runtime(used: Import) -> bool:
    return used.module.startswith("runtime.")


def _is_stdlib(module: str) -> bool:
    return module.partition(".")[0] in sys.stdlib_module_names


def _foreign_imports(parts: Iterable[_Part]) -> set[Import]:
    """What the kept statements use from outside the file."""
    return {
        used
        for part in parts
        for used in part.module.imports
        if not _is_runtime(used) and used.module != "__future__"
        if any(used.bound in segment.mentions for segment in part.segments)
    }


def _require_distinct(parts: Iterable[_Part], imports: Iterable[Import]) -> None:
    owners = {used.bound: used.module for used in imports}
    for part in parts:
        names = frozenset[str]().union(*(segment.defines for segment in part.segments))
        for name in sorted(names):
            owner = owners.setdefault(name, part.module.name)
            if owner != part.module.name:
                raise NotInlinable(f"both {owner} and {part.module.name} define {name}")


def _docstring(literal: str) -> str:
    return literal.removesuffix('"""').rstrip("\n") + "\n" + _USAGE


def _import_block(imports: Iterable[Import]) -> str:
    """Import statements in the order that ruff gives them; "" for none."""
    modules: list[str] = []
    names: dict[str, list[str]] = {}
    for used in sorted(imports, key=lambda used: (used.module, used.name or "")):
        if used.name is None:
            modules.append(used.module)
        else:
            names.setdefault(used.module, []).append(used.name)
    lines = [f"import {module}" for module in modules]
    lines += [_from_import(module, names[module]) for module in names]
    return "\n".join(lines)


def _from_import(module: str, names: Sequence[str]) -> str:
    line = f"from {module} import {', '.join(names)}"
    if len(line) <= _LINE:
        return line
    return f"from {module} import (\n" + "".join(f"    {name},\n" for name in names) + ")"


def _public_names(entry: SourceModule) -> str:
    (segment,) = entry.defining("__all__")
    names = ast.literal_eval(segment.text.partition("=")[2].strip())
    return f"__all__ = {sorted((*names, *_ALSO_PUBLIC))}"


def _banner(module: SourceModule, title: str) -> str:
    """A comment where a module begins: its file, and what its docstring says first."""
    if not _is_runtime(Import(module.name, None)):
        return f"# --- the parser of {title}"
    file = module.name.replace(".", "/") + ".py"
    about = ast.literal_eval(module.docstring).partition("\n")[0]
    text = f"--- {file}: {about}"
    return textwrap.fill(text, 100, initial_indent="# ", subsequent_indent="#     ")
