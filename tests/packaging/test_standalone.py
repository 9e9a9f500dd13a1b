"""Inlining a runtime: what comes along, in which order, and how it looks."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from compiler.artifacts import format_module
from compiler.exporters import standalone as exporter
from compiler.exporters.segments import NotInlinable, read_segments
from compiler.exporters.standalone import standalone

API = '''
"""The handshake."""

from runtime.deep import shape


def require_api(version): ...


def parse_all(texts):
    return [shape(text) for text in texts]
'''
DEEP = '''
"""How deep things look: first line.

Second paragraph.
"""

from __future__ import annotations

import json
import re
from functools import cache
from math import isfinite

from runtime.words import excerpt

LIMIT = 3  # of nesting
UNUSED = isfinite(1.0)


# Why a shape is a shape.
@cache
def shape(text: str) -> Shape:
    # Inside.
    return Shape(json.loads(text), excerpt(text))  # done


class Shape:
    """A shape."""

    def __init__(self, value, near):
        unrelated = LIMIT
        self.value = value


def lost():
    return re.compile("lost")
'''
WORDS = '''
"""Words."""


def excerpt(text):
    return text[:3]


def unrelated():
    return 1
'''
MODULE = '''r"""Parser of \\d.

state  ->  state
"""

from __future__ import annotations

from runtime.api import parse_all, require_api

require_api(1)

__all__ = ["parse"]


def parse(text, prefix):
    return parse_all([text])
'''


@pytest.fixture
def runtime(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "runtime"
    folder.mkdir()
    for name, text in (("api", API), ("deep", DEEP), ("words", WORDS)):
        (folder / f"{name}.py").write_text(text.lstrip())
    monkeypatch.setattr(exporter, "RUNTIME", folder)
    return folder


EXPECTED = '''\
r"""Parser of \\d.

state  ->  state

With this file as response_parser.py:

    from response_parser import Parser, parse

    message = parse(text, prefix=prompt)  # a complete response
    parser = Parser(prefix=prompt)  # or piece by piece:
    events = [event for piece in pieces for event in parser.feed(piece)]
    message, last_events = parser.finalize()

or, for a response in a file: python response_parser.py < response.txt
"""

from __future__ import annotations

import json
import sys
from functools import cache

__all__ = ["ParseError", "StateError", "parse"]

# --- runtime/words.py: Words.


def excerpt(text):
    return text[:3]


# --- runtime/deep.py: How deep things look: first line.


LIMIT = 3  # of nesting


# Why a shape is a shape.
@cache
def shape(text: str) -> Shape:
    # Inside.
    return Shape(json.loads(text), excerpt(text))  # done


class Shape:
    """A shape."""

    def __init__(self, value, near):
        unrelated = LIMIT
        self.value = value


# --- runtime/api.py: The handshake.


def parse_all(texts):
    return [shape(text) for text in texts]


# --- the parser of demo


def parse(text, prefix):
    return parse_all([text])


if __name__ == "__main__":
    response = sys.stdin.buffer.read().decode()
    print(json.dumps(parse(response, prefix=""), indent=2))
'''


def test_what_is_mentioned_comes_along_and_nothing_else(runtime: Path) -> None:
    made = standalone(MODULE, "demo")
    assert format_module(made.source) == EXPECTED
    assert made.packages == ()


def test_other_packages_stay_imports_and_are_named(runtime: Path) -> None:
    module = MODULE.replace("from runtime.api", "import regex\n\nfrom runtime.api").replace(
        "parse_all([text])", "parse_all([regex.sub('a', 'b', text)])"
    )
    made = standalone(module, "demo")
    assert made.packages == ("regex",)
    assert "import regex" in made.source
    assert "import sys\nfrom functools import cache\n\nimport regex\n\n__all__" in made.source


def test_a_name_with_two_meanings_is_refused(runtime: Path) -> None:
    clash = MODULE.replace("def parse(", "LIMIT = 4\n\n\ndef parse(")
    with pytest.raises(NotInlinable, match=r"both runtime\.deep and generated define LIMIT"):
        standalone(clash, "demo")


def test_a_name_of_a_definition_left_behind_is_free(runtime: Path) -> None:
    free = MODULE.replace("def parse(", "UNUSED = 4\n\n\ndef parse(")
    assert "UNUSED = 4" in standalone(free, "demo").source


@pytest.mark.parametrize(
    "line",
    ["import a.b", "import a as b", "from a import b as c", "from . import a", "from a import *"],
)
def test_an_import_under_another_name_is_refused(line: str) -> None:
    with pytest.raises(NotInlinable, match="demo, line 2"):
        read_segments("demo", f"x = 1\n{line}\n")


def test_every_line_of_a_statement_is_kept_as_written() -> None:
    source = (
        '"""Doc."""\n\nimport re\n\n# about a\na = (\n    1,  # one\n)\nb: int = 2\n# the end\n'
    )
    module = read_segments("demo", source)
    assert module.docstring == '"""Doc."""'
    texts = [segment.text for segment in module.segments]
    assert texts == ["\n# about a\na = (\n    1,  # one\n)", "b: int = 2\n# the end\n"]
    assert [segment.defines for segment in module.segments] == [{"a"}, {"b"}]


def test_line_ends_inside_strings_do_not_shift_the_lines() -> None:
    source = 'a = "\u2028\x0c\x1c"\n# about b\nb = a\n'
    second = read_segments("demo", source).segments[1]
    assert second.text == "# about b\nb = a\n"


def test_names_defined_are_those_of_the_top_level() -> None:
    source = "x, (y, z) = [i for i in q]\nw[0] = 1\nfor v in q:\n    pass\n"
    defined = [segment.defines for segment in read_segments("demo", source).segments]
    assert defined[0] >= {"x", "y", "z"}
    assert "i" not in defined[0]


def test_the_whole_runtime_can_be_read() -> None:
    for path in sorted(exporter.RUNTIME.rglob("*.py")):
        module = read_segments(path.stem, path.read_text("utf-8"))
        texts = "\n".join(segment.text for segment in module.segments)
        assert ast.dump(ast.parse(texts)) == ast.dump(
            ast.Module(
                [
                    statement
                    for statement in ast.parse(path.read_text("utf-8")).body
                    if not isinstance(statement, ast.Import | ast.ImportFrom)
                    and not isinstance(statement, ast.Expr)
                ],
                [],
            )
        )
