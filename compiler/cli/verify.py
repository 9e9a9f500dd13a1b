"""`chatc verify`: whether a model repository's parser is what its template says."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from compiler.cli.terminal import Unusable, counted, data, data_json, say


@click.command(
    "verify",
    epilog="Exit codes: 0 the parser is the one that its template compiles to; 1 it is not; "
    "2 wrong usage.",
)
@click.argument("folder", metavar="DIR")
@click.option("--json", "as_json", is_flag=True, help="The findings and the diff as JSON.")
@click.pass_context
def command(context: click.Context, folder: str, as_json: bool) -> None:
    """Compile the template of a model repository again and compare.

    Looks at response_parser.py, response_template.json and tokenizer_config.json in DIR. Nothing
    there is run. Prints a unified diff from the parser there to the fresh one, and on stderr what
    is wrong.
    """
    from compiler.exporters.verify import verify

    if not Path(folder).is_dir():
        raise Unusable(f"{folder}: no such folder")
    report = verify(Path(folder))
    if as_json:
        findings = [asdict(difference) for difference in report.differences]
        data_json({"findings": findings, "diff": report.diff}, indent=2)
    else:
        data(report.diff)
    for difference in report.differences:
        say(f"{difference.file}: {difference.kind}: {difference.message}")
    count = len(report.differences)
    say(counted(count, "finding") if count else "the parser is what its template compiles to")
    context.exit(1 if report.differences else 0)
