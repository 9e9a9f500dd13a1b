"""Checks of single values that several rules share."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from compiler.diagnostics import Finding
from compiler.frontend.json_positions import child_pointer
from compiler.frontend.wording import did_you_mean, kind_of, quoted


def check_flag(spec: Mapping[str, object], key: str, pointer: str) -> Iterator[Finding]:
    """transformers takes a flag of any type and asks whether it is true in Python's sense."""
    if key in spec and not isinstance(spec[key], bool):
        meaning = "true" if spec[key] else "false"
        given = kind_of(spec[key])
        message = f"{quoted(key)} should be true or false; {given} here counts as {meaning}"
        yield Finding("RT902", child_pointer(pointer, key), message)


def unknown_keys(
    spec: Mapping[str, object],
    known: Collection[str],
    pointer: str,
    rule: str,
    message: str,
    elsewhere: Mapping[str, str],
) -> Iterator[Finding]:
    """A finding for each key not in `known`: `message` has "{}" for the key, `elsewhere` says where
    a misplaced key belongs."""
    for key in spec:
        if key not in known:
            hint = f"it belongs {elsewhere[key]}" if key in elsewhere else did_you_mean(key, known)
            place = child_pointer(pointer, key)
            yield Finding(rule, place, message.format(quoted(key)), hint, on_key=True)


def are_right(places: Iterable[str], mistakes: Collection[str]) -> bool:
    """Whether none of the mistakes, which are pointers, is at one of the places or in it."""
    return not any(f"{each}/".startswith(f"{place}/") for place in places for each in mistakes)
