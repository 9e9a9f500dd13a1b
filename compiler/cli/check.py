"""`chatc check`: prove that every generated file is what its sources say."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from compiler.cli.diagnosed import report
from compiler.cli.targets import models
from compiler.cli.terminal import Unusable, counted, data, data_json, say
from compiler.models import GENERATED, as_generated, outside_models

if TYPE_CHECKING:
    from collections.abc import Sequence

    from compiler.cli.freshness import Difference
    from compiler.diagnostics import Diagnostic
    from compiler.models import Model

_MEANINGS = {
    "missing": "missing",
    "stale": "stale",
    "edited": "edited by hand",
    "orphan": "made by no template",
}


@click.command(
    "check",
    epilog="Exit codes: 0 every file is fresh; 1 a file is not, or a template has mistakes; "
    "2 wrong usage, or nothing to check.",
)
@click.option("--json", "as_json", is_flag=True, help="The findings as a JSON object.")
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """Prove that generated files are fresh.

    Compares them with what the templates make, and writes nothing. Of two response templates the
    one counts that `chatc generate` was told to take. Prints a unified diff, and on
    stderr a line for each file that is missing, stale, edited by hand, or made by no template.
    """
    checked = tuple(map(as_generated, (*models(), *outside_models())))
    found, mistakes = _compare(checked)
    if not checked and not found:
        raise Unusable("nothing to check: no models under grammars/, nothing under generated/")
    if as_json:
        findings = [difference.as_json() for difference in found]
        diagnostics = [diagnostic.as_json() for diagnostic in mistakes]
        data_json({"findings": findings, "diagnostics": diagnostics}, indent=2)
    else:
        data("".join(difference.diff for difference in found))
    report(mistakes)
    for difference in found:
        meaning = _MEANINGS[difference.kind]
        say(f"{difference.path.as_posix()}: {meaning}: {difference.remedy}")
    kinds = Counter(_MEANINGS[difference.kind] for difference in found)
    counts = [f"{number} {meaning}" for meaning, number in kinds.items()]
    if mistakes:
        counts.append(f"{counted(len(mistakes), 'diagnostic')} of templates")
    say(f"{counted(len(checked), 'model')}: {', '.join(counts) or 'every file is fresh'}")
    context.exit(1 if counts else 0)


def _compare(checked: Sequence[Model]) -> tuple[list[Difference], list[Diagnostic]]:
    """What differs, each path once, and what is wrong with templates."""
    from compiler.artifacts import artifacts_of
    from compiler.cli.freshness import differences, orphans
    from compiler.diagnostics import TemplateError

    found: dict[object, Difference] = {}  # by path: all models make generated/__init__.py
    mistakes: list[Diagnostic] = []
    made = {GENERATED / "__init__.py"}
    unknown = set()
    for model in checked:
        try:
            _, artifacts = artifacts_of(model)
        except TemplateError as error:
            mistakes += error.diagnostics
            unknown.add(model.output)
            continue
        made |= {artifact.path for artifact in artifacts}
        for difference in differences(model, artifacts):
            found.setdefault(difference.path, difference)
    return [*found.values(), *orphans(made, unknown)], mistakes
