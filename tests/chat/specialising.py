"""Specialised templates made in memory, and what a rendering comes to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any
from unittest.mock import patch

from compiler.backends.jinja.specialise import module_text, specialised_function
from runtime.chat.specialised import SpecialisedTemplate
from runtime.chat.template import ChatTemplate


class _HandedOver(BaseException):
    """Specialised code asked for jinja2."""


@lru_cache(maxsize=256)
def specialised_template(source: str) -> SpecialisedTemplate:
    module: dict[str, Any] = {}
    text = module_text(source, "a test", specialised_function(source))  # formatting takes longest
    exec(compile(text, "<specialised>", "exec"), module)
    template: SpecialisedTemplate = module["template"]
    return template


def outcome(render: Callable[[], Any]) -> tuple[Any, ...]:
    """The text, or the class of an error with its message and the line of the template."""
    try:
        return ("text", render())
    except RecursionError:
        return ("RecursionError",)
    except Exception as error:
        return (type(error), str(error), getattr(error, "template_line", None))


@contextmanager
def without_jinja() -> Iterator[None]:
    """Templates that hand over do so in vain."""

    def refuse(_: ChatTemplate) -> Any:
        raise _HandedOver

    with patch.object(ChatTemplate, "_renderer", refuse):
        yield


def hands_over(source: str, arguments: dict[str, Any]) -> bool:
    template = specialised_template(source)
    try:
        with without_jinja():
            template.render(**arguments)
    except _HandedOver:
        return True
    return False
