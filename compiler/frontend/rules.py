"""The catalogue of rules: what each diagnostic means, why, and an example of each kind.

The texts are in catalogue/*.toml, one file a group: RT0xx input, RT1xx shape, RT2xx delimiters,
RT3xx content, RT4xx transform, RT9xx warnings. A test raises every rule by its bad example.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent
from typing import Literal

from compiler.diagnostics import Severity
from compiler.frontend.diagnose import severity_of
from compiler.frontend.wording import did_you_mean

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ExampleKind = Literal[
    "template",  # a whole template
    "field",  # one field of a template
    "file",  # the text of a template file
    "config",  # the text of a tokenizer_config.json
    "python",  # a statement about the dict `template`
    "path",  # a path to load
]

_EXAMPLE_LABELS = {
    "field": " (a field)",
    "config": " (tokenizer_config.json)",
    "python": " (Python)",
    "path": " (a path)",
}


@dataclass(frozen=True)
class Rule:
    """One rule of response templates. `source` names where the rule comes from."""

    id: str
    title: str
    text: str
    source: str
    bad: str
    good: str
    example: ExampleKind = "template"

    @property
    def severity(self) -> Severity:
        return severity_of(self.id)


def _read_catalogue() -> dict[str, Rule]:
    files = sorted((Path(__file__).parent / "catalogue").glob("*.toml"))
    tables = [tomllib.loads(file.read_text(encoding="utf-8")) for file in files]
    return {id: Rule(id, **entry) for table in tables for id, entry in table.items()}


RULES: Mapping[str, Rule] = _read_catalogue()


def explain_rule(id: str) -> str:
    """The text of `chatc rule ID`. Raises LookupError, with the nearest id, for an unknown one."""
    rule = RULES.get(id.upper())
    if rule is None:
        hint = did_you_mean(id.upper(), RULES)
        raise LookupError(f'there is no rule "{id}"' + (f"; {hint}" if hint else ""))
    what = _EXAMPLE_LABELS.get(rule.example, "")
    return (
        f"{rule.id} ({rule.severity}): {rule.title}\n\n"
        f"{rule.text.strip()}\n\n"
        f"Wrong{what}:\n{indent(rule.bad, '    ')}\n\n"
        f"Right{what}:\n{indent(rule.good, '    ')}\n\n"
        f"Source: {rule.source}\n"
    )
