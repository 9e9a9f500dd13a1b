"""Chat template -> the text of a Python module that renders it; each pass is a file beside this.

The module renders what is common, exactly as jinja2 would. At anything else it stops and hands over
to the template itself, as jinja2 runs it in the sandbox, which starts anew. So no error is worded
here, and whatever the module writes has been proven to be what jinja2 writes.
"""

from __future__ import annotations

import ast
from hashlib import sha256

import black
from black.mode import TargetVersion

from compiler.backends.jinja.bookkeeping import drop_bookkeeping
from compiler.backends.jinja.calls import call_directly
from compiler.backends.jinja.fields import read_fields
from compiler.backends.jinja.filters import apply_filters
from compiler.backends.jinja.jinja_code import global_names, jinja_root
from compiler.backends.jinja.lookups import resolve_lookups
from compiler.backends.jinja.loops import number_loops
from compiler.backends.jinja.macros import define_macros
from compiler.backends.jinja.naming import name_variables
from compiler.backends.jinja.output import gather_output
from compiler.backends.jinja.safety import drop_safe_marks
from compiler.backends.jinja.syntax import names_read
from compiler.backends.jinja.tidying import drop_unread
from compiler.backends.jinja.undefined import unite_undefined
from compiler.backends.jinja.unproven import RUNTIME_NAMES, hand_over_unproven

_LINE_LENGTH = 100


def compile_chat_template(source: str, title: str) -> str:
    """The module of a chat template: its text, formatted, the same on every run.

    `title`: what the template is of, for the docstring. The module has `SOURCE`, `template` (a
    `ChatTemplate`) and `render`, its method. Raises jinja2's TemplateSyntaxError for what is no
    template.
    """
    return _formatted(module_text(source, title, specialised_function(source)))


def specialised_function(source: str) -> ast.FunctionDef:
    """The function that renders a template, from a dict of its variables."""
    root = resolve_lookups(jinja_root(source), global_names())
    root = drop_bookkeeping(root)
    root = define_macros(root)
    root = unite_undefined(root)
    root = number_loops(root)
    root = call_directly(root)
    root = read_fields(root)
    root = drop_safe_marks(root)
    root = apply_filters(root)
    root = gather_output(root)
    root = hand_over_unproven(root)
    root = drop_unread(root)
    root = name_variables(root)
    root.name = "specialised"
    root.args.args[0].annotation = ast.parse("dict[str, Any]", mode="eval").body
    root.returns = ast.Name("str", ast.Load())
    return ast.fix_missing_locations(root)


def module_text(source: str, title: str, function: ast.FunctionDef) -> str:
    """The module around the function that renders, before it is formatted."""
    used = sorted((names_read(function) & RUNTIME_NAMES) | {"SpecialisedTemplate"})
    digest = sha256(source.encode("utf-8", "surrogatepass")).hexdigest()
    return f"""{_docstring(title, digest)}

from __future__ import annotations

from typing import Any

from runtime.chat.specialised import {", ".join(used)}

SOURCE = {_source_literal(source)}


{ast.unparse(function)}


template = SpecialisedTemplate(SOURCE, specialised)
render = template.render
"""


def _docstring(title: str, digest: str) -> str:
    line = "".join(each if each.isprintable() else " " for each in title)
    summary = f"The chat template of {line}, as Python."
    rest = f"Its source has the sha256 {digest}.\n"
    return '"""' + f"{summary}\n\n{rest}".replace("\\", "\\\\").replace('"', '\\"') + '"""'


def _source_literal(source: str) -> str:
    """The source in parentheses, a text literal a line."""
    lines = source.splitlines(keepends=True)
    return "(\n" + "\n".join(f"    {_repr_of_line(line)}" for line in lines or [""]) + "\n)"


def _repr_of_line(text: str) -> str:
    """`repr`, which leaves only characters that every Python version thinks printable."""
    return "".join(
        each if each.isascii() or each.isalnum() else ascii(each)[1:-1] for each in repr(text)
    )


def _formatted(text: str) -> str:
    mode = black.Mode(line_length=_LINE_LENGTH, target_versions={TargetVersion.PY310})
    return black.format_str(text, mode=mode)
