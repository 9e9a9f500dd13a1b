"""The files that a model repository gets: the parser, its template, and a key in its config.

response_parser.py        the bundle; carries the hash of the template it was made from
response_template.json    that template, the source of truth; response_template.extended.json if it
                          is in the dialect
tokenizer_config.json     if asked: the same template under "response_template", as
                          transformers reads it
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from compiler.artifacts import Artifact, HandEdited
from compiler.backends.python.provenance import SourceHash, file_hash, is_edited
from compiler.backends.python.view import template_hash
from compiler.diagnostics import TemplateError
from compiler.exporters.bundle import Bundle, bundle, bundle_command
from compiler.exporters.config_edit import ConfigError, set_member
from compiler.frontend.forms import is_extended
from compiler.frontend.load import CONFIG_FILE, CONFIG_KEY, load
from compiler.pipeline import Compiled
from compiler.source import Source
from compiler.template_files import EXTENDED_FILE, TEMPLATE_FILE

PARSER_FILE = "response_parser.py"
SHIP_COMMAND = bundle_command(".", PARSER_FILE)  # in the model repository


@dataclass(frozen=True)
class Shipment:
    """What `chatc bundle --ship` writes into `folder`."""

    folder: Path
    bundle: Bundle
    artifacts: tuple[Artifact, ...]
    template_file: str
    other_config: bool  # whether the config there has, and keeps, another template


def shipment(
    source: Source, compiled: Compiled, title: str, folder: Path, set_config: bool = False
) -> Shipment:
    """The files for the model repository in `folder`; nothing is written yet.

    Raises ConfigError if the config is to be set and cannot be, NotInlinable.
    """
    template, name = template_text(source), _template_file(source)
    row = SourceHash(name, file_hash(template.encode("utf-8", "surrogatepass")))
    parser = bundle(compiled, title, row, SHIP_COMMAND)
    path = folder / PARSER_FILE
    artifacts = [Artifact(path, parser.text, path), Artifact(folder / name, template)]
    if set_config:
        artifacts.append(_config(folder / CONFIG_FILE, source))
    other_config = not set_config and _has_other_template(folder / CONFIG_FILE, source)
    return Shipment(folder, parser, tuple(artifacts), name, other_config)


def require_unedited(shipped: Shipment) -> None:
    """Raise HandEdited if the folder has a template that no earlier shipment put there."""
    name = shipped.template_file
    template = next(file for file in shipped.artifacts if file.path.name == name)
    if template.is_fresh() or not template.path.is_file():
        return
    parser = shipped.folder / PARSER_FILE
    recorded = parser.read_text("utf-8", "backslashreplace") if parser.is_file() else ""
    digest = file_hash(template.path.read_bytes())
    row = f"#   {name}  sha256:{digest}\n"
    if is_edited(recorded) or row not in recorded:
        raise HandEdited((template.path,))


def template_text(source: Source) -> str:
    """The template as a file of its own."""
    if not source.base_pointer:
        return source.text
    return json.dumps(source.spec, indent=2, ensure_ascii=False) + "\n"


def _template_file(source: Source) -> str:
    """Where the template goes: transformers would read, and refuse, one in the dialect."""
    in_dialect = isinstance(source.spec, dict) and is_extended(source.spec)
    return EXTENDED_FILE if in_dialect else TEMPLATE_FILE


def _config(path: Path, source: Source) -> Artifact:
    if _template_file(source) == EXTENDED_FILE:
        message = "transformers reads v1 templates only; see chatc export v1"
        raise ConfigError(f"{path.as_posix()}: {message}")
    try:
        text = path.read_bytes().decode("utf-8")
        return Artifact(path, set_member(text, CONFIG_KEY, source.spec))
    except FileNotFoundError:
        raise ConfigError(f"{path.as_posix()}: no such file") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path.as_posix()}: not UTF-8 text ({error.reason})") from None
    except ConfigError as error:
        raise ConfigError(f"{path.as_posix()}: {error}") from None


def _has_other_template(path: Path, source: Source) -> bool:
    if not path.is_file():
        return False
    try:
        return template_hash(load(path).spec) != template_hash(source.spec)
    except TemplateError:  # none there, or none that can be read
        return False
