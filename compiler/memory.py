"""Compiling in memory: a template met at run time becomes a parser without a file."""

from __future__ import annotations

import json
import linecache
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock
from types import ModuleType
from typing import Any

from compiler.backends.python.view import template_hash
from compiler.diagnostics import Diagnostic
from compiler.frontend.load import load
from compiler.pipeline import compile_source

_KEPT = 256  # compiled templates remembered; a server meets few
_cache: OrderedDict[str, CompiledTemplate] = OrderedDict()
_lock = Lock()


@dataclass(frozen=True)
class CompiledTemplate:
    """A compiled template: the functions of a generated module, and the texts behind them."""

    parse: Callable[..., dict[str, Any]]
    parse_result: Callable[..., tuple[dict[str, Any], list[dict[str, Any]]]]
    parse_batch: Callable[..., list[dict[str, Any]]]
    parse_ids: Callable[..., dict[str, Any]] | None  # where the template has special markers
    Parser: type[Any]
    source: str  # the module's text
    grammar: str  # the region grammar, as Lark text
    spec: Mapping[str, Any]
    warnings: tuple[Diagnostic, ...]  # what is likely a mistake in the template

    def __reduce__(self) -> tuple[Any, ...]:
        return compile_template, (self.spec,)


def compile_template(spec: Mapping[str, Any]) -> CompiledTemplate:
    """Compile a response template given as a dict.

    Known templates are answered from memory. Raises TemplateError, a ValueError that carries every
    mistake. The source is registered with `linecache`, so that tracebacks and debuggers show it.
    """
    key = template_hash(spec)
    with _lock:
        if key in _cache:
            _cache.move_to_end(key)
            return _cache[key]
    compiled = _compile(spec, key)
    with _lock:
        _cache[key] = compiled
        while len(_cache) > _KEPT:
            _cache.popitem(last=False)
    return compiled


def _compile(spec: Mapping[str, Any], digest: str) -> CompiledTemplate:
    compiled = compile_source(load(spec))
    filename = f"<chatc {digest}>"
    module = ModuleType(f"chatc_{digest.partition(':')[2]}")
    linecache.cache[filename] = (
        len(compiled.module),
        None,
        compiled.module.splitlines(keepends=True),
        filename,
    )
    exec(compile(compiled.module, filename, "exec"), vars(module))
    return CompiledTemplate(
        parse=module.parse,
        parse_result=module.parse_result,
        parse_batch=module.parse_batch,
        parse_ids=getattr(module, "parse_ids", None),
        Parser=module.Parser,
        source=compiled.module,
        grammar=compiled.grammar_text,
        spec=json.loads(json.dumps(spec)),
        warnings=compiled.warnings,
    )
