"""`chatc verify`: whether a model's parser is what its templates say, there and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from compiler.cli.terminal import data, data_json, say, warned
from compiler.round_trip.chunkings import CHUNKINGS
from compiler.round_trip.shapes import SHAPE_NAMES

if TYPE_CHECKING:
    from compiler.round_trip.outcome import Report


@click.command(
    "verify",
    epilog="Exit codes: 0 all that was checked is well; 1 something was found, no message came "
    "back, or nothing could be checked; 2 wrong usage.",
)
@click.argument("target", metavar="MODEL|DIR")
@click.option(
    "--shape",
    "shapes",
    type=click.Choice(SHAPE_NAMES),
    metavar="NAME",
    multiple=True,
    help="Only this message, by its name in the report; may be repeated.",
)
@click.option(
    "--chunking",
    "chunkings",
    type=click.Choice(list(CHUNKINGS)),
    multiple=True,
    help="Only this way to cut replies; may be repeated.",
)
@click.option("--html", metavar="FILE", help="Write the report as a page as well.")
@click.option("--json", "as_json", is_flag=True, help="The report as JSON.")
@click.pass_context
def command(context: click.Context, /, target: str, as_json: bool, **options: Any) -> None:
    """Send messages there and back, and compare a shipped parser with its template.

    The round trip needs both templates. The chat template writes a conversation that ends with an
    assistant message, which is cut at the generation prompt; the parser reads the rest, cut in
    several ways, and has to give the message back. The report is a table in Markdown: what came
    back, what the chat template does not write, what failed and the command that shows it again.

    A model repository that has a response_parser.py: its template is compiled again and compared.
    A unified diff goes from the parser there to the fresh one.

    Nothing in DIR is run; MODEL runs its generated parser.

    \b
    chatc verify qwen3
    chatc verify ~/models/my-model --html report.html
    chatc verify qwen3 --shape parallel_calls --chunking characters
    """
    from compiler.cli.verification import verified
    from compiler.round_trip.report_html import report_html
    from compiler.round_trip.report_json import report_json

    report, warnings = verified(target, options["shapes"], options["chunkings"] or (*CHUNKINGS,))
    for warning in warnings:
        warned(warning)
    if options["html"]:
        Path(options["html"]).write_bytes(report_html(report).encode())
    if as_json:
        data_json(report_json(report), indent=2)
    else:
        _print(report)
    _tell(report)
    context.exit(0 if report.is_well else 1)


def _print(report: Report) -> None:
    from compiler.round_trip.outcome import NotChecked
    from compiler.round_trip.report_text import report_text

    if not isinstance(report.shipped, NotChecked):
        data(report.shipped.diff)
    if report.rows:
        data(report_text(report))


def _tell(report: Report) -> None:
    from compiler.round_trip.outcome import NotChecked
    from compiler.round_trip.wording import shipped_summary, summary

    if not isinstance(report.shipped, NotChecked):
        for found in report.shipped.differences:
            say(f"{found.file}: {found.kind}: {found.message}")
        say(shipped_summary(report))
    elif not report.rows:
        say(f"shipped parser {shipped_summary(report)}")
    say(summary(report) if report.rows else f"round trip {summary(report)}")
