"""Which of a model's chat templates renders a conversation (transformers 5.24.0).

A model has one template (a text) or several (a dict of name to text). What is asked for is a name
of the dict or, where it is none, a template itself: a name that is not there is rendered as text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

ChatTemplates = str | Mapping[str, str] | None


def tokenizer_template(
    templates: ChatTemplates, wanted: str | None = None, tools: Any = None
) -> str:
    """The template that a tokenizer takes: `tool_use` where tools are given, else `default`.

    An empty list of tools counts as given. Raises ValueError where there is none to take.
    """
    if isinstance(templates, Mapping):
        if wanted is not None:
            return templates.get(wanted, wanted)
        if tools is not None and "tool_use" in templates:
            return templates["tool_use"]
        if "default" in templates:
            return templates["default"]
        raise ValueError(
            "This model has multiple chat templates with no default specified! Please either pass "
            "a chat template or the name of the template you wish to use to the `chat_template` "
            f"argument. Available template names are {sorted(templates)}."
        )
    if wanted is not None:
        return wanted
    if templates is None:
        raise ValueError(
            "Cannot use chat template functions because tokenizer.chat_template is not set and no "
            "template argument was passed! For information about writing templates and setting the "
            "tokenizer.chat_template attribute, please see the documentation at "
            "https://huggingface.co/docs/transformers/main/en/chat_templating"
        )
    return templates


def processor_template(templates: ChatTemplates, wanted: str | None = None) -> str:
    """The template that a processor takes: `default`, with tools or without.

    Raises ValueError where there is none to take.
    """
    if wanted is not None:
        return templates.get(wanted, wanted) if isinstance(templates, Mapping) else wanted
    if templates is None:
        raise ValueError(
            "Cannot use apply_chat_template because this processor does not have a chat template."
        )
    if not isinstance(templates, Mapping):
        return templates
    if "default" not in templates:
        raise ValueError(
            'The processor has multiple chat templates but none of them are named "default". '
            "You need to specify which one to use by passing the `chat_template` argument. "
            f"Available templates are: {', '.join(templates)}"
        )
    return templates["default"]
