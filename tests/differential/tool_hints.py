"""Type hints of every kind: name -> hint; `bad_...` have no schema."""

import enum
import functools
import operator
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NewType, TypedDict, TypeVar

T = TypeVar("T")
Handle = NewType("Handle", str)


class Grade(enum.Enum):
    GOOD = "good"
    BAD = "bad"
    NONE = None


class Signal(enum.IntFlag):
    LEFT = 1
    RIGHT = 2
    BOTH = 3


Choices = enum.Enum("Choices", {"A": 1, "B": "b", "C": 2.5, "D": True})


class Nothing(enum.Enum):
    pass


class Faces(enum.Enum):
    FRONT = (1, 2)


class Point(TypedDict):
    x: int


@dataclass
class Record:
    x: int


def union(*parts: Any) -> Any:
    return functools.reduce(operator.or_, parts)


def literal(values: Iterable[Any]) -> Any:
    return Literal[tuple(values)]


def annotated(hint: Any) -> Any:
    return Annotated[hint, "a note"]


def generic(name: str, *parts: Any) -> Any:
    """`typing.List[int]` and the like, which linters would rather not see."""
    return getattr(typing, name)[parts] if parts else getattr(typing, name)


HINTS: dict[str, Any] = {
    "any": Any,
    "annotated": list[annotated(int)],
    "any_or_none": union(Any, None),
    "arrays": union(list, tuple),
    "arrays_or_none": union(list, tuple, None),
    "array_or_text": union(list[int], str),
    "booleans": literal([True, False]),
    "dict": generic("Dict"),
    "dict_of": generic("Dict", int, Grade),
    "dict_half": dict[(str,)],
    "enum": Grade,
    "enum_of_types": Choices,
    "flags": Signal,
    "list": generic("List"),
    "list_of": generic("List", "int"),
    "literal_or_none": union(literal(["a", 1]), None),
    "literals": literal(["a", 1, None, 2]),
    "none": None,
    "scalars": union(str, int, bool, float, None),
    "tuple": generic("Tuple"),
    "tuple_of": generic("Tuple", int, list[str]),
    "tuple_of_none": tuple[()],
    "bad_bytes": bytes,
    "bad_callable": Callable[[int], str],
    "bad_dataclass": list[Record],
    "bad_ellipsis": tuple[int, ...],
    "bad_empty_enum": Nothing,
    "bad_enum": Faces,
    "bad_enum_literal": literal([Grade.GOOD]),
    "bad_frozen": frozenset[int],
    "bad_literal": literal([b"a"]),
    "bad_mapping": Mapping[str, int],
    "bad_name": "Missing",
    "bad_new_type": Handle,
    "bad_no_literal": literal([]),
    "bad_object": Grade.GOOD,
    "bad_sequence": Sequence[int],
    "bad_single": union(tuple[int], None),
    "bad_single_typing": generic("Tuple", generic("List", int)),
    "bad_type": type[int],
    "bad_type_variable": dict[str, T],
    "bad_typed_dict": Point,
    "bad_unhashable": [int],
}
