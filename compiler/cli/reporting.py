"""Failures of parsing, as people read them and as programs do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from compiler.cli.parsers import Event, failure_as_json
from compiler.cli.terminal import failed, json_text, say, warned


@dataclass(frozen=True)
class Reporting:
    """How failures are told on stderr, and whether those that were kept make the command fail."""

    as_json: bool
    strict: bool

    def failed(self, error: Exception) -> int:
        """Tell why there is no message; return the exit code."""
        if self.as_json:
            say(json_text({"error": failure_as_json(error)}))
        else:
            failed(str(error))
        return 1

    def kept(self, errors: Sequence[Event]) -> int:
        """Tell what the message lacks, if anything; return the exit code."""
        if self.as_json and errors:
            say(json_text({"errors": list(errors)}))
        elif not self.as_json:
            for error in errors:
                warned(_sentence(error))
        return 1 if errors and self.strict else 0


def _sentence(error: dict[str, Any]) -> str:
    start, _ = error["span"]
    return f"field {error['field']!r} at offset {start}: {error['message']}"
