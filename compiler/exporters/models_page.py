"""docs/models.md: every format with an example, read by its own parser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from compiler.frontend.load import load
from compiler.frontend.syntax import Delimiter, Template
from compiler.frontend.validate import validate
from compiler.memory import compile_template
from compiler.models import CHAT_TEMPLATE, Model
from compiler.origin import Origin, read_origin
from compiler.template_files import EXTENDED_FILE, TEMPLATE_FILE

_HEAD = """\
# Models

<!-- Made by `make models-page` from grammars/*/; DO NOT EDIT. -->

{count} formats, one folder each under `grammars/`. `chatc list --for ID` finds the folder of a
published model. A response template is written in v1, which transformers and servers read, or in
the [extended dialect](dialect.md); where there are both, the extended one is compiled.

| Folder | Format | Published models | Template | Prompt |
|---|---|---|---|---|
"""
_FENCE = "````"  # replies hold ``` themselves
_SHOWN_IDS = 2


def models_page(models: Sequence[Model]) -> str:
    """The page, as Markdown. Raises BadOrigin, and TemplateError for a template with mistakes."""
    origins = {model: read_origin(model.grammar.parent) for model in models}
    rows = [_row(model, origin) for model, origin in origins.items()]
    sections = ["\n".join(_section(model, origin)) for model, origin in origins.items()]
    return _HEAD.format(count=len(rows)) + "\n".join(rows) + "\n\n" + "\n\n".join(sections) + "\n"


def _row(model: Model, origin: Origin) -> str:
    more = len(origin.ids) - _SHOWN_IDS
    ids = ", ".join(origin.ids[:_SHOWN_IDS]) + (f" and {more} more" if more > 0 else "")
    prompt = "chat template" if model.chat_template else ""
    title = origin.title or model.name
    return f"| [{model.name}](#{model.name}) | {title} | {ids} | {_written_in(model)} | {prompt} |"


def _written_in(model: Model) -> str:
    folder = model.grammar.parent
    names = {EXTENDED_FILE: "extended", TEMPLATE_FILE: "v1"}
    return ", ".join(kind for name, kind in names.items() if (folder / name).is_file())


def _section(model: Model, origin: Origin) -> Iterator[str]:
    yield f"## {model.name}"
    yield ""
    published = f" Published as: {', '.join(origin.ids)}." if origin.ids else ""
    yield f"{origin.title or model.name}.{published}"
    if model.response_template is None:
        yield f"\nA chat template only ({_link(model, CHAT_TEMPLATE)})."
        return
    source = load(model.response_template)
    template = validate(source).template
    yield ""
    yield f"- Template: {_link(model, model.response_template.name)}"
    yield f"- Markers: {_codes(_markers(template))}"
    if origin.prompt_endings:
        yield f"- The prompt may end with: {_codes(origin.prompt_endings)}"
    if origin.stop_tokens:
        yield f"- Stop tokens: {_codes(origin.stop_tokens)}"
    if origin.engines:
        engines = "; ".join(f"{engine}: {name}" for engine, name in origin.engines.items())
        yield f"- Other readers: {engines}"
    if origin.example:
        assert isinstance(source.spec, dict)
        yield from _example(origin.example, source.spec)


def _example(reply: str, spec: dict[str, Any]) -> Iterator[str]:
    message = compile_template(spec).parse(reply, prefix="", finish_reason="stop")
    yield f"\n{_FENCE}text\n{reply}\n{_FENCE}\n"
    yield f"{_FENCE}json\n{json.dumps(message, indent=2, ensure_ascii=False)}\n{_FENCE}"


def _markers(template: Template) -> Iterator[str]:
    """What opens and closes the fields, each once, in the order of the template."""
    for field in template.fields:
        section = (field.section.opener, field.section.closer) if field.section else ()
        for delimiter in (*section, field.opener, field.closer):
            if delimiter:
                yield from _texts(delimiter)


def _texts(delimiter: Delimiter) -> Iterator[str]:
    yield from delimiter.literals or ()
    if delimiter.pattern is not None:
        yield delimiter.pattern


def _codes(texts: Iterator[str] | tuple[str, ...]) -> str:
    return ", ".join(map(_code, dict.fromkeys(texts)))


def _code(text: str) -> str:
    """A code span in Markdown, also of text with backticks in it."""
    visible = text.replace("\n", "\\n")
    longest = max(map(len, re.findall("`+", visible)), default=0)
    ticks, space = "`" * (longest + 1), " " if longest else ""
    return f"{ticks}{space}{visible}{space}{ticks}"


def _link(model: Model, file: str) -> str:
    return f"[{file}](../{(model.grammar.parent / Path(file)).as_posix()})"
