"""What the grammar cannot say of a field, as the comment beside its rule."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from compiler.frontend.syntax import Field


def meaning(field: Field) -> str:
    """What becomes of the field's text, in a line."""
    contents = [_content(field.content, field.content_args)]
    contents += (_content(other.name, other.args) for other in field.other_contents)
    parts = [", else ".join(contents)]
    if field.transform is not None:
        each = " of each item" if field.transform_each else ""
        parts.append(f"transform{each} {_json(field.transform)}")
    if field.join is not None:
        parts.append(f"joined with {_json(field.join)}")
    elif field.repeats:
        parts.append("repeats")
    if not field.optional:
        parts.append("required")
    if field.offered:
        parts.append("of the tools offered")
    if field.on_incomplete:
        parts.append(f"incomplete: {field.on_incomplete}")
    if field.on_invalid:
        parts.append(f"invalid: {field.on_invalid}")
    return "; ".join(parts)


def _content(name: str, args: Mapping[str, Any]) -> str:
    return f"{name} {_json(dict(args))}" if args else name


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
