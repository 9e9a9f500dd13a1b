"""`chatc list`: the models there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from compiler.cli.targets import models
from compiler.cli.terminal import Unusable, data, data_json
from compiler.models import BadOrigin, model_ids

if TYPE_CHECKING:
    from compiler.models import Model


@click.command("list")
@click.option("--json", "as_json", is_flag=True, help="As a JSON array.")
def command(as_json: bool) -> None:
    """List the models under grammars/.

    For each its name, its status, and the published models whose format it is. A model is fresh if
    `chatc generate` would write nothing, stale if it would, invalid if its template has mistakes.
    """
    try:
        rows = [(model.name, _status(model), model_ids(model)) for model in models()]
    except BadOrigin as error:
        raise Unusable(str(error)) from None
    if as_json:
        data_json(
            [{"model": name, "status": status, "ids": list(ids)} for name, status, ids in rows],
            indent=2,
        )
        return
    width = max((len(name) for name, _, _ in rows), default=0)
    for name, status, ids in rows:
        data(f"{name:<{width}}  {status:<7}  {' '.join(ids)}".rstrip() + "\n")


def _status(model: Model) -> str:
    from compiler.artifacts import artifacts_of
    from compiler.diagnostics import TemplateError

    try:
        _, artifacts = artifacts_of(model)
    except TemplateError:
        return "invalid"
    return "fresh" if all(artifact.is_fresh() for artifact in artifacts) else "stale"
