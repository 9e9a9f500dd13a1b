"""The models of this repository: one folder each under grammars/, its output under generated/."""

from __future__ import annotations

import keyword
import re
import shlex
from dataclasses import dataclass, replace
from pathlib import Path

from compiler.origin import read_origin
from compiler.template_files import EXTENDED_FILE, TEMPLATE_FILE

GRAMMARS = Path("grammars")
GENERATED = Path("generated")
CHAT_TEMPLATE = "chat_template.jinja"
# A folder with any of them is a model.
TEMPLATE_FILES = (EXTENDED_FILE, TEMPLATE_FILE, CHAT_TEMPLATE)

_COMMAND = "chatc generate "
_V1 = "--v1 "
_MADE_BY = re.compile(rf"^# To change it, .* run: {_COMMAND}({_V1})?(.+)$", re.MULTILINE)


class NameClash(ValueError):
    """Two models that would be the same package."""


@dataclass(frozen=True)
class Model:
    """A model's name, the templates it is compiled from, and where its grammar and code go.

    It has one of the two templates or both: the first is compiled to a parser, the second to
    `render`.
    """

    name: str
    response_template: Path | None  # a JSON file, or a folder that holds one
    chat_template: Path | None  # a Jinja file
    grammar: Path
    output: Path
    origin: str  # how generated files name their source
    command: str  # what makes them again


def all_models() -> tuple[Model, ...]:
    """Every model under grammars/, by name. Raises NameClash."""
    folders: dict[str, Path] = {}
    found = [path for name in TEMPLATE_FILES for path in GRAMMARS.glob(f"*/{name}")]
    for folder in sorted({template.parent for template in found}):
        other = folders.setdefault(folder_name(folder.name), folder)
        if other != folder:
            raise NameClash(
                f"{other.as_posix()} and {folder.as_posix()} would both make "
                f"{_output(folder_name(folder.name)).as_posix()}: rename one of them"
            )
    return tuple(_model(name, folder) for name, folder in sorted(folders.items()))


def find_model(name: str) -> Model | None:
    """The model of that name; `-` and `.` may stand for the folder's `_`, in any case."""
    wanted = folder_name(name)
    return next((model for model in all_models() if model.name == wanted), None)


def outside_model(path: Path) -> Model:
    """Templates that lie elsewhere: a JSON file, a Jinja file, or a model repository.

    Raises NameClash if a model under grammars/ has its name.
    """
    name = _outside_name(path)
    output = _output(name)
    if inside := find_model(name):
        raise NameClash(
            f"{path.as_posix()} would replace {output.as_posix()}, which {inside.origin} makes: "
            "rename one of them"
        )
    command = _COMMAND + shlex.quote(path.as_posix())
    origin = path.name or path.resolve().name
    return Model(
        name=name,
        response_template=_outside_response_template(path),
        chat_template=_existing(path / CHAT_TEMPLATE) if path.is_dir() else _if_jinja(path),
        grammar=output / "region.lark",
        output=output,
        origin=origin,
        command=command,
    )


def outside_models() -> tuple[Model, ...]:
    """Those that generated/ has been made from before, where their templates are still there."""
    inside = {model.name for model in all_models()}
    models = []
    for module in sorted(GENERATED.glob("*/__init__.py")):
        path = _recorded_path(module)
        name = module.parent.name
        if path and path.exists() and _outside_name(path) == name and name not in inside:
            models.append(outside_model(path))
    return tuple(models)


def with_v1_template(model: Model) -> Model:
    """The model with its response_template.json, also where it has one in the dialect beside it."""
    template = model.response_template
    if template is None or not (template.is_dir() or template.name == EXTENDED_FILE):
        return model
    folder = template if template.is_dir() else template.parent
    if not (folder / EXTENDED_FILE).is_file() or not (folder / TEMPLATE_FILE).is_file():
        return model
    command = f"{_COMMAND}{_V1}{shlex.quote(folder.as_posix())}"
    return replace(model, response_template=folder / TEMPLATE_FILE, command=command)


def as_generated(model: Model) -> Model:
    """The model with the template of the two that generated/ was made from."""
    made_by = _made_by(model.output / "__init__.py")
    return with_v1_template(model) if made_by and made_by[1] else model


def model_ids(model: Model) -> tuple[str, ...]:
    """The names under which models of this format are published. Raises BadOrigin."""
    return read_origin(model.grammar.parent).ids


def folder_name(name: str) -> str:
    """A model's name as a Python package name: `Qwen3-Coder` is `qwen3_coder`."""
    slug = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    if not slug or not slug[0].isalpha() or keyword.iskeyword(slug):
        return f"model_{slug}".rstrip("_")
    return slug


def _outside_name(path: Path) -> str:
    """After the folder, or the file; after a file's folder where all such files have one name."""
    named = path.resolve()
    generic = named.name in (*TEMPLATE_FILES, "tokenizer_config.json")
    if generic and not named.is_dir():
        named = named.parent
    return folder_name(named.name if named.is_dir() else named.stem)


def _outside_response_template(path: Path) -> Path | None:
    """The path itself, unless it holds a chat template and nothing else."""
    from compiler.frontend.load import has_template

    if path.is_dir():
        chat_only = (path / CHAT_TEMPLATE).is_file() and not has_template(path)
    else:
        chat_only = _if_jinja(path) is not None
    return None if chat_only else path


def _if_jinja(path: Path) -> Path | None:
    return path if path.suffix == ".jinja" else None


def _existing(path: Path) -> Path | None:
    return path if path.is_file() else None


def _made_by(module: Path) -> re.Match[str] | None:
    """Whether the header says `--v1`, and the path in it; None if `make` makes the module."""
    text = module.read_text("utf-8", "backslashreplace") if module.is_file() else ""
    return _MADE_BY.search(text)


def _recorded_path(module: Path) -> Path | None:
    """The path in the header of a module made from a template elsewhere."""
    made_by = _made_by(module)
    try:
        return Path(*shlex.split(made_by[2])) if made_by else None
    except ValueError:  # no closing quotation
        return None


def _output(name: str) -> Path:
    return GENERATED / name


def _model(name: str, folder: Path) -> Model:
    return Model(
        name=name,
        response_template=_existing(folder / EXTENDED_FILE) or _existing(folder / TEMPLATE_FILE),
        chat_template=_existing(folder / CHAT_TEMPLATE),
        grammar=folder / "region.lark",
        output=_output(name),
        origin=folder.as_posix(),
        command=f"make generate MODEL={name}",
    )
