"""Move the chat templates of a model repository to the layout that transformers writes today.

    tokenizer_config.json "chat_template"            chat_template.jinja
    chat_template.json                         ->    additional_chat_templates/NAME.jinja
    processor_config.json "chat_template"

One name stands for one template afterwards, for tokenizers and processors alike. A repository in
which a name stands for several is refused: what its author means cannot be known.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from compiler.exporters.config_edit import ConfigError, member_text, remove_member
from compiler.exporters.file_changes import FileChange

Files = Mapping[str, bytes]  # relative path -> content

KEY = "chat_template"
DEFAULT = "default"
SHADOWED_ROOT = "additional_chat_templates/default.jinja"
CLASHING = "file"  # the name of a file that tokenizers take for chat_template.jinja
LEGACY = "chat_template.json"
CONFIGS = ("tokenizer_config.json", "processor_config.json")
_BOM = "\ufeff"


class Template(Protocol):
    """A template where it lies."""

    @property
    def file(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def text(self) -> str: ...


class Warned(Protocol):
    """A surprise of a loader."""

    @property
    def id(self) -> str: ...
    @property
    def file(self) -> str: ...
    @property
    def message(self) -> str: ...


class Loaded(Protocol):
    """What a loader takes from a repository."""

    @property
    def templates(self) -> str | Mapping[str, str] | None: ...
    @property
    def origins(self) -> Mapping[str, str]: ...
    @property
    def warnings(self) -> Sequence[Warned]: ...


Load = Callable[[Files], Loaded]


@dataclass(frozen=True)
class Storage:
    """The functions of `runtime.chat` that say how transformers reads files; ValueError if not."""

    stored: Callable[[Files], Sequence[Template]]
    tokenizer: Load
    processor: Load
    path_of: Callable[[str], str]


@dataclass(frozen=True)
class Step:
    """One change and, if it writes a template, the file the template comes from."""

    change: FileChange
    action: str  # "written", "edited" or "deleted"
    source: str | None = None


@dataclass(frozen=True)
class Upgrade:
    """The steps, none if the repository is up to date, and what is to be known about the result."""

    steps: tuple[Step, ...]
    notes: tuple[str, ...]
    names: tuple[str, ...]


class Refused(ValueError):
    """A repository that cannot be converted without a decision of its author."""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__("\n".join(reasons))
        self.reasons = tuple(reasons)


def plan_upgrade(files: Files, storage: Storage, processor: bool = False) -> Upgrade:
    """What to change in the files, as told to those who use a tokenizer or a processor.

    What either of them reads today stays. Raises Refused with every reason.
    """
    try:
        stored = storage.stored(files)
    except ValueError as error:
        raise Refused((str(error),)) from None
    load = storage.processor if processor else storage.tokenizer
    readers = "processors" if processor else "tokenizers"
    conflicts = _conflicts(stored, _origins(files, load), readers)
    clashing = () if processor else _clashing(stored)
    reasons = (*_unsafe_files(files), *conflicts, *_unfit(stored, storage), *clashing)
    if reasons:
        raise Refused(reasons)
    steps = (*_written(stored, files, storage), *_edited(files), *_deleted(files))
    after = _changed(files, [step.change for step in steps])
    reasons = (*_replaced(files, after, storage.tokenizer, "tokenizers"),)
    reasons += (*_replaced(files, after, storage.processor, "processors"),)
    if reasons:
        raise Refused(reasons)
    names = sorted({template.name for template in stored})
    return Upgrade(steps, (*_news(files, after, load), *_warned(after, load)), tuple(names))


def _unsafe_files(files: Files) -> Iterator[str]:
    """JSON files that say more, or less, than one value that can be moved."""
    for file in (*CONFIGS, LEGACY):
        if file not in files:
            continue
        text = files[file].decode()
        try:
            value = member_text(text, KEY)
        except ConfigError as error:
            yield f"{file}: {error}; keep one"
            continue
        if value is not None and _has_repeated_keys(value):
            yield f"{file}: a name in {KEY!r} is given more than once; keep one"
        others = sorted(json.loads(text).keys() - {KEY})
        if file == LEGACY and value is None:
            yield f"{file}: no {KEY!r} in it, so that processors cannot be loaded; delete the file"
        elif file == LEGACY and others:
            listed = ", ".join(map(repr, others))
            yield f"{file}: it would be deleted, but also holds {listed}; move that first"


def _has_repeated_keys(text: str) -> bool:
    repeated = False

    def members(pairs: list[tuple[str, object]]) -> None:
        nonlocal repeated
        repeated |= len(dict(pairs)) < len(pairs)

    json.loads(text, object_pairs_hook=members)
    return repeated


def _origins(files: Files, load: Load) -> Mapping[str, str]:
    """The file that each template is read from today; none if nothing can be loaded."""
    try:
        return load(files).origins
    except ValueError:
        return {}


def _conflicts(
    stored: Sequence[Template], origins: Mapping[str, str], readers: str
) -> Iterator[str]:
    """Names that stand for several templates."""
    for name, first in _firsts(stored).items():
        today = f"; {readers} read the one in {origins[name]}" if name in origins else ""
        for other in stored:
            if other.name == name and _as_read(other.text) != _as_read(first.text):
                yield f"the template {name!r} differs {_difference(first, other)}{today}; keep one"


def _difference(one: Template, other: Template) -> str:
    between = f"between {one.file} and {other.file}"
    if one.file == other.file:
        between = f"between two entries of {one.file}"
    if one.text.removeprefix(_BOM) == other.text.removeprefix(_BOM):
        return f"{between}, by a byte order mark only"
    if one.text.strip() == other.text.strip():
        return f"{between}, by white space at its ends only"
    if not one.text or not other.text:
        return f"{between}, where one is empty"
    return between


def _unfit(stored: Sequence[Template], storage: Storage) -> Iterator[str]:
    """Templates that cannot be a file of their own."""
    names: dict[str, str] = {}
    for name, template in _firsts(stored).items():
        if any("\ud800" <= char <= "\udfff" for char in template.text):
            yield f"{template.file}: the template {name!r} holds half a character (a surrogate)"
        path, fault = _path(name, storage)
        if fault:
            yield f"{template.file}: {fault}; rename it"
            continue
        other = names.setdefault(path.casefold(), name)
        if other != name:
            yield f"the names {other!r} and {name!r} are one file where case does not count"


def _clashing(stored: Sequence[Template]) -> Iterator[str]:
    for template in stored:
        if template.name == CLASHING:
            where = f"{template.file}: the template {CLASHING!r}"
            yield f"{where}, as a file, is what tokenizers take as their default; rename it"


def _path(name: str, storage: Storage) -> tuple[str, str | None]:
    """Where a template of this name is stored, or what is wrong with the name."""
    try:
        return storage.path_of(name), None
    except ValueError as error:
        return "", str(error)


def _written(stored: Sequence[Template], files: Files, storage: Storage) -> Iterator[Step]:
    """The templates that are not where they belong; the default one first."""
    firsts = _firsts(stored)
    for name in sorted(firsts, key=lambda name: (name != DEFAULT, name)):
        template, path = firsts[name], storage.path_of(name)
        if path not in files:
            is_file = template.file not in (*CONFIGS, LEGACY)
            content = files[template.file] if is_file else template.text.encode()
            yield Step(FileChange(path, content), "written", template.file)


def _edited(files: Files) -> Iterator[Step]:
    for file in CONFIGS:
        text = files.get(file, b"{}").decode()
        if member_text(text, KEY) not in (None, "null"):
            content = remove_member(text, KEY).encode()
            yield Step(FileChange(file, content), "edited")


def _deleted(files: Files) -> Iterator[Step]:
    for file in (LEGACY, SHADOWED_ROOT):
        if file in files:
            yield Step(FileChange(file, None), "deleted")


def _firsts(stored: Sequence[Template]) -> dict[str, Template]:
    """One template of each name, files of their own before the legacy forms."""
    own = [template for template in stored if template.file not in (*CONFIGS, LEGACY)]
    return {template.name: template for template in (*reversed(stored), *reversed(own))}


def _as_read(text: str) -> str:
    """The text with the line ends that a .jinja file is read with."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _changed(files: Files, changes: Sequence[FileChange]) -> dict[str, bytes]:
    new = {**files, **{change.file: change.content or b"" for change in changes}}
    for change in changes:
        if change.content is None:
            del new[change.file]
    return new


