"""The ways by which chatc renders a template, each made to be the one that is really taken.

plain        jinja2 compiles the source
specialised  code made of the template, which may hand over to the plain way
bytecode     jinja2's code comes from the folder of bytecode, and nothing is compiled
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from typing import Any, NamedTuple, NoReturn
from unittest.mock import patch

from runtime.chat import ChatTemplate, environment
from tests.chat.bytecode_folder import forget
from tests.chat.specialising import specialised_template
from tests.differential.chat_reference import Rendered, outcome


class NotKept(Exception):
    """A template was compiled again, as its bytecode is not there."""


@contextmanager
def plain(source: str, folder: str) -> Iterator[ChatTemplate]:
    with _settings(CHATC_NO_BYTECODE="1"):
        yield ChatTemplate(source)


@contextmanager
def specialised(source: str, folder: str) -> Iterator[ChatTemplate]:
    with _settings(CHATC_NO_BYTECODE="1"):
        yield specialised_template(source)


@contextmanager
def bytecode(source: str, folder: str) -> Iterator[ChatTemplate]:
    """`folder`: of caches, in place of the user's. Raises NotKept if nothing is there."""
    with _settings(XDG_CACHE_HOME=folder):
        environment.compiled_template(source)  # which writes its bytecode
        forget()
        with patch.object(environment, "compile_source", _refuse):
            environment.compiled_template(source)
            yield ChatTemplate(source)


PATHS = {"plain": plain, "specialised": specialised, "bytecode": bytecode}


class Found(NamedTuple):
    """What a rendering came to, and the line of the template that its error carries."""

    rendered: Rendered
    line: int | None


def found(render: Callable[..., Any], arguments: dict[str, Any]) -> Found:
    line = None

    def noting_line() -> Any:
        nonlocal line
        try:
            return render(**deepcopy(arguments))
        except RecursionError:  # which call is one too deep is another way by way
            raise
        except Exception as error:
            line = getattr(error, "template_line", None)
            raise

    return Found(outcome(noting_line), line)


@contextmanager
def _settings(**variables: str) -> Iterator[None]:
    """The environment variables of one way, and nothing in memory before and after."""
    others = {
        name: value
        for name, value in os.environ.items()
        if name not in ("CHATC_NO_BYTECODE", "XDG_CACHE_HOME")
    }
    forget()
    with patch.dict(os.environ, {**others, **variables}, clear=True):
        yield
    forget()


def _refuse(source: str) -> NoReturn:
    raise NotKept(source)
