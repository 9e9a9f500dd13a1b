"""Turns what callers pass into what a template sees: plain JSON data, in fresh containers.

The steps and their order are those of transformers 5.24.0. Message objects become dicts; keys of a
message whose value is None are dropped; whatever is not JSON becomes a harmless stand-in, because
the sandbox does not know which methods of foreign objects are dangerous; the reasoning of a message
is given under each name that templates read it by.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from types import FunctionType, MethodType, NoneType
from typing import Any

from runtime.events import Message

# The names that a message's reasoning goes by; the first is the one that templates mostly read.
REASONING_FIELDS = ("reasoning_content", "thinking", "reasoning")

_SCALARS = frozenset((str, int, float, bool, NoneType))


class _NotPlain(Exception):
    """Met in a quick copy: a value that is not exactly of a JSON type."""


def conversation_messages(conversation: Any) -> list[Message]:
    """A conversation as the template sees it; it shares no container with the caller's.

    `conversation`: messages, or an object with `messages`. A message is a mapping, a dataclass or
    an object with `model_dump`. Raises TypeError for anything else.
    """
    messages = getattr(conversation, "messages", conversation)
    try:
        chat = _plain_messages(messages)
    except _NotPlain:
        chat = [plain_data(message) for message in _message_dicts(messages)]
    absent = frozenset(REASONING_FIELDS).isdisjoint
    return [message if absent(message) else _with_reasoning(message) for message in chat]


def tool_schemas(tools: Iterable[Any] | None) -> Any:
    """The tools as JSON schemas: dicts as they are, functions by their signature and docstring.

    Raises ValueError for anything else, and what `get_json_schema` raises.
    """
    if tools is None:
        return None
    schemas = []
    for tool in tools:
        if isinstance(tool, dict):
            schemas.append(tool)
        elif isinstance(tool, (FunctionType, MethodType)):
            schemas.append(_function_schema(tool))
        else:
            raise ValueError(
                "Tools should either be a JSON schema, or a callable function with type hints "
                "and a docstring suitable for auto-conversion to a schema."
            )
    return plain_data(schemas)


def _function_schema(function: FunctionType | MethodType) -> dict[str, Any]:
    from runtime.chat.json_schema import get_json_schema  # imports much, and is rarely needed

    return get_json_schema(function)


def plain_documents(documents: Iterable[Any] | None) -> Any:
    """The documents as plain data; raises TypeError where one is no dict."""
    if documents is not None:
        for document in documents:
            if not isinstance(document, dict):
                raise TypeError("Documents should be a list of dicts with 'title' and 'text' keys!")
    return plain_data(documents)


def plain_data(value: Any) -> Any:
    """A copy of a value in str, int, float, bool, None, dict, list and tuple, and nothing else.

    Subclasses lose what they add; mappings, dataclasses and objects with `model_dump` become dicts;
    any other object becomes the text `<TypeName>`.
    """
    try:
        return _quick_copy(value)
    except _NotPlain:
        return _converted(value)


def _plain_messages(messages: Any) -> list[Message]:
    """What the general way gives for messages that are plain data already, in one pass."""
    if type(messages) is not list and type(messages) is not tuple:
        raise _NotPlain
    chat = []
    for message in messages:
        if type(message) is not dict:
            raise _NotPlain
        copy = message.copy()
        for key, value in message.items():
            if type(key) is not str:
                raise _NotPlain
            if type(value) is not str:
                if value is None:
                    del copy[key]
                else:
                    copy[key] = _quick_copy(value)
        chat.append(copy)
    return chat


def _quick_copy(value: Any) -> Any:
    """A copy of a value of exact JSON types with text keys; raises _NotPlain at any other."""
    kind = type(value)
    if kind is dict:
        copy: dict[str, Any] = value.copy()
        for key, item in value.items():
            if type(key) is not str:
                raise _NotPlain
            if type(item) is not str and type(item) not in _SCALARS:
                copy[key] = _quick_copy(item)
        return copy
    if kind is list:
        return [item if type(item) is str else _quick_copy(item) for item in value]
    if kind in _SCALARS:
        return value
    if kind is tuple:
        return tuple([_quick_copy(item) for item in value])
    raise _NotPlain


def _message_dicts(messages: Any) -> list[Message]:
    """The messages, and the objects inside them, as dicts; top-level keys without a value gone."""
    chat = []
    for message in _objects_as_dicts(messages):
        if not isinstance(message, dict):
            raise TypeError(
                "Chat messages should be dicts, dataclasses or pydantic models, "
                f"but got {message!r}."
            )
        chat.append({key: value for key, value in message.items() if value is not None})
    return chat


def _objects_as_dicts(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _objects_as_dicts(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_objects_as_dicts(item) for item in value]
    if isinstance(value, tuple):
        return tuple(_objects_as_dicts(item) for item in value)
    if (names := _dataclass_fields(value)) is not None:
        return {name: _objects_as_dicts(getattr(value, name)) for name in names}
    if callable(getattr(value, "model_dump", None)):
        return _objects_as_dicts(value.model_dump())
    return value


def _converted(value: Any) -> Any:
    if type(value) in _SCALARS:
        return value
    # The methods of the base classes: a subclass may answer differently.
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int.__int__(value)
    if isinstance(value, float):
        return float.__float__(value)
    if isinstance(value, Mapping):
        return {_converted(key): _converted(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_converted(item) for item in value]
    if isinstance(value, tuple):
        return tuple(_converted(item) for item in value)
    if _is_numpy_scalar(value):
        return _converted(value.item())
    if (names := _dataclass_fields(value)) is not None:
        return {name: _converted(getattr(value, name)) for name in names}
    if callable(getattr(value, "model_dump", None)):
        return _converted(value.model_dump())
    return f"<{type(value).__name__}>"


# What is not imported yet has made no value; importing it to ask would be slow.


def _dataclass_fields(value: Any) -> list[str] | None:
    """The names of the fields of a dataclass's instance, None for anything else."""
    dataclasses = sys.modules.get("dataclasses")
    if dataclasses is None or isinstance(value, type) or not dataclasses.is_dataclass(value):
        return None
    return [field.name for field in dataclasses.fields(value)]


def _is_numpy_scalar(value: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(value, numpy.generic)


def _with_reasoning(message: Message) -> Message:
    """The message with its reasoning, if it has any, as `thinking` and as `reasoning_content`."""
    for field in REASONING_FIELDS:
        reasoning = message.get(field)
        if reasoning is not None:
            return {"thinking": reasoning, **message, "reasoning_content": reasoning}
    return message
