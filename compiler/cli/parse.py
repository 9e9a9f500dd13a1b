"""`chatc parse`: run a parser over one text, or over the rows of a file."""

from __future__ import annotations

from typing import Any

import click

from compiler.cli.diagnosed import exit_code, report
from compiler.cli.parsers import Arguments, ParserSource, find_parser
from compiler.cli.reporting import Reporting
from compiler.cli.texts import read_text, read_tools, text_or_file

_BATCH_OPTIONS = ("output", "workers", "text_key", "prefix_key")


@click.command(
    "parse",
    epilog="Exit codes: 0 parsed; 1 the text cannot be parsed, or --strict and a failure was kept "
    "or a row has no message; 2 wrong usage or unreadable input.",
)
@click.argument("model", metavar="MODEL|DIR|FILE")
@click.argument("file", metavar="[FILE]", required=False)
@click.option("--prefix", default="", metavar="TEXT|@FILE", help="The prompt the text continues.")
@click.option("--tools", metavar="FILE", help="A JSON array of tool schemas: arguments get types.")
@click.option(
    "--on-error",
    type=click.Choice(["raise", "keep"]),
    help="What a region without a value costs: the message, or only itself.  "
    "[default: raise; keep with --input]",
)
@click.option(
    "--finish-reason",
    type=click.Choice(["stop", "length"]),
    help="Why generation ended: an open region is closed, or left unfinished.",
)
@click.option("--stream", is_flag=True, help="The events as NDJSON, and last the message.")
@click.option(
    "--chunk",
    type=click.Choice(["1", "token", "all"]),
    default="token",
    show_default=True,
    help="How --stream cuts the text: into characters, into words, not at all.",
)
@click.option("--input", metavar="JSONL", help="Parse the rows of a file; - is stdin.")
@click.option("--output", metavar="JSONL", help="Where rows go; - is stdout.  [default: -]")
@click.option("--workers", type=click.IntRange(min=1), help="Processes for rows.  [default: 1]")
@click.option("--text-key", metavar="KEY", help="The row's text.  [default: text, completion]")
@click.option("--prefix-key", metavar="KEY", help="Its prefix.  [default: prefix, prompt]")
@click.option("--strict", is_flag=True, help="Exit with 1 if a failure was kept or a row failed.")
@click.option("--json", "as_json", is_flag=True, help="Failures and the summary as JSON.")
@click.pass_context
def command(context: click.Context, /, model: str, file: str | None, **options: Any) -> None:
    """Parse a text, or many, into messages.

    The text of FILE, or of stdin, becomes one message, printed as JSON.

    MODEL runs the generated parser of that name; a template at DIR or FILE is compiled in memory.

    \b
    chatc parse qwen3 reply.txt
    chatc parse qwen3 --stream --chunk 1 < reply.txt
    chatc parse qwen3 --input rollouts.jsonl --output parsed.jsonl --workers 8

    With --input, each row is an object with `text`, and if need be its own `prefix`, `tools` and
    `finish_reason`. For each, in order, there is an object with `message` and `errors` (what
    --on-error keep kept), or with `error` alone; and with the row's `id`, if it has one. Blank
    lines do not count. A row that fails never stops the others.
    """
    _check_usage(options, file)
    source = _find_parser(context, model)
    arguments = Arguments(
        prefix=text_or_file(options["prefix"]),
        tools=read_tools(options["tools"]) if options["tools"] else None,
        on_error=options["on_error"] or ("raise" if options["input"] is None else "keep"),
        finish_reason=options["finish_reason"],
    )
    reporting = Reporting(as_json=options["as_json"], strict=options["strict"])
    if options["input"] is not None:
        from compiler.cli.batch import Files, parse_file
        from compiler.cli.rows import Batch

        text_keys = (options["text_key"],) if options["text_key"] else ("text", "completion")
        prefix_keys = (options["prefix_key"],) if options["prefix_key"] else ("prefix", "prompt")
        batch = Batch(source, arguments, text_keys, prefix_keys)
        files = Files(options["input"], options["output"] or "-")
        code = parse_file(batch, files, options["workers"] or 1, reporting)
    else:
        from compiler.cli.one_text import parse_text, stream_text

        module, text = source.load(), read_text(file or "-")
        if options["stream"]:
            code = stream_text(module, arguments, text, options["chunk"], reporting)
        else:
            code = parse_text(module, arguments, text, reporting)
    context.exit(code)


def _check_usage(options: dict[str, Any], file: str | None) -> None:
    if options["input"] is None:
        given = [f"--{name.replace('_', '-')}" for name in _BATCH_OPTIONS if options[name]]
        if given:
            raise click.UsageError(f"{given[0]} goes with --input")
    elif file is not None or options["stream"]:
        raise click.UsageError("--input goes without FILE and --stream")


def _find_parser(context: click.Context, target: str) -> ParserSource:
    from compiler.diagnostics import TemplateError

    try:
        return find_parser(target)
    except TemplateError as error:
        report(error.diagnostics)
        context.exit(exit_code(error.diagnostics))
