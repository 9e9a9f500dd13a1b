"""The shape that a saved state must have before a parser is restored from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

# A type stands for values of exactly that type, [shape] for a list and {str: shape} for a dict.
_REGION_SHAPE: Mapping[str, Any] = {
    "region": list,
    "region_start": int,
    "body": str,
    "opener": str,
    "captures": {str: str},
}
_STATE_SHAPE: Mapping[str, Any] = {
    "state": str,
    "text": str,
    "position": int,
    "offset": int,
    **_REGION_SHAPE,
    "is_open": bool,
    "outer": [dict],
    "empty_at": int,
    "empty": [str],
    "message": dict,
    "tools": {str: {str: [str]}},
    "on_error": str,
    "initial_events": [dict],
    "errors": [dict],
    "finished": str,
}


def require_state_shape(data: Mapping[str, Any], joined: Iterable[str]) -> None:
    """Refuse data that is no parser's state; `joined` are the fields kept in pieces.

    Raises KeyError for a missing key, TypeError or ValueError for a value that is never saved.
    """
    for key, shape in _STATE_SHAPE.items():
        _require_shape(key, data[key], shape)
    for outer in data["outer"]:
        for key, shape in _REGION_SHAPE.items():
            _require_shape(key, outer[key], shape)
    if not 0 <= data["position"] <= len(data["text"]):
        raise ValueError("'position' lies outside of 'text'")
    for region in (data, *data["outer"]):
        field, dirty = region["region"]
        _require_shape("region", "" if field is None else field, str)
        _require_shape("region", dirty, bool)
    if not data["finished"]:
        for field in joined:
            _require_shape("message", data["message"].get(field, []), [str])


def _require_shape(key: str, value: Any, shape: Any) -> None:
    if not _has_shape(value, shape):
        raise TypeError(f"{key!r} is not of its shape")


def _has_shape(value: Any, shape: Any) -> bool:
    if isinstance(shape, list):
        return type(value) is list and all(_has_shape(item, shape[0]) for item in value)
    if isinstance(shape, dict):
        return type(value) is dict and all(
            _has_shape(key, str) and _has_shape(item, shape[str]) for key, item in value.items()
        )
    return type(value) is shape
