"""The long run: `python -m tests.differential.fuzz --cases 100000`."""

from __future__ import annotations

import argparse
import sys
import time

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.differential.test_transformers import TEXTS_A_TEMPLATE, check_template


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--cases", type=int, default=100_000)
    wanted = options.parse_args().cases
    done = 0
    started = time.monotonic()

    @settings(
        max_examples=max(1, wanted // TEXTS_A_TEMPLATE),
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def run(data: st.DataObject) -> None:
        nonlocal done
        done += check_template(data)
        if done % 1000 < TEXTS_A_TEMPLATE:
            print(f"\r{done} cases", end="", file=sys.stderr, flush=True)

    run()
    print(f"\n{done} cases, 0 differences, {time.monotonic() - started:.0f} s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
