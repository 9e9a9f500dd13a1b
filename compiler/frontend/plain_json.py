"""Copy a template into plain JSON values and say what JSON cannot hold."""

from __future__ import annotations

import json
import math

from compiler.diagnostics import Finding
from compiler.frontend.json_positions import child_pointer

MAX_NESTING = 100  # levels of arrays and objects; real templates have fewer than ten
MAX_INTEGER_BITS = 14_000  # 4,214 digits; Python does not print more than 4,300


def plain_json(value: object) -> tuple[object, tuple[Finding, ...]]:
    """A deep copy of `value` made of str, int, float, bool, None, list and dict, and what was odd.

    A tuple is copied as a list, any other value that JSON cannot hold as its type's name, so that
    the copy can be shown and checked further.
    """
    findings: list[Finding] = []
    return _copy(value, "", 1, findings), tuple(findings)


def _copy(value: object, pointer: str, depth: int, findings: list[Finding]) -> object:
    """The copy of the value at `pointer`; what is odd is added to `findings`."""
    if depth > MAX_NESTING:
        findings.append(_too_deep(pointer))
        return None
    if isinstance(value, dict):
        members: dict[str, object] = {}
        for key, item in value.items():
            name = str(_scalar(key)) if isinstance(key, (str, int, float)) else _type_name(key)
            place = child_pointer(pointer, name)
            if not isinstance(key, str):
                findings.append(_not_json(place, f"a key of type {type(key).__name__}"))
            members[name] = _copy(item, place, depth + 1, findings)
        return members
    if isinstance(value, (list, tuple)):
        if isinstance(value, tuple):
            findings.append(_not_json(pointer, "a Python tuple", "write a list"))
        return [
            _copy(item, child_pointer(pointer, i), depth + 1, findings)
            for i, item in enumerate(value)
        ]
    if isinstance(value, int) and value.bit_length() > MAX_INTEGER_BITS:
        findings.append(_not_json(pointer, "an integer of over 4,200 digits"))
        return 0
    if isinstance(value, float) and not math.isfinite(value):
        findings.append(_not_finite(pointer, value))
    if value is None or isinstance(value, (str, int, float)):
        return _scalar(value)
    findings.append(_not_json(pointer, f"a Python {type(value).__name__}"))
    return _type_name(value)


def _scalar(value: str | int | float | None) -> object:
    """A subclass (an enum, a numpy float) becomes the plain value that JSON writes for it."""
    if value is None or type(value) in (str, int, float, bool):
        return value
    plain: object = json.loads(json.dumps(value))
    return plain


def _type_name(value: object) -> str:
    return f"<{type(value).__name__}>"


def _too_deep(pointer: str) -> Finding:
    message = f"nested deeper than {MAX_NESTING} levels"
    return Finding("RT006", pointer, message, "does a Python dict or list contain itself?")


def _not_json(pointer: str, what: str, hint: str | None = None) -> Finding:
    return Finding("RT005", pointer, f"{what} cannot be written as JSON", hint)


def _not_finite(pointer: str, value: float) -> Finding:
    message = f"{json.dumps(value)} is not JSON; only Python reads it"
    return Finding("RT909", pointer, message)
