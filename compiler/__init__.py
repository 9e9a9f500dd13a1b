"""chatc: compiles chat response templates into streaming parsers.

from compiler import compile_template

parser = compile_template(template).Parser(prefix)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from compiler.memory import CompiledTemplate, compile_template

__all__ = ["CompiledTemplate", "compile_template"]


def __getattr__(name: str) -> Any:
    # The stages load lark, regex and jinja2, which `chatc --help` can do without.
    if name in __all__:
        from compiler import memory

        return getattr(memory, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
