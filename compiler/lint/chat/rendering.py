"""Chat templates as transformers renders them: the linter's one place that imports the runtime."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from jinja2 import Environment, nodes, pass_context
from jinja2.runtime import Context

from runtime.chat.environment import chat_environment, render_template
from runtime.chat.inputs import conversation_messages, plain_data, tool_schemas
from runtime.chat.template import ChatTemplate

PRINTED = "printed value"  # a filter that no template can name: it gets each value printed

Arguments = Mapping[str, Any]  # of `ChatTemplate.render`
Printed = Callable[[object, int], object]

_NOON = datetime(2024, 2, 29, 12, 30)  # a clock that stands: two renderings must be comparable


@dataclass(frozen=True)
class Outcome:
    """What came of a rendering: a text, or an error and the offset of what raised it."""

    text: str | None = None
    error: Exception | None = None
    offset: int | None = None

    @property
    def comparable(self) -> tuple[str | None, type | None]:
        """Equal for equal texts, and for errors of one class."""
        return (self.text, type(self.error) if self.error else None)


@cache
def environment(trimmed: bool = True) -> Environment:
    """The environment of chat templates, with a standing clock.

    `trimmed`: blocks take white space around them, as in transformers.
    """
    copy: Environment = chat_environment().overlay(trim_blocks=trimmed, lstrip_blocks=trimmed)
    copy.filters = {**copy.filters, PRINTED: _printed_to(lambda value, _: value)}
    copy.globals = {**copy.globals, "strftime_now": _NOON.strftime}
    return copy


def render(source: str, arguments: Arguments) -> str:
    """The text of a conversation; raises whatever the template raises."""
    return ChatTemplate(source).render(**arguments)


class Trial:
    """A template, as a tree whose line numbers are offsets, to be rendered with several inputs.

    Raises jinja2's TemplateSyntaxError if there is no code for the tree.
    """

    def __init__(self, tree: nodes.Template, trimmed: bool, printed: Printed | None = None) -> None:
        base = environment(trimmed)
        code = base.compile(tree)
        if printed:
            base = base.overlay()
            base.filters = {**base.filters, PRINTED: _printed_to(printed)}
        self._template = base.template_class.from_code(base, code, dict(base.globals))

    def render(self, arguments: Arguments) -> Outcome:
        try:
            return Outcome(text=render_template(self._template, _variables(arguments)))
        except Exception as error:
            return Outcome(error=error, offset=getattr(error, "template_line", None))


def _printed_to(printed: Printed) -> Callable[[Context, object, int], object]:
    """The filter; as it takes the context, jinja2 does not compute its value in advance."""

    @pass_context
    def see(_: Context, value: object, offset: int) -> object:
        return printed(value, offset)

    return see


def _variables(arguments: Arguments) -> dict[str, Any]:
    given = dict(arguments)
    return {
        "messages": conversation_messages(given.pop("messages")),
        "tools": tool_schemas(given.pop("tools", None)),
        "documents": plain_data(given.pop("documents", None)),
        "add_generation_prompt": given.pop("add_generation_prompt", False),
        **plain_data(given),
    }
