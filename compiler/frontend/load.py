"""Read a response template: from a dict, a JSON file, a tokenizer_config.json or a model folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from compiler.diagnostics import Diagnostic, Finding, Location, TemplateError
from compiler.frontend.json_positions import child_pointer
from compiler.frontend.known_keys import TEMPLATE_KEYS
from compiler.frontend.plain_json import plain_json
from compiler.frontend.wording import kind_of, listed
from compiler.source import Source, location_at
from compiler.template_files import EXTENDED_FILE, TEMPLATE_FILE

IN_MEMORY = "<template>"
CONFIG_FILE = "tokenizer_config.json"
CONFIG_KEY = "response_template"  # where transformers keeps the template in CONFIG_FILE


def load(target: str | Path | Mapping[str, Any]) -> Source:
    """The template at `target`: a path of a file or model folder, or the template itself.

    A folder is searched for response_template.extended.json, response_template.json, and the key in
    tokenizer_config.json, in this order.
    The template is read, not validated; `validate` refuses mappings other than dict, as
    transformers does. Raises TemplateError if there is nothing to validate: RT001 unreadable,
    RT002 not JSON, RT003 no template, RT006 nested too deep.
    """
    if isinstance(target, (str, Path)):
        path = Path(target)
        try:
            return _load_folder(path) if path.is_dir() else _load_file(path)
        except OSError as error:
            reason = error.strerror or str(error)
            raise _refused("RT001", Location(display_path(path)), reason) from None
    spec, noticed = plain_json(target)
    text = json.dumps(spec, indent=2, ensure_ascii=False)
    return Source(IN_MEMORY, text, spec, noticed=noticed)


def has_template(folder: Path) -> bool:
    """Whether `load` finds a template in a model folder, or a config that it cannot read."""
    config = folder / CONFIG_FILE
    has_file = any((folder / name).is_file() for name in (EXTENDED_FILE, TEMPLATE_FILE))
    if has_file or not config.is_file():
        return has_file
    try:
        load(config)
    except TemplateError as error:
        return any(diagnostic.rule != "RT003" for diagnostic in error.diagnostics)
    return True


def _load_folder(folder: Path) -> Source:
    for name in (EXTENDED_FILE, TEMPLATE_FILE, CONFIG_FILE):
        if (folder / name).is_file():
            return _load_file(folder / name)
    message = f"no {TEMPLATE_FILE} and no {CONFIG_FILE} in this folder"
    raise _refused("RT003", Location(display_path(folder)), message)


def _load_file(path: Path) -> Source:
    display, text = display_path(path), _read(path)
    value, has_repeated_keys = _decode(text, display)
    base, spec = _find_template(value, path, display)
    spec, noticed = plain_json(spec)
    source = Source(display, text, spec, base, noticed)
    if not has_repeated_keys:
        return source
    return replace(source, noticed=(*noticed, *_repeated_keys(source)))


def _read(path: Path) -> str:
    """The text of a file; a byte order mark is dropped."""
    where = Location(display_path(path))
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        message = f"not UTF-8 text: byte 0x{byte:02x} at offset {error.start}"
        raise _refused("RT001", where, message, "save the file as UTF-8") from None
    except FileNotFoundError:
        is_json = str(path).lstrip().startswith("{")
        hint = "this is a path; pass a template in memory as a dict" if is_json else None
        raise _refused("RT001", where, "no such file or folder", hint) from None
    except ValueError as error:  # a null character in the path
        raise _refused("RT001", where, str(error)) from None


def _decode(text: str, display: str) -> tuple[object, bool]:
    """The JSON value of `text`, and whether any object in it gives a key more than once."""
    has_repeated_keys = False

    def members(pairs: list[tuple[str, object]]) -> dict[str, object]:
        nonlocal has_repeated_keys
        value = dict(pairs)
        has_repeated_keys |= len(value) < len(pairs)
        return value

    try:
        value: object = json.loads(text, object_pairs_hook=members)
    except json.JSONDecodeError as error:
        reason = error.msg[:1].lower() + error.msg[1:]
        where = location_at(display, text, error.pos)
        raise _refused("RT002", where, f"not JSON: {reason}") from None
    except RecursionError:
        raise _refused("RT006", Location(display), "nested too deep to be read") from None
    except ValueError as error:  # a number of more digits than Python converts
        raise _refused("RT002", Location(display), f"not JSON that Python reads: {error}") from None
    return value, has_repeated_keys


def _find_template(value: object, path: Path, display: str) -> tuple[str, object]:
    """The JSON pointer of the template in the file's value, and the template."""
    if not isinstance(value, dict):
        return "", value
    is_config = path.name == CONFIG_FILE or "fields" not in value
    if is_config and value.get(CONFIG_KEY) is not None:
        return child_pointer("", CONFIG_KEY), value[CONFIG_KEY]
    if path.name != CONFIG_FILE and value.keys() & set(TEMPLATE_KEYS):
        return "", value
    is_null = ' ("response_template" is null)' if CONFIG_KEY in value else ""
    message = f"no response template here{is_null}; the file holds {_contents(value)}"
    raise _refused("RT003", Location(display), message)


def _contents(value: Mapping[str, object]) -> str:
    if not value:
        return "an empty object"
    shown = sorted(value)[:5]
    more = f" and {len(value) - len(shown)} more" if len(value) > len(shown) else ""
    return f"{kind_of(value)} with {listed(shown)}{more}"


def _repeated_keys(source: Source) -> tuple[Finding, ...]:
    """A warning for each key inside the template that its object gives more than once."""
    base = source.base_pointer
    return tuple(
        Finding(
            "RT901",
            pointer[len(base) :],
            "this key is given more than once; only the last value counts",
            f"first given on line {location_at('', source.text, first).line}",
            on_key=True,
        )
        for pointer, first in source.positions.repeated.items()
        if pointer == base or pointer.startswith(f"{base}/")
    )


def display_path(path: Path) -> str:
    """The path relative to the current folder where it lies inside, with "/" separators."""
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    except (OSError, ValueError, RuntimeError):
        return path.as_posix()


def _refused(rule: str, where: Location, message: str, hint: str | None = None) -> TemplateError:
    return TemplateError([Diagnostic(rule, "error", message, "", hint, where)])
