"""The view through the template: module text, before formatting."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from compiler.backends.python.view import ModuleView


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("compiler.backends.python", "templates"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["one_line"] = one_line
    return environment.get_template("module.py.j2")


def one_line(text: str) -> str:
    """Text for a comment: names and patterns of a template may hold line breaks, or worse."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def render_module(view: ModuleView) -> str:
    """Python source of the module, neither formatted nor under its header yet."""
    return _template().render(vars(view))
