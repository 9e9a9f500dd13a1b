"""What the specialised code of a chat template runs on, and how it hands over to jinja2.

Specialised code renders the common case. Whatever is unusual makes it fail: an operation without
a meaning for a value, a use of something undefined, a filter of another kind. The template is then
rendered from the start by jinja2, which gives the text or words the error. That is sound because
rendering changes nothing outside itself. jinja2 is imported only then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from types import GeneratorType
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


class SpecialisedTemplate(ChatTemplate):
    """A chat template with code made for it, `specialised`: from its variables to the text."""

    __slots__ = ("specialised",)

    def __init__(self, source: str, specialised: Callable[[dict[str, Any]], str]) -> None:
        super().__init__(source)
        self.specialised = specialised

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


class SafeText(str):
    """A text marked as safe: `+` escapes what it adds for HTML, and the sum is safe.

    Compiled code makes one only where nothing but `+` heeds the mark.
    """

    __slots__ = ()

    def __add__(self, other: Any) -> SafeText:
        return SafeText(str(self) + _escaped(other))

    def __radd__(self, other: Any) -> SafeText:
        return SafeText(_escaped(other) + str(self))


_HTML = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&#39;", '"': "&#34;"})


def _escaped(value: Any) -> str:
    if isinstance(value, SafeText):
        return str(value)
    if isinstance(value, str):
        return value.translate(_HTML)
    raise HandOver


def as_items(values: Any) -> Any:
    """The values to loop over, numbered from 0."""
    return values if type(values) is list or type(values) is tuple else list(values)


def item(container: Any, key: Any) -> Any:
    """`container[key]`, MISSING if it is not there."""
    if type(container) is dict and type(key) is str:
        if key not in container and hasattr(dict, key):
            raise HandOver  # it may mean a method
        return container.get(key, MISSING)
    try:
        return container[key]
    except (TypeError, LookupError):
        if container is MISSING or type(key) is str:
            raise HandOver from None
        return MISSING


def field_of(value: Any, name: str) -> Any:
    """`value.name` of a value of any JSON type, MISSING if it has none."""
    kind = type(value)
    if kind is dict or kind is Variables:
        return value.get(name, MISSING)
    if name in _OWN_NAMES.get(kind, (name,)):
        raise HandOver
    return MISSING


_OWN_NAMES: dict[type, frozenset[str]] = {  # what jinja2 may find on values that are no dicts
    kind: frozenset(dir(kind))
    for kind in (str, list, tuple, int, float, bool, type(None), GeneratorType)
}


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
    return str(local_now().strftime(form))


def local_now() -> Any:
    """The `datetime` of now; few templates print one."""
    from datetime import datetime

    return datetime.now()


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
        yield from value.items()
    elif value is not MISSING:
        raise HandOver


filter_items.__qualname__ = "do_items"  # jinja2's name, which a template sees that prints it


def named(generator: GeneratorType[Any, Any, Any], name: str) -> GeneratorType[Any, Any, Any]:
    """The generator under jinja2's name, for the same reason."""
    generator.__qualname__ = name
    return generator


def filter_join(values: Iterable[Any], d: Any = "") -> str:
    return str(d).join(map(str, values))


def filter_lower(value: Any) -> str:
    return str(value).lower()


def filter_upper(value: Any) -> str:
    return str(value).upper()


def filter_max(values: Any) -> Any:
    return max(_integers(values))


def filter_min(values: Any) -> Any:
    return min(_integers(values))


def _integers(values: Any) -> list[int]:
    integers = list(values)
    if not all(type(each) is int for each in integers):
        raise HandOver
    return integers


def filter_replace(value: Any, old: Any, new: Any) -> str:
    return str(value).replace(str(old), str(new))


def filter_title(value: Any) -> str:
    import re

    words = re.split(r"([-\s({\[<]+)", str(value))  # and what stands before them
    return "".join([word[:1].upper() + word[1:].lower() for word in words])


def filter_trim(value: Any, chars: str | None = None) -> str:
    return str(value).strip(chars)


def filter_tojson(
    value: Any,
    ensure_ascii: bool = False,
    indent: Any = None,
    separators: Any = None,
    sort_keys: bool = False,
) -> str:
    if separators is None and ensure_ascii is False and sort_keys is False:
        if indent is None:
            return _encode_json()(value)
        if type(indent) is int:
            from runtime.chat.indented_json import indented_json

            return indented_json(value, indent)
    from json import dumps  # takes long to import, and is mostly used for tools

    return dumps(
        value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys
    )


@cache
def _encode_json() -> Callable[[Any], str]:
    from json import JSONEncoder

    return JSONEncoder(ensure_ascii=False, check_circular=False).encode  # copies have no circles
