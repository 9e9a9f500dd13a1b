"""The generated parsers as the public suite `canitoolcall` wants to see a parser.

parser = make_parser("glm", "zai-org/GLM-4.5", tools, prefix)
events = [*parser.initial_events, *parser.feed("..."), ...]
message, events = parser.finalize(finish_reason="stop")
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any

from compiler.models import all_models, model_ids


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
    return import_module(f"generated.{folder}.response").Parser(prefix, list(tools))


@cache
def folders() -> dict[str, str]:
    """Published model -> the folder of its format, where that has a response template."""
    parsed = (model for model in all_models() if model.response_template)
    return {id: model.name for model in parsed for id in model_ids(model)}
