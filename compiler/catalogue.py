"""Catalogues of rules: what each diagnostic means, why, and an example of each kind.

A catalogue is a folder of TOML files, one a group of rules, with a table for each rule.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent
from typing import Literal

from compiler.diagnostics import Severity
from compiler.frontend.wording import did_you_mean

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ExampleKind = Literal[
    "template",  # a whole response template
    "field",  # one field of a response template
    "dialect field",  # the same, in the extended dialect
    "file",  # the text of a response template's file
    "config",  # the text of a tokenizer_config.json
    "python",  # a statement about the dict `template`
    "path",  # a path to load
    "chat",  # a chat template
    "files",  # the files of a model repository, by path, as JSON
]

_EXAMPLE_LABELS: Mapping[ExampleKind, str] = {
    "field": " (a field)",
    "dialect field": " (a field, in the dialect)",
    "config": " (tokenizer_config.json)",
    "python": " (Python)",
    "path": " (a path)",
    "files": " (files)",
}


@dataclass(frozen=True)
class Rule:
    """One rule. `source` names where it comes from, `fix` says what `chatc lint --fix` does."""

    id: str
    severity: Severity
    title: str
    text: str
    source: str
    bad: str
    good: str
    example: ExampleKind = "template"
    fix: str = ""


def read_rules(
    folder: Path, severity_of: Callable[[str], Severity] | None = None
) -> dict[str, Rule]:
    """The rules of a catalogue by id, in order; `severity_of` an id where the files do not say."""
    tables = [tomllib.loads(file.read_text("utf-8")) for file in sorted(folder.glob("*.toml"))]
    entries = {id: entry for table in tables for id, entry in table.items()}
    if severity_of:
        entries = {id: {"severity": severity_of(id), **entry} for id, entry in entries.items()}
    return {id: Rule(id, **entry) for id, entry in entries.items()}


def find_rule(id: str, rules: Mapping[str, Rule]) -> Rule:
    """The rule of that id, in any case. Raises LookupError, with the nearest id."""
    rule = rules.get(id.upper())
    if rule is None:
        hint = did_you_mean(id.upper(), rules)
        raise LookupError(f'there is no rule "{id}"' + (f"; {hint}" if hint else ""))
    return rule


def explain(rule: Rule) -> str:
    """The text of `chatc rule ID`."""
    what = _EXAMPLE_LABELS.get(rule.example, "")
    fix = f"Fix: {rule.fix.strip()}\n\n" if rule.fix else ""
    return (
        f"{rule.id} ({rule.severity}): {rule.title}\n\n"
        f"{rule.text.strip()}\n\n"
        f"Wrong{what}:\n{indent(rule.bad, '    ')}\n\n"
        f"Right{what}:\n{indent(rule.good, '    ')}\n\n"
        f"{fix}"
        f"Source: {rule.source}\n"
    )
