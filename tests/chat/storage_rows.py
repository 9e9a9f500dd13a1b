"""The loading table of transformers 5.24.0: the files in a folder, and what is made of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

Files = Mapping[str, str | bytes]

ADD = "additional_chat_templates"
NAMED = [{"name": "default", "template": "D"}, {"name": "tool_use", "template": "T"}]


def write(folder: Path, files: Files) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def config(value: Any) -> str:
    return json.dumps({"model_max_length": 8, "chat_template": value})


# Files -> the attribute of a tokenizer, that of a processor; or the class of the error.
ROWS: dict[str, tuple[Files, Any, Any]] = {
    "nothing": ({}, None, None),
    "config text": ({"tokenizer_config.json": config("C")}, "C", None),
    "config empty text": ({"tokenizer_config.json": config("")}, "", None),
    "config null": ({"tokenizer_config.json": config(None)}, None, None),
    "config list": (
        {"tokenizer_config.json": config(NAMED)},
        {"default": "D", "tool_use": "T"},
        None,
    ),
    "config list of one": (
        {"tokenizer_config.json": config(NAMED[:1])},
        {"default": "D"},
        None,
    ),
    "config empty list": ({"tokenizer_config.json": config([])}, {}, None),
    "config list, name twice": (
        {"tokenizer_config.json": config([*NAMED, {"name": "default", "template": "E"}])},
        {"default": "E", "tool_use": "T"},
        None,
    ),
    "config list without name": (
        {"tokenizer_config.json": config([{"template": "E"}])},
        KeyError,
        None,
    ),
    "config dict": ({"tokenizer_config.json": config({"x": "X"})}, {"x": "X"}, None),
    "config not JSON": ({"tokenizer_config.json": "{"}, ValueError, None),
    "config with byte order mark": (
        {"tokenizer_config.json": "\ufeff" + config("C")},
        ValueError,
        None,
    ),
    "config and jinja": (
        {"tokenizer_config.json": config("C"), "chat_template.jinja": "J"},
        "J",
        "J",
    ),
    "config list and jinja": (
        {"tokenizer_config.json": config(NAMED), "chat_template.jinja": "J"},
        "J",
        "J",
    ),
    "bad config list and jinja": (
        {"tokenizer_config.json": config([{}]), "chat_template.jinja": "J"},
        "J",
        "J",
    ),
    "config and additional": (
        {"tokenizer_config.json": config("C"), f"{ADD}/tool_use.jinja": "T"},
        {"tool_use": "T"},
        {"tool_use": "T"},
    ),
    "jinja": ({"chat_template.jinja": "J\n"}, "J\n", "J\n"),
    "jinja and additional": (
        {"chat_template.jinja": "J", f"{ADD}/rag.jinja": "R", f"{ADD}/tool_use.jinja": "T"},
        {"default": "J", "rag": "R", "tool_use": "T"},
        {"default": "J", "rag": "R", "tool_use": "T"},
    ),
    "jinja and additional default": (
        {"chat_template.jinja": "J", f"{ADD}/default.jinja": "A"},
        "A",
        "J",
    ),
    "additional default alone": ({f"{ADD}/default.jinja": "A"}, "A", "A"),
    "jinja and additional file": (
        {"chat_template.jinja": "J", f"{ADD}/file.jinja": "F"},
        "F",
        {"default": "J", "file": "F"},
    ),
    "additional file, rag": (
        {f"{ADD}/file.jinja": "F", f"{ADD}/rag.jinja": "R"},
        {"default": "F", "rag": "R"},
        {"file": "F", "rag": "R"},
    ),
    "additional file, default": (
        {f"{ADD}/file.jinja": "F", f"{ADD}/default.jinja": "A", "chat_template.jinja": "J"},
        "A",
        {"default": "J", "file": "F"},
    ),
    "names with points": (
        {f"{ADD}/a.b.jinja": "1", f"{ADD}/c.jinja.jinja": "2", f"{ADD}/.d.jinja": "3"},
        {"a.b": "1", "c.jinja": "2", ".d": "3"},
        {"a.b": "1", "c.jinja": "2", ".d": "3"},
    ),
    "name of nothing": ({f"{ADD}/.jinja": "1"}, {"": "1"}, {".jinja": "1"}),
    "not templates": (
        {f"{ADD}/a.txt": "1", f"{ADD}/sub/b.jinja": "2", f"{ADD}/c.JINJA": "3", "d.jinja": "4"},
        None,
        None,
    ),
    "legacy": ({"chat_template.json": config("L")}, None, "L"),
    "legacy dict": (
        {"chat_template.json": config({"default": "L", "x": "X"})},
        None,
        {"default": "L", "x": "X"},
    ),
    "legacy null": ({"chat_template.json": config(None)}, None, None),
    "legacy null and jinja": (
        {"chat_template.json": config(None), "chat_template.jinja": "J"},
        "J",
        None,
    ),
    "legacy empty text": ({"chat_template.json": config("")}, None, None),
    "legacy and jinja": (
        {"chat_template.json": config("L"), "chat_template.jinja": "J"},
        "J",
        "L",
    ),
    "legacy and additional": (
        {"chat_template.json": config("L"), f"{ADD}/rag.jinja": "R"},
        {"rag": "R"},
        ValueError,
    ),
    "legacy without the key": ({"chat_template.json": "{}"}, None, KeyError),
    "legacy not JSON": ({"chat_template.json": "{"}, None, ValueError),
    "legacy conflict and processor config": (
        {
            "chat_template.json": config("L"),
            f"{ADD}/rag.jinja": "R",
            "processor_config.json": config("P"),
        },
        {"rag": "R"},
        ValueError,
    ),
    "processor config": ({"processor_config.json": config("P")}, None, "P"),
    "processor config over all": (
        {
            "processor_config.json": config("P"),
            "chat_template.json": config("L"),
            "chat_template.jinja": "J",
            "tokenizer_config.json": config("C"),
        },
        "J",
        "P",
    ),
    "processor config over additional": (
        {"processor_config.json": config({"default": "P"}), f"{ADD}/rag.jinja": "R"},
        {"rag": "R"},
        {"default": "P"},
    ),
    "processor config empty text": (
        {"processor_config.json": config(""), "chat_template.jinja": "J"},
        "J",
        "",
    ),
    "processor config null": (
        {"processor_config.json": config(None), "chat_template.jinja": "J"},
        "J",
        "J",
    ),
    "processor config not JSON": (
        {"processor_config.json": "{", "chat_template.jinja": "J"},
        "J",
        OSError,
    ),
    "empty jinja": (
        {"chat_template.jinja": "", "tokenizer_config.json": config("C")},
        "",
        None,
    ),
    "empty jinja and additional": (
        {"chat_template.jinja": "", f"{ADD}/rag.jinja": ""},
        {"default": "", "rag": ""},
        {"default": "", "rag": ""},
    ),
    "line ends": (
        {"chat_template.jinja": b"a\r\nb\rc\n\r\n", "tokenizer_config.json": config("a\r\n")},
        "a\nb\nc\n\n",
        "a\nb\nc\n\n",
    ),
    "line ends in config": ({"tokenizer_config.json": config("a\r\nb")}, "a\r\nb", None),
    "byte order mark": ({"chat_template.jinja": "\ufeffJ"}, "\ufeffJ", "\ufeffJ"),
    "not UTF-8": ({"chat_template.jinja": b"\xff"}, ValueError, ValueError),
    "not UTF-8, under a processor config": (
        {"chat_template.jinja": b"\xff", "processor_config.json": config("P")},
        ValueError,
        ValueError,
    ),
    "not UTF-8, hidden": (
        {"chat_template.jinja": b"\xff", "chat_template.json": config("L")},
        ValueError,
        "L",
    ),
}


# Any mixture of the files, with few texts, so that some agree and some do not.
NAMES = st.sampled_from(["default", "tool_use", "file", "a.b", "rag"])
TEXTS = st.sampled_from(["", "A", "B {{ x }}", "é\r\n\ud7ff\n"])
VALUES = st.one_of(
    st.none(),
    TEXTS,
    st.dictionaries(NAMES, TEXTS, max_size=2),
    st.lists(st.fixed_dictionaries({"name": NAMES, "template": TEXTS}), max_size=3),
)
REPOSITORIES = st.fixed_dictionaries(
    {},
    optional={
        "tokenizer_config.json": VALUES.map(config),
        "chat_template.json": st.one_of(TEXTS.map(config), st.just("{}")),
        "processor_config.json": st.one_of(st.just("{}"), TEXTS.map(config)),
        "chat_template.jinja": TEXTS,
        f"{ADD}/default.jinja": TEXTS,
        f"{ADD}/file.jinja": TEXTS,
        f"{ADD}/tool_use.jinja": TEXTS,
    },
)
