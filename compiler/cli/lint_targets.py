"""The files that `chatc lint` reads: those of a model, of a model repository, or one file.

The runtime, which knows how a repository is laid out, is imported by its name as text.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from compiler.cli.targets import is_name, models, unknown
from compiler.cli.terminal import Unusable
from compiler.cli.texts import read_text
from compiler.frontend.load import display_path
from compiler.lint.files import TemplateFile, has_templates
from compiler.lint.folder import ModelFolder
from compiler.models import folder_name
from compiler.template_files import EXTENDED_FILE, TEMPLATE_FILE

_DEFAULT = "default"


def find_paths(targets: tuple[str, ...]) -> list[Path]:
    """The folders and files that are meant, each once; all models' folders without targets.

    Raises Unusable.
    """
    found = [_find(target) for target in targets]
    if not targets:
        found = [model.grammar.parent for model in models()]
    if not found:
        raise Unusable("nothing to lint: no models under grammars/")
    return list(dict.fromkeys(found))


def template_files(path: Path) -> Iterator[TemplateFile]:
    """The file at a path, or those of a folder that hold templates. Raises Unusable."""
    if not path.is_dir():
        yield _template_file(path, path.parent)
        return
    files = [file for file in _possible_files(path) if _is_lintable(file)]
    if not files:
        raise Unusable(f"{path.as_posix()}: no chat template and no response template here")
    for file in files:
        yield _template_file(file, path)


def _find(target: str) -> Path:
    if is_name(target):
        known = {model.name: model.grammar.parent for model in models()}
        if folder_name(target) in known:
            return known[folder_name(target)]
        if not Path(target).exists():
            raise unknown(target, known)
    if not Path(target).exists():
        raise Unusable(f"{target}: no such file or folder")
    return Path(target)


def _possible_files(folder: Path) -> Iterator[Path]:
    """Configs and templates of a repository, whether or not they hold a template."""
    for name in (EXTENDED_FILE, TEMPLATE_FILE):
        if (folder / name).is_file():
            yield folder / name
    for name in import_module("runtime.chat.reading").template_files(folder):
        yield folder / name


def _is_lintable(path: Path) -> bool:
    is_config = path.suffix == ".json" and path.name not in (EXTENDED_FILE, TEMPLATE_FILE)
    return not is_config or has_templates(read_text(path.as_posix()))


def _template_file(path: Path, folder: Path) -> TemplateFile:
    text = read_text(path.as_posix())
    beside = _model_folder(folder) if path.suffix == ".json" else ModelFolder()
    return TemplateFile(path, display_path(path), text, beside)


def _model_folder(folder: Path) -> ModelFolder:
    """What the repository says of its prompts; nothing where transformers could not read it."""
    try:
        stored = import_module("runtime.chat.storage").load_chat_templates(folder).templates
        tokens = import_module("runtime.chat.special_tokens").load_special_tokens(folder)
    except ValueError:
        return ModelFolder()
    return ModelFolder(stored.get(_DEFAULT) if isinstance(stored, dict) else stored, tokens)
