"""What the specialised code of a chat template runs on, and how it hands over to jinja2.

Specialised code renders the common case. Whatever is unusual makes it fail: an operation without
a meaning for a value, a use of something undefined, a filter of another kind. The template is then
rendered from the start by jinja2, which gives the text or words the error. That is sound because
rendering changes nothing outside itself. jinja2 is imported only then.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, NoReturn

from runtime.chat.template import ChatTemplate, Renderer

_JINJA_GLOBALS = frozenset(
    ("cycler", "dict", "joiner", "lipsum", "namespace", "raise_exception", "range", "strftime_now")
)
_LONGEST_RANGE = 100_000  # jinja2's sandbox, MAX_RANGE


class HandOver(Exception):
    """Specialised code met what only jinja2 can answer."""


def hand_over() -> NoReturn:
    raise HandOver


@dataclass(frozen=True)
class SpecialisedTemplate(ChatTemplate):
    """A chat template with code made for it, `specialised`: from its variables to the text."""

    specialised: Callable[[dict[str, Any]], str] = field(repr=False, compare=False)

    def _renderer(self) -> Renderer:
        return self._text

    def _text(self, variables: dict[str, Any]) -> str:
        if _are_usual(variables):
            with suppress(Exception):  # jinja2 gives the text, or words the error
                return self.specialised(variables)
        return super()._renderer()(variables)


def _are_usual(variables: dict[str, Any]) -> bool:
    """Whether no variable hides a global, and the one that may be of any type is a plain one."""
    prompted = variables.get("add_generation_prompt")
    return (prompted is None or type(prompted) in (bool, int, str)) and _JINJA_GLOBALS.isdisjoint(
        variables
    )


class Missing:
    """The type of MISSING, which is used as jinja2's undefined values can be used without error."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return False

    def __len__(self) -> int:
        return 0

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __str__(self) -> str:
        return ""

    def __repr__(self) -> str:
        return "Undefined"


MISSING = Missing()
NOT_GIVEN = object()  # an argument that a macro's call left out


class Variables:
    """A namespace of a template. Whatever it is not made for fails."""

    __slots__ = ("_values",)

    def __init__(self, /, **values: Any) -> None:
        self._values = values

    def get(self, name: str, default: Any) -> Any:
        return self._values.get(name, default)

    def assign(self, name: str, value: Any) -> None:
        self._values[name] = value

    def __repr__(self) -> str:
        raise HandOver


def as_items(values: Any) -> Any:
    """The values to loop over, numbered from 0."""
    return values if type(values) is list or type(values) is tuple else list(values)


def item(container: Any, key: Any) -> Any:
    """`container[key]`, MISSING if it is not there."""
    if type(container) is dict:
        if type(key) is str and key not in container and hasattr(dict, key):
            raise HandOver  # it may mean a method
        return container.get(key, MISSING)
    try:
        return container[key]
    except IndexError:
        return MISSING


def get_from_dict(container: Any, key: Any, default: Any = None) -> Any:
    if type(container) is not dict:
        raise HandOver
    return container.get(key, default)


def bounded_range(*bounds: Any) -> range:
    numbers = range(*bounds)
    if len(numbers) > _LONGEST_RANGE:
        raise HandOver
    return numbers


def strftime_now(form: str) -> str:
    return datetime.now().strftime(form)


def is_boolean(value: Any) -> bool:
    return value is True or value is False


def is_iterable(value: Any) -> bool:
    try:
        iter(value)
    except TypeError:
        return False
    return True


def is_sequence(value: Any) -> bool:
    return isinstance(value, (str, list, tuple, dict, range, Missing))


def filter_default(value: Any, default_value: Any = "", boolean: bool = False) -> Any:
    return default_value if value is MISSING or (boolean and not value) else value


def filter_capitalize(value: Any) -> str:
    return str(value).capitalize()


def filter_dictsort(value: Any) -> list[tuple[Any, Any]]:
    if type(value) is not dict:
        raise HandOver
    return sorted(value.items(), key=_key_in_any_case)


def _key_in_any_case(pair: tuple[Any, Any]) -> Any:
    key = pair[0]
    return key.lower() if type(key) is str else key


def filter_first(values: Any) -> Any:
    return next(iter(values), MISSING)


def filter_last(values: Any) -> Any:
    return next(iter(reversed(values)), MISSING)


def filter_int(value: Any) -> int:
    if type(value) is str or isinstance(value, (int, float)):
        return int(value)  # what is no number fails, and jinja2 has a default for it
    raise HandOver


def filter_items(value: Any) -> Iterator[tuple[Any, Any]]:
    if type(value) is dict:
        return iter(value.items())
    if value is MISSING:
        return iter(())
    raise HandOver


def filter_join(values: Iterable[Any], d: Any = "") -> str:
    return str(d).join(map(str, values))


def filter_lower(value: Any) -> str:
    return str(value).lower()


def filter_upper(value: Any) -> str:
    return str(value).upper()


def filter_replace(value: Any, old: Any, new: Any) -> str:
    return str(value).replace(str(old), str(new))


def filter_trim(value: Any, chars: str | None = None) -> str:
    return str(value).strip(chars)


def filter_tojson(
    value: Any,
    ensure_ascii: bool = False,
    indent: Any = None,
    separators: Any = None,
    sort_keys: bool = False,
) -> str:
    if indent is None and separators is None and ensure_ascii is False and sort_keys is False:
        return _json_encoder().encode(value)
    return json.dumps(
        value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys
    )


@cache
def _json_encoder() -> json.JSONEncoder:
    return json.JSONEncoder(ensure_ascii=False)
