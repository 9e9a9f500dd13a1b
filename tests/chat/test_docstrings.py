"""Google-style docstrings: where their sections begin and end, and whose text a line is."""

from __future__ import annotations

import pytest

from runtime.chat.docstrings import FunctionDocs, read_docstring


@pytest.mark.parametrize(
    ("text", "docs"),
    [
        ("One.\nTwo.", FunctionDocs("One.\nTwo.", {}, None)),
        ("One. Raises: two.", FunctionDocs("One.", {}, None)),
        ("MyArgs: two.", FunctionDocs("My", {}, None)),
        ("Args:\n    x: A.", FunctionDocs("", {}, None)),  # the first line is no heading
        ("F.\nArgs: \n    x: A.", FunctionDocs("F.", {}, None)),
        ("F.\nArguments:\n    x: A.", FunctionDocs("F.\nArguments:\n    x: A.", {}, None)),
        ("F.\n\nParameters\n----------\nx : int\n    A.", None),
        ("F.\nArgs:\n x: A.\nRaises:\n y: B.", FunctionDocs("F.", {"x": "A."}, None)),
        ("F.\nReturns:\n A.\nArgs:\n x: B.", FunctionDocs("F.", {"x": "B."}, "A.\nArgs:\n x: B.")),
        ("F.\nReturns:\n A\n  b.\nRaises:\n C.", FunctionDocs("F.", {}, "A\n  b.")),
        ("F.\n  Args:\n    x: A. Returns: B.", FunctionDocs("F.", {"x": "A."}, None)),
    ],
)
def test_sections(text: str, docs: FunctionDocs | None) -> None:
    assert read_docstring(text) == (docs or FunctionDocs(text, {}, None))


@pytest.mark.parametrize(
    ("lines", "arguments"),
    [
        ("x: A.\ny: B.", {"x": "A.", "y": "B."}),
        ("x (int, optional): A.", {"x": "A."}),
        ("x(int): A.", {"x": "A."}),
        ("x (f(int)): A.", {}),
        ("x : A.", {}),
        ("*x: A.\n**y: B.", {}),
        ("An introduction.\nx: A.", {"x": "A."}),
        ("x: A\n\n   b  c\n\td\n\n\ny: B.", {"x": "A b  c d", "y": "B."}),
        ("x: A\nb", {"x": "A b"}),
        ("x: A\n  note: b\ny: B.", {"x": "A note: b", "y": "B."}),
        ("  x: A\n y: B.\n  z: C.", {"x": "A", "y": "B. z: C."}),
        ("x:\n  A.\ny: B.", {"x": "A.", "y": "B."}),
        ("x:\ny: B.\nz: C.", {"x": "y: B.", "z": "C."}),  # what follows nothing is its text
        ("x: A.\ny:", {"x": "A.", "y": ""}),
        ("x: A.\nx: B.", {"x": "B."}),
        ("x: A.\nExample:\n  f(1)", {"x": "A.", "Example": "f(1)"}),
        ("x: see http://a.b\nhttp://c.d", {"x": "see http://a.b", "http": "//c.d"}),
        ("größe: A.", {"größe": "A."}),
    ],
)
def test_lines_of_arguments(lines: str, arguments: dict[str, str]) -> None:
    assert read_docstring(f"F.\n\nArgs:\n{lines}").arguments == arguments
