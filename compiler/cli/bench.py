"""`chatc bench`: speed, as ratios against transformers taken in the same run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

import click

from compiler.cli.targets import example, find_target, models, response_template
from compiler.cli.terminal import counted, data, data_json, say
from compiler.models import with_v1_template

if TYPE_CHECKING:
    from compiler.bench.measure import Row
    from compiler.models import Model

_MODELS = ("smollm3", "qwen3", "qwen3_coder", "gpt_oss", "gemma4")


@click.command("bench")
@click.argument("names", nargs=-1, metavar="[MODEL]...")
@click.option("--chat", is_flag=True, help="Measure chat templates alone.")
@click.option("--quick", is_flag=True, help="Shorter texts, fewer published chat templates.")
@click.option("--json", "as_json", is_flag=True, help="As a JSON array.")
def command(names: tuple[str, ...], chat: bool, quick: bool, as_json: bool) -> None:
    """Measure parsers, and how chat templates render.

    Of parsers: streaming, whole replies, start-up and adversarial texts; with MODEL, its parser
    alone. Ratios say how many times longer transformers takes for the same work, with the nearest
    v1 template (dev extra; what needs it is left out without it). Texts of 1 MB take
    transformers minutes.
    """
    if names and chat:
        raise click.UsageError("--chat goes without MODEL")
    rows = []
    for row in _rows(names, chat, quick):
        rows.append(row)
        if not as_json:
            data(f"{_line(row)}\n")
    if as_json:
        data_json([row.as_json() for row in rows], indent=2)
    missed = [row for row in rows if row.is_missed()]
    say(f"{counted(len(rows), 'measurement')}, {counted(len(missed), 'goal')} missed")


def _rows(names: tuple[str, ...], chat: bool, quick: bool) -> Iterator[Row]:
    from compiler.bench.chat import chat_rows
    from compiler.bench.ids import ids_rows
    from compiler.bench.linear import strings_linear_rows
    from compiler.bench.strings import strings_rows

    if not chat:
        for name in names or _MODELS:
            yield from _parser_rows(name, quick)
    if not names and not chat:
        yield from _formats_rows()
        yield from strings_rows()
        if not quick:
            yield from strings_linear_rows()
            yield from ids_rows()
    if not names:
        yield from chat_rows(quick)


def _parser_rows(name: str, quick: bool) -> Iterator[Row]:
    from compiler.bench.linear import linear_rows
    from compiler.bench.start import start_rows
    from compiler.bench.streaming import streaming_rows
    from compiler.bench.whole import whole_rows
    from compiler.exporters.v1 import export_v1

    model = find_target(name)
    beside = with_v1_template(model)
    both = [model] if beside == model else [model, beside]
    for each in both:
        spec = _spec(each)
        shown = name if each is model else f"{name} v1"
        nearest = export_v1(spec, example(model)).spec
        yield from streaming_rows(shown, spec, nearest, quick)
        yield from whole_rows(shown, spec, nearest)
    yield from start_rows(model.name, _spec(model))
    if not quick:
        yield from linear_rows(model.name, _spec(model))


def _formats_rows() -> Iterator[Row]:
    from compiler.bench.formats import formats_rows

    parsers = [model for model in models() if model.response_template]
    both = [(model, with_v1_template(model)) for model in parsers]
    yield from formats_rows("v1", [(m.name, _spec(v1)) for m, v1 in both if v1 != m])
    yield from formats_rows("default", [(model.name, _spec(model)) for model in parsers])


def _spec(model: Model) -> dict[str, Any]:
    from compiler.frontend.load import load

    return cast(dict[str, Any], load(response_template(model)).spec)


def _line(row: Row) -> str:
    ratio = f"{row.ratio:7.1f}x" if row.ratio else " " * 8
    goal = f"  goal {row.goal:g}x" if row.goal else ""
    limit = f"  at most {row.limit:g}" if row.limit else ""
    note = f"  {row.note}" if row.note else ""
    return f"{row.what:<72} {row.ours:9.1f} {row.unit:<17}{ratio}{goal}{limit}{note}"
