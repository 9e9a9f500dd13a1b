"""`chatc generate`: write the parsers and renderers of models."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from compiler.cli.diagnosed import exit_code, report
from compiler.cli.targets import find_target, models
from compiler.cli.terminal import Unusable, counted, data_json, failed, say
from compiler.models import with_v1_template

if TYPE_CHECKING:
    from compiler.models import Model


@click.command(
    "generate",
    epilog="Exit codes: 0 all is written or up to date; 1 a template has mistakes, or a generated "
    "file was edited by hand; 2 wrong usage or unreadable input.",
)
@click.argument("targets", metavar="[MODEL|DIR|FILE]...", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="Every model under grammars/.")
@click.option("--v1", is_flag=True, help="Of two response templates, the one that is not extended.")
@click.option("--force", is_flag=True, help="Overwrite generated files that were edited by hand.")
@click.option("--json", "as_json", is_flag=True, help="What was done, as a JSON array.")
@click.pass_context
def command(
    context: click.Context,
    targets: tuple[str, ...],
    everything: bool,
    v1: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Compile response templates into parsers, and chat templates into code that renders.

    They go under generated/, and files that are up to date are not touched. MODEL is a folder under
    grammars/ (`-` and `.` may stand for `_`, in any case), DIR a model repository, FILE a
    response_template.json, a tokenizer_config.json or a chat_template.jinja. Where a folder has a
    response_template.extended.json too, that is the one compiled.

    \b
    chatc generate qwen3
    chatc generate --all
    chatc generate ~/models/my-model
    """
    if bool(targets) == everything:
        raise click.UsageError("name a MODEL, DIR or FILE, or use --all")
    found = models() if everything else tuple(dict.fromkeys(map(find_target, targets)))
    if v1:
        found = tuple(map(with_v1_template, found))
    if not found:
        raise Unusable("no models under grammars/")
    outcomes = [_generate(model, force) for model in found]
    if as_json:
        data_json([outcome for outcome, _ in outcomes], indent=2)
    context.exit(max(code for _, code in outcomes))


def _generate(model: Model, force: bool) -> tuple[dict[str, Any], int]:
    """What was done for one model, as JSON data, and the exit code; says the same on stderr."""
    from compiler.artifacts import HandEdited, artifacts_of, write_artifacts
    from compiler.cli.explanation import needs_regex
    from compiler.diagnostics import TemplateError

    outcome: dict[str, Any] = {"model": model.name, "status": "", "written": []}
    try:
        compiled, artifacts = artifacts_of(model)
    except TemplateError as error:
        report(error.diagnostics)
        outcome["status"] = "invalid"
        outcome["diagnostics"] = [diagnostic.as_json() for diagnostic in error.diagnostics]
        return outcome, exit_code(error.diagnostics)
    warnings = compiled.warnings if compiled else ()
    needs = needs_regex(compiled.template) if compiled else ()
    outcome["diagnostics"] = [diagnostic.as_json() for diagnostic in warnings]
    outcome["needs_regex"] = [{"pattern": pattern, "reason": reason} for pattern, reason in needs]
    report(warnings)
    try:
        written = write_artifacts(artifacts, force)
    except HandEdited as error:
        failed(f"{model.name}: {error}")
        return outcome | {"status": "edited"}, 1
    if model.chat_template is not None:
        _keep_bytecode(model.chat_template)
    outcome["status"] = "written" if written else "up to date"
    outcome["written"] = [path.as_posix() for path in written]
    done = f"{counted(len(written), 'file')} written" if written else "up to date"
    say(f"{model.name}: {done}")
    for pattern, reason in needs:
        say(f"{model.name}: needs the regex package for {pattern}: {reason}")
    return outcome, 0


def _keep_bytecode(chat_template: Path) -> None:
    """Compile it for jinja2, too: the user's cache has the code where a rendering needs jinja2."""
    from compiler.frontend.chat_template import load_chat_template

    import_module("runtime.chat.environment").compiled_template(load_chat_template(chat_template))
