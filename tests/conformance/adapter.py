"""The generated parsers as the public suite `canitoolcall` wants to see a parser.

parser = make_parser("glm", "zai-org/GLM-4.5", tools, prefix)
events = [*parser.initial_events, *parser.feed("..."), ...]
message, events = parser.finalize(finish_reason="stop")
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from compiler import compile_template
from compiler.models import GRAMMARS, all_models, model_ids

_TEMPLATES = ("response_template.extended.json", "response_template.json")


class NoParser(LookupError):
    """No model of this repository is published under that name."""


def make_parser(family: str, model: str, tools: Sequence[Any], prefix: str) -> Any:
    """A parser for one response of a published model, such as "Qwen/Qwen3-0.6B".

    `family` is the suite's name for a group of models; the model's own name says more. Raises
    NoParser.
    """
    folder = folders().get(model)
    if folder is None:
        raise NoParser(f"{family}: no model under grammars/ has {model!r} among its ids")
    return _parser_class(folder)(prefix, list(tools))


@cache
def folders() -> dict[str, str]:
    """Published model -> the folder of its format, where that has a response template."""
    return {
        id: model.name for model in all_models() if _template(model.name) for id in model_ids(model)
    }


@cache
def _parser_class(folder: str) -> Any:
    template = _template(folder)
    assert template is not None, "a folder of folders() has a template"
    return compile_template(template).Parser


def _template(folder: str) -> dict[str, Any] | None:
    """The template that is compiled by default."""
    for name in _TEMPLATES:
        if (GRAMMARS / folder / name).is_file():
            spec: dict[str, Any] = json.loads((GRAMMARS / folder / name).read_text("utf-8"))
            return spec
    return None
