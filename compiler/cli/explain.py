"""`chatc explain`: what a parser watches for, and what a stream waits for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from compiler.cli.diagnosed import refused, report
from compiler.cli.targets import find_target, response_template
from compiler.cli.terminal import counted, data, data_json, printable

if TYPE_CHECKING:
    from compiler.cli.explanation import Explanation, StateExplained, Watched


@click.command(
    "explain",
    epilog="Exit codes: 0 explained; 1 the template has mistakes; 2 wrong usage or unreadable "
    "input.",
)
@click.argument("target", metavar="MODEL|DIR|FILE")
@click.option("--json", "as_json", is_flag=True, help="As a JSON object.")
@click.pass_context
def command(context: click.Context, target: str, as_json: bool) -> None:
    """Explain a parser: states, delimiters, waiting.

    For each state the delimiters that it watches for, the state behind each, and what a stream
    holds back until it knows whether the delimiter is there.

    \b
    chatc explain qwen3
    chatc explain ./my-model --json
    """
    from compiler.cli.explanation import explain
    from compiler.diagnostics import TemplateError
    from compiler.frontend.load import load
    from compiler.pipeline import compile_source

    model = find_target(target)
    try:
        compiled = compile_source(load(response_template(model)), model.name)
    except TemplateError as error:
        context.exit(refused(error, as_json))
    report(compiled.warnings)
    explanation = explain(compiled)
    if as_json:
        data_json({"model": model.name, **asdict(explanation)}, indent=2)
    else:
        data("".join(f"{printable(line)}\n" for line in _lines(model.name, explanation)))


_SLOW = "may take more than linear time"


def _lines(name: str, explanation: Explanation) -> Iterator[str]:
    yield f"{name}: starts after the last {explanation.anchor} of the prefix"
    for pattern, reason in explanation.needs_regex:
        yield f"  needs the regex package for {pattern}: {reason}"
    for pattern, reasons in explanation.slow_tags.items():
        yield f"  finds tags by {pattern}"
        yield from (f"      {_SLOW}: {reason}" for reason in reasons)
    for state in explanation.states:
        yield ""
        yield from _state(state)


_ACTS = {
    "open": "opens {}",
    "close": "closes {}",
    "stop": "ends {} unclosed",
    "whole": "is all of {}",
    "enter": "begins the section of {}",
    "leave": "ends the section of {}",
    "ignore": "is dropped",
}


def _state(state: StateExplained) -> Iterator[str]:
    what = "text is dropped" if state.field is None else f"text of {state.field}"
    yield f"{state.name}: {what}"
    for watched in state.watches:
        act = _ACTS[watched.role].format(watched.field)
        yield f"  {watched.shown}  {act} -> {watched.next}"
        yield from (f"      {line}" for line in _details(watched))
    for first, second in state.ties:
        yield f"  {first} and {second} may match at one place: the longer wins, {first} if equal"
    if state.value_end:
        yield f"  the end of the value  closes {state.field} -> {state.value_end}"
    elif not state.watches:
        yield "  runs to the end of the text"


def _details(watched: Watched) -> Iterator[str]:
    yield from [f"held back {phrase}" for phrase in watched.held] or ["found at once"]
    yield from (f"while held, {wait}" for wait in watched.waits)
    if watched.captures:
        yield f"captures {', '.join(watched.captures)}"
    if watched.context != 0:
        everything = "all text before it"
        seen = everything if watched.context is None else counted(watched.context, "character")
        yield f"looks back at {seen}"
    if watched.engine == "regex":
        yield f"found with the regex package: {watched.engine_reason}"
    yield from (f"{_SLOW}: {reason}" for reason in watched.slow)
