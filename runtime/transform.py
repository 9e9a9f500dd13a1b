"""What the transforms written out in generated parsers call.

A transform is a literal there; its placeholders are look-ups (v1, "Transform"):

    {"name": "{name}", "arguments": "{content.args}"}
    {"name": captures["name"], "arguments": descend(content, "content.args")}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NoReturn

_LISTED = 200  # characters of the names shown in a message


class UndefinedPlaceholder(KeyError):
    """A placeholder names neither the content nor a capture that took part."""

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError shows the repr


class TransformError(ValueError):
    """A value has not the shape that the transform, `transform_each` or `join` needs."""


class Scope(dict[str, Any]):
    """What the placeholders of a transform may name; a missing name is an UndefinedPlaceholder."""

    def __missing__(self, name: str) -> NoReturn:
        raise UndefinedPlaceholder(
            f"placeholder {{{name}}} is not defined; defined are: {_listed(self)}"
        )


def descend(root: Any, path: str) -> Any:
    """The value of the placeholder `{path}`, whose first part is `root`: the rest are dict keys.

    Raises TransformError where a key is missing or the value on the way is not a dict.
    """
    value = root
    try:
        for key in path.split(".")[1:]:
            value = value[key]
    except (KeyError, TypeError):
        raise TransformError(f"placeholder {{{path}}}: no {key!r} in {_described(value)}") from None
    return value


class Absent:
    """`ABSENT`: what an optional placeholder names is not there."""


ABSENT = Absent()


def first_of(scope: dict[str, Any], *paths: str, otherwise: Sequence[Any] = ()) -> Any:
    """The value of the first path that is there; of a path, the root is a key of `scope` (dialect).

    Where none is, the value is the only item of `otherwise`. Raises UndefinedPlaceholder if there
    is no such item.
    """
    for path in paths:
        value: Any = scope
        for key in path.split("."):
            value = value.get(key, ABSENT) if isinstance(value, dict) else ABSENT
        if value is not ABSENT:
            return value
    for value in otherwise:
        return value
    raise UndefinedPlaceholder(
        f"placeholder {{{'|'.join(paths)}}}: none is there; defined are: {_listed(scope)}"
    )


def without_absent(value: Any) -> Any:
    """The dict without the keys, or the list without the items, that are ABSENT (dialect)."""
    if isinstance(value, dict):
        return {key: item for key, item in value.items() if item is not ABSENT}
    return [item for item in value if item is not ABSENT]


def each_scope(content: Any, captures: Mapping[str, str]) -> Iterator[Scope]:
    """For `transform_each`: the scope of each item of the content, whose keys win over captures.

    Raises TransformError, when it gets there, if the content is not a list or an item not a dict.
    """
    if not isinstance(content, list):
        raise TransformError(f"transform_each needs a list, not {_kind(content)}")
    for index, item in enumerate(content):
        if not isinstance(item, dict):
            raise TransformError(f"transform_each needs dicts, item {index} is {_kind(item)}")
        yield Scope({**captures, **item})


def require_call(value: Any) -> None:
    """Raises TransformError unless `{"function": ...}` has a name and an object of arguments.

    What a model writes as a call may have neither: no client could make that call (dialect).
    """
    function = value["function"]
    if not isinstance(function, dict):
        raise TransformError(f"a call needs a function, not {_kind(function)}")
    name, arguments = function.get("name"), function.get("arguments")
    if not isinstance(name, str) or not name:
        found = "empty text" if name == "" else _kind(name)
        raise TransformError(f"a call needs a name, not {found}")
    if not isinstance(arguments, dict):
        raise TransformError(f"the arguments of a call are an object, not {_kind(arguments)}")


def join_text(value: Any) -> str:
    """The value, which `join` needs to be a string; raises TransformError if it is not."""
    if not isinstance(value, str):
        raise TransformError(f"join needs a string, not {_kind(value)}")
    return value


def _described(value: Any) -> str:
    return f"a dict with: {_listed(value)}" if isinstance(value, dict) else _kind(value)


def _kind(value: Any) -> str:
    return "null" if value is None else type(value).__name__


def _listed(scope: Mapping[str, Any]) -> str:
    names = ", ".join(sorted(scope)) or "none"
    return names if len(names) <= _LISTED else names[:_LISTED] + "..."
