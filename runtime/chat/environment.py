"""The Jinja environment of chat templates: the one place that imports jinja2.

What a template may use is the specification here (transformers 5.24.0): the sandbox, the filters
and globals, the generation and loop-control tags. Code that jinja2 made for this environment is
valid for this environment only. jinja2 is imported when a template is compiled, never before.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from datetime import datetime
from functools import cache, lru_cache
from types import CodeType
from typing import Any

from runtime.chat.bytecode import CodeOrigin, TemplateRecord, read_bytecode, write_bytecode

Observer = Callable[[str], str]  # gets the text of a generation block, returns what is written

generation_observer: ContextVar[Observer | None] = ContextVar("generation_observer", default=None)

# A template can print these objects and cause errors that name them. So that messages are equal,
# they carry the names that they have in the reference.
_REFERENCE_MODULE = "transformers.utils.chat_template_utils"
_REFERENCE_SCOPE = "_cached_compile_jinja_template.<locals>."

_JINJA_FLOOR = (3, 1, 6)  # older releases have known ways out of the sandbox


@cache
def chat_environment() -> Any:
    """The sandboxed environment (jinja2 `ImmutableSandboxedEnvironment`) of every chat template.

    Raises ImportError where jinja2 is missing or older than 3.1.6.
    """
    _require_jinja()
    from jinja2.ext import loopcontrols
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[_generation_tag(), loopcontrols]
    )
    environment.filters["tojson"] = _named(_tojson_filter(), "tojson")
    environment.globals["raise_exception"] = _named(_raise_exception_global(), "raise_exception")
    environment.globals["strftime_now"] = _named(_strftime_now_global(), "strftime_now")
    environment.globals["dict"] = _dict_class()()
    environment.globals["namespace"] = _namespace_class()
    return environment


@lru_cache(maxsize=128)
def compiled_template(source: str) -> Any:
    """The jinja2 `Template` of a source text, ready to render; raises as `compile_source` does.

    The code comes from the user's cache of bytecode if it is there.
    """
    kept = _kept_record(source)
    if kept is not None:
        return load_code(kept.code)
    code = compile_source(source)
    write_bytecode(code_origin(source), lambda: template_record(source, code))
    return load_code(code)


def template_record(source: str, code: CodeType) -> TemplateRecord:
    """What is kept of a template whose code `compile_source` made."""
    return TemplateRecord(code, undeclared_variables(source), literal_text(source))


def compile_source(source: str) -> CodeType:
    """The Python code that jinja2 makes of a template.

    Raises jinja2's TemplateSyntaxError for what is no template; its `lineno` and `template_line`
    are the line at fault.
    """
    environment = chat_environment()
    try:
        code: CodeType = environment.compile(source)
    except Exception as error:
        _note_line(error, getattr(error, "lineno", None))
        raise
    return code


def load_code(code: CodeType) -> Any:
    """The jinja2 `Template` of code that `compile_source` made, with this version of jinja2."""
    environment = chat_environment()
    # A plain dict of globals saves jinja2 from merging a chain of them for every rendering.
    return environment.template_class.from_code(environment, code, dict(environment.globals))


def render_template(template: Any, variables: Mapping[str, Any]) -> str:
    """The text of a loaded template; errors are those of `template_pieces`."""
    return "".join(template_pieces(template, variables))


def template_pieces(template: Any, variables: Mapping[str, Any]) -> Iterator[str]:
    """The pieces of a loaded template's text, one by one.

    Raises whatever the template's code raises; the error's `template_line` is the line (from 1)
    where it failed.
    """
    context = template.new_context(variables)
    try:
        yield from template.root_render_func(context)
    except Exception as error:
        _note_line(error, _failing_line(error))
        template.environment.handle_exception()


def parse_source(source: str) -> Any:
    """A template's syntax tree, of jinja2's nodes; raises as `compile_source` does."""
    return chat_environment().parse(source)


@lru_cache(maxsize=128)
def undeclared_variables(source: str) -> frozenset[str]:
    """The names that a template reads and neither sets nor has as a global, such as `messages`."""
    kept = _kept_record(source)
    if kept is not None:
        return kept.variables
    tree = parse_source(source)
    from jinja2.meta import find_undeclared_variables

    return frozenset(find_undeclared_variables(tree))


@lru_cache(maxsize=128)
def literal_text(source: str) -> str:
    """The texts that a template may write of itself, each once, with a null character between."""
    kept = _kept_record(source)
    if kept is not None:
        return kept.literal_text
    tree = parse_source(source)
    from jinja2.nodes import Const, TemplateData

    texts = [
        node.data if isinstance(node, TemplateData) else node.value
        for node in tree.find_all((TemplateData, Const))
        if isinstance(node, TemplateData) or isinstance(node.value, str)
    ]
    return "\0".join(dict.fromkeys(texts))


@lru_cache(maxsize=128)
def _kept_record(source: str) -> TemplateRecord | None:
    return read_bytecode(code_origin(source))


def code_origin(source: str) -> CodeOrigin:
    """What bytecode of a template is valid for; raises ImportError as `chat_environment` does."""
    chat_environment()  # where jinja2 is too old, code that it made is no better
    from jinja2 import __version__

    return CodeOrigin(source, __version__, __file__)


def _require_jinja() -> None:
    try:
        import jinja2
    except ImportError as error:
        raise ImportError(
            "chat templates are rendered by jinja2, which is not installed:"
            " pip install 'chatc[compiler]', or jinja2>=3.1.6"
        ) from error
    numbers = tuple(int(number) for number in re.findall(r"\d+", jinja2.__version__)[:3])
    if numbers < _JINJA_FLOOR:
        raise ImportError(
            "chat templates need jinja2>=3.1.6: older releases have known ways out of the sandbox."
            f" The installed version is {jinja2.__version__}: pip install -U jinja2"
        )


def _failing_line(error: BaseException) -> int | None:
    """The line of the template in the innermost frame that runs a template's code."""
    line = None
    traceback = error.__traceback__
    while traceback is not None:
        template = traceback.tb_frame.f_globals.get("__jinja_template__")
        if template is not None:
            line = template.get_corresponding_lineno(traceback.tb_lineno)
        traceback = traceback.tb_next
    return line


