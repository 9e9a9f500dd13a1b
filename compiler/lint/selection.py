"""Which rules are asked for: by id, or by the start of ids."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from compiler.frontend.wording import did_you_mean
from compiler.lint.problems import Problem
from compiler.lint.rules import LINT_RULES


@dataclass(frozen=True)
class Selection:
    """Rules to report: all or those under `select`, but none under `ignore`.

    What keeps a template from being linted (rules LT0xx and RTxxx) is always reported.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def of(self, problems: Iterable[Problem]) -> tuple[Problem, ...]:
        """The problems to report."""
        return tuple(problem for problem in problems if self._includes(problem.diagnostic.rule))

    def _includes(self, rule: str) -> bool:
        if rule.startswith("LT0") or rule not in LINT_RULES:
            return True
        return rule.startswith(self.select or "LT") and not rule.startswith(self.ignore)


def read_prefixes(texts: Iterable[str]) -> tuple[str, ...]:
    """The ids and starts of ids in lists such as "LT101,LT2", in upper case.

    Raises LookupError, with the nearest id, for what no id starts with.
    """
    prefixes = [part.strip().upper() for text in texts for part in text.split(",")]
    for prefix in prefixes:
        if not prefix or not any(id.startswith(prefix) for id in LINT_RULES):
            hint = did_you_mean(prefix, LINT_RULES) or '"chatc rule" lists them'
            raise LookupError(f'no rule of the linter starts with "{prefix}"; {hint}')
    return tuple(prefixes)
