"""A chat template: from messages to the text that a model reads.

The texts, errors and messages are those of `apply_chat_template(tokenize=False)` in transformers
5.24.0. What only jinja2 can do is imported where it is done: specialised code does without.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from runtime.chat.inputs import (
    conversation_messages,
    plain_data,
    plain_documents,
    tool_schemas,
)
from runtime.events import Message

Renderer = Callable[[dict[str, Any]], str]


class ChatTemplate:
    """A Jinja chat template; it is compiled when it is first rendered.

    `source`: the text of the template. Errors in it show when it is rendered, as jinja2's
    TemplateSyntaxError. Errors of jinja2 and of the template's own code carry the line at fault
    (from 1) as `template_line`. Rendering needs jinja2 (ImportError without it), never changes the
    caller's data, and may go on in several threads at once. Templates never change; those of one
    class and source are equal.
    """

    __slots__ = ("_source",)

    def __init__(self, source: str) -> None:
        self._source = source

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.source == self.source

    def __hash__(self) -> int:
        return hash(self._source)

    @property
    def source(self) -> str:
        return self._source

    @property
    def variables(self) -> frozenset[str]:
        """The names that the template reads from its arguments, such as `bos_token`."""
        from runtime.chat.environment import undeclared_variables

        return undeclared_variables(self.source)

    @property
    def literal_text(self) -> str:
        """The texts that the template may write of itself, with null characters between."""
        from runtime.chat.environment import literal_text

        return literal_text(self.source)

    def render(
        self,
        messages: Any,
        tools: Iterable[Any] | None = None,
        documents: Iterable[Any] | None = None,
        add_generation_prompt: bool = False,
        continue_final_message: bool | str = False,
        **kwargs: Any,
    ) -> str:
        """The text of one conversation.

        `messages`: mappings, dataclasses or objects with `model_dump`, or an object that has them
        as `messages`. `tools`: JSON schemas or Python functions. `documents`: dicts.
        `continue_final_message`: ends the text inside the final message, after its `content`, or
        after the field named. `kwargs`: further variables of the template, special tokens such as
        `bos_token` among them.

        Raises ValueError and TypeError for input that cannot be rendered, and whatever the
        template raises (`raise_exception` is jinja2's TemplateError).
        """
        _refuse_empty(messages)
        return self.render_batch(
            [messages], tools, documents, add_generation_prompt, continue_final_message, **kwargs
        )[0]

    def render_batch(
        self,
        conversations: Iterable[Any],
        tools: Iterable[Any] | None = None,
        documents: Iterable[Any] | None = None,
        add_generation_prompt: bool = False,
        continue_final_message: bool | str = False,
        **kwargs: Any,
    ) -> list[str]:
        """The texts of several conversations, which share all other arguments; as `render`."""
        chats = [conversation_messages(conversation) for conversation in conversations]
        _refuse_both(continue_final_message, add_generation_prompt)
        render = self._renderer()
        variables = _shared_variables(tools, documents, add_generation_prompt, kwargs)
        if not continue_final_message:
            return [render({"messages": chat, **variables}) for chat in chats]
        continued = continue_final_message if isinstance(continue_final_message, str) else "content"
        return [self._render_continuing(render, chat, variables, continued) for chat in chats]

    def render_with_spans(
        self,
        messages: Any,
        tools: Iterable[Any] | None = None,
        documents: Iterable[Any] | None = None,
        add_generation_prompt: bool = False,
        continue_final_message: bool | str = False,
        **kwargs: Any,
    ) -> tuple[str, list[tuple[int, int]]]:
        """The text of one conversation, and the spans that its `{% generation %}` blocks wrote.

        A span is `(start, end)` in characters of the text; spans are in order and do not overlap.
        Arguments and errors are those of `render`, but that `continue_final_message` is a
        ValueError.
        """
        from runtime.chat.environment import compiled_template
        from runtime.chat.spans import render_spans

        _refuse_empty(messages)
        chat = conversation_messages(messages)
        _refuse_both(continue_final_message, add_generation_prompt)
        if continue_final_message:
            raise ValueError(
                "continue_final_message is not compatible with return_assistant_tokens_mask."
            )
        template = compiled_template(self.source)
        variables = _shared_variables(tools, documents, add_generation_prompt, kwargs)
        return render_spans(self.source, template, {"messages": chat, **variables})

    def _renderer(self) -> Renderer:
        """What renders one conversation's variables; raises where the source is no template."""
        from runtime.chat.environment import compiled_template, render_template

        template = compiled_template(self.source)
        return lambda variables: render_template(template, variables)

    def _render_continuing(
        self, render: Renderer, chat: list[Message], variables: dict[str, Any], field_name: str
    ) -> str:
        from runtime.chat.continuing import cut_at_tag, tag_final_message

        continued = tag_final_message(chat, field_name, self.source)
        return cut_at_tag(render({"messages": chat, **variables}), continued)


def _refuse_empty(messages: Any) -> None:
    if isinstance(messages, (list, tuple)) and not messages:
        raise ValueError(
            "Cannot apply chat template to an empty conversation. Provide at least one message."
        )


def _refuse_both(continue_final_message: bool | str, add_generation_prompt: bool) -> None:
    if continue_final_message and add_generation_prompt:
        raise ValueError(
            "continue_final_message and add_generation_prompt are not compatible. Use "
            "continue_final_message when you want the model to continue the final message, and "
            "add_generation_prompt when you want to add a header that will prompt it to start a "
            "new assistant message instead."
        )


def _shared_variables(
    tools: Any, documents: Any, add_generation_prompt: Any, kwargs: dict[str, Any]
) -> dict[str, Any]:
    """What every conversation of a batch renders with; the keys that are no keyword of theirs."""
    return {
        "tools": tool_schemas(tools),
        "documents": plain_documents(documents),
        "add_generation_prompt": add_generation_prompt,
        **plain_data(kwargs),
    }