def _note_line(error: Any, line: int | None) -> None:
    if line is not None:
        error.template_line = line


def _named(value: Any, name: str) -> Any:
    """A function or class under the name and module that it has in the reference."""
    value.__module__ = _REFERENCE_MODULE
    value.__name__ = name
    value.__qualname__ = _REFERENCE_SCOPE + name
    return value


def _generation_tag() -> Any:
    from jinja2 import nodes, pass_eval_context
    from jinja2.ext import Extension
    from jinja2.parser import Parser

    class GenerationTag(Extension):
        """`{% generation %}...{% endgeneration %}`: text that the model wrote."""

        def parse(self, parser: Parser) -> nodes.Node:
            line = next(parser.stream).lineno
            body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
            call = self.call_method("_generation_support")
            return nodes.CallBlock(call, [], [], body).set_lineno(line)

        @pass_eval_context
        def _generation_support(self, _: nodes.EvalContext, caller: Callable[[], str]) -> str:
            text = caller()
            observer = generation_observer.get()
            return text if observer is None else observer(text)

    GenerationTag.tags = {"generation"}
    return GenerationTag


def _tojson_filter() -> Any:
    def tojson(
        x: Any,
        ensure_ascii: bool = False,
        indent: Any = None,
        separators: Any = None,
        sort_keys: bool = False,
    ) -> str:
        return json.dumps(
            x,
            ensure_ascii=ensure_ascii,
            indent=indent,
            separators=separators,
            sort_keys=sort_keys,
        )

    return tojson


def _raise_exception_global() -> Any:
    from jinja2.exceptions import TemplateError

    def raise_exception(message: Any) -> None:
        raise TemplateError(message)

    return raise_exception


def _strftime_now_global() -> Any:
    def strftime_now(format: str) -> str:
        return datetime.now().strftime(format)

    return strftime_now


def _dict_class() -> Any:
    class TemplateDict:
        """What `dict` is in a template: a call and `fromkeys`, no way to the class itself."""

        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            return dict(*args, **kwargs)

        def fromkeys(self, *args: Any, **kwargs: Any) -> Any:
            return dict.fromkeys(*args, **kwargs)

    return _named(TemplateDict, "TemplateDict")


def _namespace_class() -> Any:
    from jinja2.exceptions import SecurityError
    from jinja2.utils import Namespace

    def refuse_underscore(name: Any) -> None:
        if isinstance(name, str) and name.startswith("_"):
            raise SecurityError(
                "Chat templates cannot store underscore-prefixed attributes on a namespace, "
                f"but got {name!r}. Please rename the attribute."
            )

    class TemplateNamespace(Namespace):
        """jinja2's namespace without names that start with an underscore."""

        def __init__(self, /, *args: Any, **kwargs: Any) -> None:
            attributes = dict(*args, **kwargs)
            for name in attributes:
                refuse_underscore(name)
            super().__init__(attributes)

        def __setitem__(self, name: str, value: Any) -> None:
            refuse_underscore(name)
            super().__setitem__(name, value)

    return _named(TemplateNamespace, "TemplateNamespace")
