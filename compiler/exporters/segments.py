"""Python source cut into its top-level statements, each as written, with the comments above it.

The syntax tree says where a statement lies and which names it defines and mentions; the text is
taken from the source, so that nothing of its layout or comments is lost.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass


class NotInlinable(Exception):
    """A source that cannot become part of one file: an import of an unusual form, a name clash."""


@dataclass(frozen=True)
class Import:
    """`import module` (name None) or `from module import name`."""

    module: str
    name: str | None

    @property
    def bound(self) -> str:
        """The name that the importing module knows it by."""
        return self.name or self.module


@dataclass(frozen=True)
class Segment:
    """A statement that is neither an import nor the docstring."""

    text: str  # whole lines, with the blank lines and comments above
    defines: frozenset[str]
    mentions: frozenset[str]  # every name in it, local ones too


@dataclass(frozen=True)
class SourceModule:
    """A module in pieces; `docstring` is the literal as written, "" if there is none."""

    name: str
    docstring: str
    imports: tuple[Import, ...]
    segments: tuple[Segment, ...]

    def defining(self, name: str) -> tuple[Segment, ...]:
        """The statements that define a top-level name."""
        return tuple(segment for segment in self.segments if name in segment.defines)


def read_segments(name: str, source: str) -> SourceModule:
    """The module `name` in pieces. Raises NotInlinable for imports under another name."""
    lines = source.split("\n")  # as the syntax tree counts them; splitlines knows more line ends
    statements = ast.parse(source).body
    docstring = ""
    imports: list[Import] = []
    segments: list[Segment] = []
    end = 0
    for statement in statements:
        assert statement.end_lineno is not None
        last = statement is statements[-1]
        text = "\n".join(lines[end : None if last else statement.end_lineno])
        end = statement.end_lineno
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            imports += _imports(name, statement)
        elif _is_docstring(statement) and statement is statements[0]:
            docstring = ast.get_source_segment(source, statement) or ""
        else:
            segments.append(Segment(text, _defined(statement), _mentioned(statement)))
    return SourceModule(name, docstring, tuple(imports), tuple(segments))


def _is_docstring(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _imports(module: str, statement: ast.Import | ast.ImportFrom) -> Iterator[Import]:
    for alias in statement.names:
        found = (
            Import(alias.name, None)
            if isinstance(statement, ast.Import)
            else Import(statement.module or "", alias.name)
        )
        is_relative = isinstance(statement, ast.ImportFrom) and statement.level > 0
        if alias.asname or is_relative or "." in found.bound or found.bound == "*":
            raise NotInlinable(f"{module}, line {statement.lineno}: {ast.unparse(statement)}")
        yield found


def _defined(statement: ast.stmt) -> frozenset[str]:
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return frozenset({statement.name})
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
        targets = [statement.target]
    else:
        targets = []
    names = (node for target in targets for node in ast.walk(target))
    return frozenset(node.id for node in names if isinstance(node, ast.Name))


def _mentioned(statement: ast.stmt) -> frozenset[str]:
    return frozenset(node.id for node in ast.walk(statement) if isinstance(node, ast.Name))
