"""`chatc rule`: what a rule means, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from compiler.cli.terminal import Unusable, data, data_json

if TYPE_CHECKING:
    from compiler.catalogue import Rule


@click.command("rule")
@click.argument("ids", metavar="[ID]...", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="The full text of every rule.")
@click.option("--json", "as_json", is_flag=True, help="As a JSON array.")
def command(ids: tuple[str, ...], everything: bool, as_json: bool) -> None:
    """Explain the rules for templates.

    RT are rules of the compiler, LT those of `chatc lint`. Without an ID, list them, one a line.

    \b
    chatc rule                what can be reported
    chatc rule RT203          one rule, with a wrong and a right example
    """
    from compiler.catalogue import explain, find_rule
    from compiler.frontend.rules import RULES
    from compiler.lint.rules import LINT_RULES

    if ids and everything:
        raise click.UsageError("name rules, or use --all")
    every_rule = {**RULES, **LINT_RULES}
    try:
        rules = [find_rule(id, every_rule) for id in dict.fromkeys(ids or every_rule)]
    except LookupError as error:
        raise Unusable(str(error)) from None
    if as_json:
        data_json([_as_json(rule) for rule in rules], indent=2)
    elif ids or everything:
        data("\n\n".join(explain(rule) for rule in rules))
    else:
        data("".join(f"{rule.id}  {rule.severity:<7}  {rule.title}\n" for rule in rules))


def _as_json(rule: Rule) -> dict[str, str]:
    return {
        "rule": rule.id,
        "severity": rule.severity,
        "title": rule.title,
        "text": rule.text.strip(),
        "example": rule.example,
        "bad": rule.bad,
        "good": rule.good,
        "fix": rule.fix,
        "source": rule.source,
    }
