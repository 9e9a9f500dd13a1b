"""What commands are given: a model by name, a model repository, or a template file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from compiler.cli.terminal import Unusable
from compiler.models import (
    GRAMMARS,
    TEMPLATE_FILES,
    Model,
    NameClash,
    all_models,
    find_model,
    folder_name,
    outside_model,
    with_v1_template,
)
from compiler.origin import BadOrigin, read_origin
from compiler.template_files import TEMPLATE_FILE


def find_target(target: str) -> Model:
    """The model that MODEL, DIR or FILE names. Raises Unusable with the nearest name."""
    try:
        return _named(target) or _at(target)
    except NameClash as error:
        raise Unusable(str(error)) from None


def response_template(model: Model) -> Path:
    """Where the response template of a model is. Raises Unusable for one that only renders."""
    if model.response_template is None:
        raise Unusable(f"{model.name} has no response template, only a chat template")
    return model.response_template


def example(model: Model) -> str:
    """A reply of the model, "" where none is written down. Raises Unusable."""
    template = response_template(model)
    try:
        return read_origin(template if template.is_dir() else template.parent).example
    except BadOrigin as error:
        raise Unusable(str(error)) from None


def is_name(target: str) -> bool:
    """Whether the target is a name like `qwen3`, not a path."""
    return "/" not in target and "\\" not in target and target not in (".", "..")


def models() -> tuple[Model, ...]:
    """Every model under grammars/. Raises Unusable."""
    try:
        return all_models()
    except NameClash as error:
        raise Unusable(str(error)) from None


def unknown(name: str, known: Iterable[str]) -> Unusable:
    """The error for a name that no model has."""
    from compiler.frontend.wording import did_you_mean

    hint = did_you_mean(folder_name(name), known) or 'see "chatc list"'
    return Unusable(f'no model "{name}"; {hint}')


def _named(target: str) -> Model | None:
    return find_model(target) if is_name(target) else None


def _at(target: str) -> Model:
    path = Path(target)
    if not path.exists():
        if is_name(target):
            raise unknown(target, [model.name for model in models()])
        raise Unusable(f"{target}: no such file or folder")
    if not target.isprintable():
        raise Unusable(f"{target!r}: the path holds control characters")
    folder = path if path.is_dir() else path.parent
    within = folder.resolve().parent == GRAMMARS.resolve()
    if within and (path.is_dir() or path.name in TEMPLATE_FILES):
        inside = find_model(folder.resolve().name)
        if inside:
            return with_v1_template(inside) if path.name == TEMPLATE_FILE else inside
    return outside_model(path)
