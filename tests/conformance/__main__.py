"""What chatc makes of published replies and templates.

    make conformance ARGS="[PART [ARGUMENT ...]]"

calls        replies of `canitoolcall`, each judged by the suite's own checks
variants     the same replies, cut, split, and with other names and arguments
round-trip   messages, written by published chat templates and parsed again
chat         published chat templates, rendered by transformers and by chatc

Without PART all of them, in this order. Exit code 1 where something is not as it should be.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

# Part -> module, whose `main` takes arguments, prints a table and returns whether all is well.
# They are imported when they run: the last one needs transformers.
PARTS = {
    "calls": "tool_calls",
    "variants": "variants",
    "round-trip": "round_trip",
    "chat": "chat_templates",
}


def main(arguments: Sequence[str]) -> int:
    if not arguments:
        well = [_titled(part) for part in PARTS]
        return 0 if all(well) else 1
    part, *others = arguments
    if part not in PARTS:
        print((__doc__ or "").strip())
        return 0 if part in ("-h", "--help") else 2
    return 0 if _run(part, others) else 1


def _titled(part: str) -> bool:
    print(f"\n{part}\n", flush=True)
    return _run(part, ())


def _run(part: str, arguments: Sequence[str]) -> bool:
    is_well: bool = import_module(f"tests.conformance.{PARTS[part]}").main(arguments)
    return is_well


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
