"""`chatc export`: a template in another form."""

from __future__ import annotations

import click

from compiler.cli.diagnosed import refused, report
from compiler.cli.targets import example, find_target, response_template
from compiler.cli.terminal import counted, data_json, printable, say


@click.command(
    "export",
    epilog="Exit codes: 0 exported; 1 the template has mistakes; 2 wrong usage or unreadable "
    "input.",
)
@click.argument("form", metavar="v1", type=click.Choice(["v1"]))
@click.argument("target", metavar="MODEL|DIR|FILE")
@click.option("--json", "as_json", is_flag=True, help="Template and losses as one JSON object.")
@click.pass_context
def command(context: click.Context, form: str, target: str, as_json: bool) -> None:
    """Print the v1 template nearest to one in the extended dialect.

    The template goes to stdout, what it cannot say to stderr. transformers and the servers read v1.
    Of several forms of a field that is kept which reads the example in origin.toml, else the first.

    \b
    chatc export v1 qwen3 > response_template.json
    """
    from compiler.diagnostics import TemplateError
    from compiler.exporters.v1 import export_v1
    from compiler.frontend.load import load
    from compiler.frontend.validate import validate

    model = find_target(target)
    path = response_template(model)
    try:
        source = load(path)
        report(validate(source).warnings)
    except TemplateError as error:
        context.exit(refused(error, as_json))
    assert isinstance(source.spec, dict)
    exported = export_v1(source.spec, example(model))
    losses = [{"pointer": loss.pointer, "what": loss.what} for loss in exported.losses]
    if as_json:
        data_json({"template": exported.spec, "losses": losses}, indent=2)
        return
    data_json(exported.spec, indent=2)
    for loss in exported.losses:
        say(printable(f"{source.display} {loss.pointer}: {loss.what}"))
    say(f"{counted(len(losses), 'thing')} lost" if losses else "nothing is lost")
