"""What of a message its text shows: a part is left out if the text is the same without it.

No parser can give back what is not in the text, so it is told apart from what a parser loses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from compiler.round_trip.comparing import TEXTS
from compiler.round_trip.shapes import Message

WritesTheSame = Callable[[Message], bool]  # whether a message has the text of the one looked at

_Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Expressed:
    """A message as its text shows it.

    `lost`: what the text does not show, in words; ids of calls are gone without a word, as most
    models write none. `twin`: the message with its text in the other
    field, content or reasoning, if the text is that of both.
    """

    message: Message
    lost: tuple[str, ...]
    twin: Message | None


def expressed(message: Message, writes_the_same: WritesTheSame) -> Expressed:
    """Take from the message, part by part, what makes no difference to its text."""
    left, lost = message, []
    for path in _parts(message):
        without = _without(left, path)
        if without is not None and writes_the_same(without):
            left = without
            lost.append(_shown(path))
    for name in TEXTS:
        text = left.get(name, "")
        stripped = {**left, name: text.strip()}
        if text != text.strip() and writes_the_same(stripped):
            left = stripped
            lost.append(f"white space around {name}")
    swapped = _swapped(left)
    twin = swapped if swapped and writes_the_same(swapped) else None
    for number, call in enumerate(left.get("tool_calls", [])):
        if "id" in call and writes_the_same(_with_another_id(left, number)):
            left = _without(left, ("tool_calls", number, "id")) or left
    return Expressed(left, tuple(sorted(lost)), twin)


def _parts(message: Message) -> Iterator[_Path]:
    """What may be missing, larger parts first; items from the last, so that numbers stay right."""
    yield from ((name,) for name in ("reasoning_content", "tool_calls") if name in message)
    if message.get("content"):
        yield ("content",)
    calls = message.get("tool_calls", [])
    for number in reversed(range(len(calls))):
        if len(calls) > 1:
            yield ("tool_calls", number)
        function: _Path = ("tool_calls", number, "function")
        yield from _values((*function, "arguments"), calls[number]["function"]["arguments"])
        yield (*function, "name")


def _values(path: _Path, value: Any) -> Iterator[_Path]:
    """What is in an object or a list, and in what is in it."""
    steps: list[Any] = []
    if isinstance(value, dict):
        steps = [*value]
    elif isinstance(value, list):
        steps = [*reversed(range(len(value)))]
    for step in steps:
        yield (*path, step)
        yield from _values((*path, step), value[step])


def _without(message: Message, path: _Path) -> Message | None:
    """The message without the part; None if that is gone with a larger one.

    What must not be missing is changed: content is empty, a function has another name.
    """
    changed = deepcopy(message)
    container: Any = changed
    *way, last = path
    try:
        for step in way:
            container = container[step]
        if last == "content":
            container[last] = ""
        elif last == "name":
            container[last] += "_"
        else:
            del container[last]
    except LookupError:
        return None
    return changed


def _with_another_id(message: Message, number: int) -> Message:
    """The message with an id of the same length for one call: some templates count characters."""
    changed = deepcopy(message)
    call = changed["tool_calls"][number]
    call["id"] = call["id"][:-1] + "9"
    return changed


def _swapped(message: Message) -> Message | None:
    content, reasoning = (message.get(name, "") for name in TEXTS)
    if bool(content) == bool(reasoning):
        return None
    others = {name: value for name, value in message.items() if name not in TEXTS}
    return {**others, "content": reasoning, **({"reasoning_content": content} if content else {})}


def _shown(path: _Path) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)[1:]
