"""Chat template -> the Python code that jinja2 makes of it, as a syntax tree."""

from __future__ import annotations

import ast

from runtime.chat.environment import chat_environment


def jinja_root(source: str) -> ast.FunctionDef:
    """The function that writes a template, of jinja2's code for the chat environment.

    Raises jinja2's TemplateSyntaxError for what is no template.
    """
    code: str = chat_environment().compile(source, raw=True)
    for statement in ast.parse(code).body:
        if isinstance(statement, ast.FunctionDef) and statement.name == "root":
            return statement
    raise AssertionError("jinja2 made no root function")


def global_names() -> frozenset[str]:
    """The names that a template may use without being given them."""
    return frozenset(chat_environment().globals)
