"""`chatc bundle`: a parser in one file, for a model repository."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from compiler.cli.diagnosed import exit_code, report
from compiler.cli.targets import is_name, models, response_template, unknown
from compiler.cli.terminal import Unusable, counted, data, failed, say
from compiler.models import find_model, folder_name

if TYPE_CHECKING:
    from compiler.artifacts import Artifact
    from compiler.pipeline import Compiled
    from compiler.source import Source


@click.command(
    "bundle",
    epilog="Exit codes: 0 all is written or up to date; 1 the template has mistakes, or a file "
    "there was edited by hand; 2 wrong usage or unreadable input.",
)
@click.argument("target", metavar="MODEL|DIR|FILE")
@click.option("-o", "--output", metavar="FILE", help="Where the parser goes; - is stdout.")
@click.option("--ship", metavar="DIR", help="Put parser and template in a model repository.")
@click.option("--set-config", is_flag=True, help="Also set response_template in its config.")
@click.option("--force", is_flag=True, help="Overwrite files that were edited by hand.")
@click.pass_context
def command(
    context: click.Context,
    target: str,
    output: str | None,
    ship: str | None,
    set_config: bool,
    force: bool,
) -> None:
    """Write a parser and what it needs of the runtime as one file.

    The file imports the standard library only and runs wherever Python 3.10 or later does; it is
    the same for every run. With --ship it becomes response_parser.py of the model repository DIR,
    beside the template it was made from; --set-config writes that template, which must not be an
    extended one, into tokenizer_config.json, where transformers looks for it, and changes nothing
    else there.

    \b
    chatc bundle qwen3 -o response_parser.py
    chatc bundle . -o -
    chatc bundle qwen3 --ship ~/models/my-qwen3 --set-config
    """
    from compiler.diagnostics import TemplateError

    if (output is None) == (ship is None):
        raise click.UsageError("say where the file goes: --output FILE or --ship DIR")
    if set_config and ship is None:
        raise click.UsageError("--set-config needs --ship")
    title, named, path = _find(target)
    try:
        source, compiled = _compile(path, title)
    except TemplateError as error:
        report(error.diagnostics)
        context.exit(exit_code(error.diagnostics))
    report(compiled.warnings)
    if ship is not None:
        context.exit(_ship(source, compiled, title, Path(ship), set_config, force))
    assert output is not None
    context.exit(_write(source, compiled, title, named, output, force))


def _find(target: str) -> tuple[str, str, Path]:
    """A model's name, what the command in the header calls it, and where its template is.

    A template elsewhere is named after its folder, even if a model under grammars/ has that name.
    """
    model = find_model(target) if is_name(target) else None
    if model:
        return model.name, model.name, response_template(model)
    path = Path(target)
    if not path.exists():
        if is_name(target):
            raise unknown(target, [model.name for model in models()])
        raise Unusable(f"{target}: no such file or folder")
    if not path.name.isprintable():
        raise Unusable(f"{target!r}: the name holds control characters")
    folder = path if path.is_dir() else path.parent
    return folder_name(folder.resolve().name), "." if path.is_dir() else path.name, path


def _compile(path: Path, title: str) -> tuple[Source, Compiled]:
    from compiler.frontend.load import load
    from compiler.pipeline import compile_source

    source = load(path)
    return source, compile_source(source, title)


def _write(
    source: Source, compiled: Compiled, title: str, named: str, output: str, force: bool
) -> int:
    from compiler.artifacts import Artifact
    from compiler.exporters.bundle import bundle, bundle_command, template_row

    path = Path(output)
    made = bundle(compiled, title, template_row(source), bundle_command(named, path.name))
    _warn(made.packages)
    if output == "-":
        data(made.text)
        return 0
    return _put((Artifact(path, made.text, path),), force)


def _ship(
    source: Source, compiled: Compiled, title: str, folder: Path, set_config: bool, force: bool
) -> int:
    from compiler.artifacts import HandEdited
    from compiler.exporters.config_edit import ConfigError
    from compiler.exporters.ship import require_unedited, shipment

    if not folder.is_dir():
        raise Unusable(f"{folder}: no such folder")
    try:
        shipped = shipment(source, compiled, title, folder, set_config)
    except ConfigError as error:
        raise Unusable(str(error)) from None
    _warn(shipped.bundle.packages)
    if shipped.other_config:
        say("tokenizer_config.json has another response template: --set-config replaces it")
    try:
        if not force:
            require_unedited(shipped)
    except HandEdited as error:
        failed(str(error))
        return 1
    return _put(shipped.artifacts, force)


def _put(artifacts: tuple[Artifact, ...], force: bool) -> int:
    from compiler.artifacts import HandEdited, write_artifacts

    try:
        written = write_artifacts(artifacts, force)
    except HandEdited as error:
        failed(str(error))
        return 1
    names = ", ".join(path.name for path in written)
    say(f"{counted(len(written), 'file')} written: {names}" if written else "up to date")
    return 0


def _warn(packages: tuple[str, ...]) -> None:
    for package in packages:
        say(f"the file needs the {package} package: a pattern is beyond Python's re")
