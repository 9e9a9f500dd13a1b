"""Chat templates: the first rendering of a new process, and bytecode instead of compiling."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from statistics import median
from tempfile import TemporaryDirectory

from compiler.bench.measure import Row, cpu_seconds, new_process, timed

_RUNS = 15
_OURS = """
import sys
from generated.{name} import render
render([{{"role": "user", "content": "Hello"}}], add_generation_prompt=True)
print("jinja2" in sys.modules)
"""
_THEIRS = """
import sys
from transformers.utils.chat_template_utils import render_jinja_template
chat = [{"role": "user", "content": "Hello"}]
render_jinja_template([chat], chat_template=sys.argv[1], add_generation_prompt=True)
"""


def cold_row(name: str, with_reference: bool) -> Row:
    """The row for one generated model: what a process needs to its first rendering."""
    code = _OURS.format(name=name)
    has_jinja = new_process(code) != "False\n"  # and leaves bytecode behind
    by_turns = [(_seconds_of("pass"), _seconds_of(code)) for _ in range(_RUNS)]
    bare, ours = (median(times) for times in zip(*by_turns, strict=True))
    source = import_module(f"generated.{name}.chat").SOURCE
    theirs = median(_seconds_of(_THEIRS, source) for _ in range(3)) if with_reference else None
    return Row(
        f"{name}, first render in a new process, above `python -c pass`",
        (ours - bare) * 1e3,
        "ms",
        (theirs - bare) / (ours - bare) if theirs else None,
        note=f"pass takes {bare * 1e3:.0f} ms; jinja2 is {'' if has_jinja else 'not '}imported",
        limit=30,
    )


def bytecode_row(sources: list[str]) -> Row:
    """The row for published templates: loading one from the user's cache against compiling it."""
    environment = import_module("runtime.chat.environment")
    bytecode = import_module("runtime.chat.bytecode")
    environment.chat_environment()
    loading, ratios = [], []
    with _empty_cache():
        for source in sources:
            compiling = cpu_seconds(partial(environment.compile_source, source))
            code = environment.compile_source(source)
            bytecode.write_bytecode(
                environment.code_origin(source), partial(environment.template_record, source, code)
            )
            took = median(cpu_seconds(partial(_load, source)) for _ in range(5))
            loading.append(took)
            ratios.append(compiling / took)
    return Row(
        f"{len(sources)} published templates, loading bytecode against compiling",
        median(loading) * 1e6,
        "us",
        median(ratios),
        100,
        "medians",
    )


def _load(source: str) -> object:
    """What rendering does for a template that is new to the process."""
    environment = import_module("runtime.chat.environment")
    bytecode = import_module("runtime.chat.bytecode")
    return environment.load_code(bytecode.read_bytecode(environment.code_origin(source)).code)


def _seconds_of(code: str, *arguments: str) -> float:
    """What a new process takes, from its start to its end."""
    return timed(partial(new_process, code, *arguments))


@contextmanager
def _empty_cache() -> Iterator[None]:
    """Bytecode is kept, in a folder of its own."""
    before = dict(os.environ)
    with TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        os.environ.pop("CHATC_NO_BYTECODE", None)
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(before)
