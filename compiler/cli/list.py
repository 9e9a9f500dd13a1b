"""`chatc list`: the models there are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from compiler.cli.targets import models
from compiler.cli.terminal import Unusable, data, data_json
from compiler.frontend.wording import did_you_mean
from compiler.models import model_ids
from compiler.origin import BadOrigin

if TYPE_CHECKING:
    from compiler.models import Model


@click.command("list")
@click.option("--for", "published", metavar="ID", help="Only the model of this published one.")
@click.option("--json", "as_json", is_flag=True, help="As a JSON array.")
@click.option("--page", "as_page", is_flag=True, help="As docs/models.md: what each format is.")
def command(published: str | None, as_json: bool, as_page: bool) -> None:
    """List the models under grammars/.

    For each its name, its status, and the published models whose format it is. A model is fresh if
    `chatc generate` would write nothing, stale if it would, invalid if its template has mistakes.

    \b
    chatc list
    chatc list --for Qwen/Qwen3-8B
    """
    if as_page:
        from compiler.exporters.models_page import models_page

        data(models_page(models()))
        return
    try:
        ids = {model: model_ids(model) for model in models()}
    except BadOrigin as error:
        raise Unusable(str(error)) from None
    if published is not None:
        ids = _published_as(published, ids)
    rows = [(model.name, _status(model), names) for model, names in ids.items()]
    if as_json:
        data_json(
            [{"model": name, "status": status, "ids": list(names)} for name, status, names in rows],
            indent=2,
        )
        return
    width = max((len(name) for name, _, _ in rows), default=0)
    for name, status, names in rows:
        data(f"{name:<{width}}  {status:<7}  {' '.join(names)}".rstrip() + "\n")


def _published_as(id: str, ids: Mapping[Model, tuple[str, ...]]) -> dict[Model, tuple[str, ...]]:
    """The model that a published one has the format of. Raises Unusable with the nearest id."""
    wanted = id.lower()
    found = {
        model: names for model, names in ids.items() if wanted in (name.lower() for name in names)
    }
    if not found:
        hint = did_you_mean(id, [name for names in ids.values() for name in names])
        raise Unusable(f'no model here is published as "{id}"' + (f"; {hint}" if hint else ""))
    return found


def _status(model: Model) -> str:
    from compiler.artifacts import artifacts_of
    from compiler.diagnostics import TemplateError

    try:
        _, artifacts = artifacts_of(model)
    except TemplateError:
        return "invalid"
    return "fresh" if all(artifact.is_fresh() for artifact in artifacts) else "stale"