def _replaced(before: Files, after: Files, load: Load, readers: str) -> Iterator[str]:
    """Templates that are read today and would be others."""
    try:
        old = _by_name(load(before))
    except ValueError:
        return
    new = _by_name(load(after))
    for name, text in old.items():
        if _as_read(text) != new.get(name):
            yield f"the template {name!r} would be another one for {readers}"


def _news(before: Files, after: Files, load: Load) -> Iterator[str]:
    """What those who load the result have to know of the change."""
    try:
        old = load(before)
    except ValueError as error:
        yield f"it could not be loaded before ({error}); now it can"
        return
    new = load(after)
    for name in sorted(_by_name(new).keys() - _by_name(old).keys()):
        yield f"the template {name!r} was not read before and is read now"
    if isinstance(old.templates, Mapping) and isinstance(new.templates, str):
        yield (
            f"the only template is no longer a named one: chat_template={DEFAULT!r} "
            "would now be rendered as a template itself"
        )


def _warned(after: Files, load: Load) -> Iterator[str]:
    for warning in load(after).warnings:
        yield f"{warning.id} {warning.file}: {warning.message}"


def _by_name(loaded: Loaded) -> Mapping[str, str]:
    if isinstance(loaded.templates, str):
        return {DEFAULT: loaded.templates}
    return loaded.templates or {}
