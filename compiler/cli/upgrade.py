"""`chatc upgrade`: a model repository's chat templates as files of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from compiler.cli.terminal import Unusable, data_json, failed, printable, say

if TYPE_CHECKING:
    from compiler.exporters.upgrade import Step, Storage, Upgrade


@click.command(
    "upgrade",
    epilog="Exit codes: 0 the repository is in today's layout, or would be; 1 it is ambiguous, and "
    "nothing was changed; 2 wrong usage or unreadable input.",
)
@click.argument("folder", metavar="DIR")
@click.option("--processor", is_flag=True, help="The repository is used through a processor.")
@click.option("--dry-run", is_flag=True, help="Tell what would be done and do nothing.")
@click.option("--json", "as_json", is_flag=True, help="Tell it as JSON, on stdout.")
@click.pass_context
def command(
    context: click.Context, folder: str, processor: bool, dry_run: bool, as_json: bool
) -> None:
    """Move chat templates out of the configs, into files.

    A template in tokenizer_config.json, chat_template.json or processor_config.json becomes
    chat_template.jinja; named ones become additional_chat_templates/NAME.jinja. No other byte of
    the configs changes. A repository in which one name stands for several templates is left alone
    and the reasons are told. Either everything is done or nothing.

    \b
    chatc upgrade ~/models/my-model --dry-run
    chatc upgrade ~/models/my-model
    """
    from compiler.exporters.file_changes import apply_changes
    from compiler.exporters.upgrade import Refused, plan_upgrade

    root = Path(folder)
    if not root.is_dir():
        raise Unusable(f"{folder}: no such folder")
    files: Mapping[str, bytes] = import_module("runtime.chat.reading").template_files(root)
    try:
        plan = plan_upgrade(files, _storage(), processor)
    except Refused as refused:
        _tell_refusal(refused.reasons, as_json)
        context.exit(1)
    if not plan.names:
        raise Unusable(f"{folder}: no chat template here")
    if not dry_run:
        apply_changes(root, [step.change for step in plan.steps])
    if as_json:
        data_json(_as_json(plan), indent=2)
    else:
        _tell(plan, dry_run)


def _storage() -> Storage:
    """How transformers reads files, from the runtime, which has one account of it."""
    from compiler.exporters.upgrade import Storage

    return Storage(
        stored=_runtime("reading", "stored_templates"),
        tokenizer=_runtime("precedence", "tokenizer_templates"),
        processor=_runtime("precedence", "processor_templates"),
        path_of=_runtime("layout", "template_path"),
    )


def _runtime(module: str, name: str) -> Callable[..., Any]:
    function: Callable[..., Any] = getattr(import_module(f"runtime.chat.{module}"), name)
    return function


def _tell(plan: Upgrade, dry_run: bool) -> None:
    for step in plan.steps:
        say(printable(_sentence(step, dry_run)))
    for note in plan.notes:
        say(printable(f"note: {note}"))
    if not plan.steps:
        say("up to date")


def _sentence(step: Step, dry_run: bool) -> str:
    action = f"would be {step.action}" if dry_run else step.action
    source = f" (from {step.source})" if step.source else ""
    removed = ': "chat_template" removed' if step.action == "edited" else ""
    return f"{step.change.file} {action}{source}{removed}"


def _tell_refusal(reasons: tuple[str, ...], as_json: bool) -> None:
    if as_json:
        data_json({"changes": [], "notes": [], "refused": list(reasons)}, indent=2)
        return
    for reason in reasons:
        failed(reason)
    say("nothing was changed")


def _as_json(plan: Upgrade) -> dict[str, Any]:
    changes = [
        {"file": step.change.file, "action": step.action, "from": step.source}
        for step in plan.steps
    ]
    return {"changes": changes, "notes": list(plan.notes), "refused": []}
