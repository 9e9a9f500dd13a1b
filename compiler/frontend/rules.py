"""The catalogue of rules for response templates, in catalogue/*.toml.

One file a group: RT0xx input, RT1xx shape, RT2xx delimiters, RT3xx content, RT4xx transform, RT5xx
dialect, RT9xx warnings. A test raises every rule by its bad example.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from compiler.catalogue import Rule, read_rules
from compiler.frontend.diagnose import severity_of

RULES: Mapping[str, Rule] = read_rules(Path(__file__).parent / "catalogue", severity_of)
