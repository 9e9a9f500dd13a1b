"""The catalogue of lint rules, in catalogue/*.toml.

LT0xx reading, LT1xx portability and LT2xx correctness of chat templates, LT5xx and LT6xx response
templates, LT8xx storage.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from compiler.catalogue import Rule, read_rules

LINT_RULES: Mapping[str, Rule] = read_rules(Path(__file__).parent / "catalogue")
