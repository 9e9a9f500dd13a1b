"""Python functions as tools, good ones and bad ones (`bad_...`: they have no schema)."""

import functools
from collections.abc import Callable
from typing import Any, Literal

from tests.differential.tool_hints import HINTS, Grade, Record, Signal


class Shelf:
    """A shelf.

    Args:
        size: How long it is.
        item: What lies on it.
    """

    size: int
    item: str

    def __init__(self, size: int) -> None:
        self.size = size

    def put(self, item: str, *, place: int | None = None) -> bool:
        """Put something on it.

        Args:
            item: What.
            place: Where.
        """
        return bool(item) and place is not None

    @classmethod
    def build(cls, size: int) -> "Shelf":
        """Build one.

        Args:
            size: How long.
        """
        return cls(size)

    @staticmethod
    def count(names: list[str]) -> int:
        """Count.

        Args:
            names: Of what.

        Returns:
            How many.
        """
        return len(names)


def plain(city: str, days: int = 1) -> str:
    """Tell the weather of a city.

    Args:
        city: Where.
        days: How many days.

    Returns:
        The weather, a line a day.
    """
    return city * days


def long_texts(query: str, limit: int = 10, *, exact: bool = False) -> list[dict[str, Any]]:
    """
    Search the shop.

    What is found comes in the order of the prices,
    cheapest first:

        - one
        - two

    Args:
        query (str):
            What to look for. Words are separated by spaces,
            and

            each of them counts.
        limit (`int`, *optional*, defaults to 10): At most so many.
            note: fewer may come.
        exact (bool, optional):   Whether   spaces  count.

    Returns:
        The goods,
          each with its price.

    Raises:
        ValueError: The query is empty.
    """
    return [{query: limit if exact else 0}]


def choices_of_words(
    size: str, colour: str | None = None, count: Literal[1, 2, 3] = 1, last: bool = True
) -> None:
    """Order a drink.

    Args:
        size: How large (choices: ["small", " large "])
        colour: Of the cup. (Choices: [ "red", null ] )
        count: How many (choices: [1, 2])
        last: (choices: [true]) Never again.
    """


def unions(a: int | str, b: float | None, c: list[int] | dict[str, int], d: Grade | None) -> None:
    """Unite.

    Args:
        a: A.
        b: B.
        c: C.
        d: D.
    """


def nested(a: list[tuple[int, str | None]], b: dict[str, list[Grade]] | None = None) -> Signal:
    """Nest.

    Args:
        a: A.
        b: B.

    Returns:
        A signal.
    """
    return Signal.LEFT if a or b else Signal.RIGHT


def quoted(a: "int", b: "list[Grade] | None" = None) -> "Record":
    """Quote.

    Args:
        a: A.
        b: B.
    """
    return Record(a if b else 0)


def stars(first: int, /, *many: int, **named: str) -> None:
    """Take stars.

    Args:
        first: The first.
        many: The others.
        named: With names.
    """


def other_headings(x: int) -> None:
    """Do something.

    Example:
        other_headings(1)

    Args:
        x: A number.
    Note:
        Nothing else.
    Yields:
        x: Not this one.
    """


def returns_first(x: int) -> int:
    """Do something.

    Returns:
        A number.

    Args:
        x: A number.
    """
    return x


def returns_nothing(x: int) -> int:
    """Do something.

    Args:
        x: A number.

    Returns:
    Raises:
        ValueError: Why not.
    """
    return x


def twice(x: int) -> int:
    """Do something.

    Args:
        x: The first.
        x: The second.
    """
    return x


def swallowed(x: int, z: int) -> None:
    """Do something.

    Args:
        x:
        y: This is of x.
        z:
    """


@functools.lru_cache
def cached(x: int) -> int:
    """Remember.

    Args:
        x: A number.
    """
    return x


def bad_swallowed(x: int, y: int) -> None:
    """Do something.

    Args:
        x:
        y: This is of x.
    """


def bad_undocumented(x: int) -> None: ...


def bad_untyped(x) -> None:
    """Do something.

    Args:
        x: A number.
    """


def bad_stars(*x) -> None:
    """Do something."""


def bad_second_self(x: int, self) -> None:
    """Do something.

    Args:
        x: A number.
    """


def bad_numpy(x: int) -> None:
    """Do something.

    Parameters
    ----------
    x : int
        A number.
    """


def bad_first_line(x: int) -> None:
    """Args:
    x: A number.
    """


def bad_heading(x: int) -> None:
    """Do something.

    Arguments:
        x: A number.
    """


def bad_choices(x: str) -> None:
    """Do something.

    Args:
        x: A word (choices: ['a', 'b'])
    """


def bad_number_of_choices(x: str) -> None:
    """Do something.

    Args:
        x: A word (choices: 5)
    """


def bad_two(x: int, y: int, z: bytes) -> None:
    """Do something.

    Args:
        x: A number (choices: [)
    """


def examples() -> dict[str, Callable[..., Any]]:
    """All of them by name: those written out, and one of each hint."""
    written = [plain, long_texts, choices_of_words, unions, nested, quoted, stars, other_headings]
    written += [
        returns_first,
        returns_nothing,
        twice,
        swallowed,
        bad_swallowed,
        bad_undocumented,
        bad_untyped,
        bad_stars,
        bad_second_self,
        bad_numpy,
        bad_first_line,
        bad_heading,
        bad_choices,
        bad_number_of_choices,
        bad_two,
    ]
    return {
        **{function.__name__: function for function in written},
        **{name: _of_hint(name, hint) for name, hint in HINTS.items()},
    }


def _of_hint(name: str, hint: Any) -> Callable[..., Any]:
    def tool(x: Any) -> None:
        """Do something.

        Args:
            x: A thing.
        """

    tool.__annotations__ = {"x": hint, "return": hint}
    tool.__name__ = name
    return tool
