"""Runs a parser module over texts; alone, in any Python: python -I -S runner.py < jobs.json.

Jobs are pairs of a file and texts. Prints the outcomes of each, and the modules that were imported
though they are not of the standard library.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any


def load_file(path: str) -> ModuleType:
    """The module in a file, which `sys.modules` does not learn of."""
    spec = importlib.util.spec_from_file_location("response_parser", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def outcomes(module: Any, texts: list[str]) -> list[str]:
    """What the module makes of each text, whole, in one batch, and one character at a time."""
    kept = module.parse_batch(texts, prefixes="", on_error="keep")
    return [json.dumps([_whole(module, text), _stream(module, text), *kept]) for text in texts]


def _whole(module: Any, text: str) -> Any:
    try:
        return module.parse(text, prefix="")
    except ValueError as error:
        return [type(error).__name__, str(error)]


def _stream(module: Any, text: str) -> Any:
    parser = module.Parser("", on_error="keep")
    events = [event for character in text for event in parser.feed(character)]
    parser = module.Parser.from_state(json.loads(json.dumps(parser.state())))
    message, last = parser.finalize()
    return [message, events, last, parser.errors]


def _foreign() -> list[str]:
    known = {*sys.stdlib_module_names, "__main__"}
    return sorted(name for name in sys.modules if name.partition(".")[0] not in known)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    jobs = json.load(sys.stdin)
    results = [outcomes(load_file(path), texts) for path, texts in jobs]
    print(json.dumps([results, _foreign(), Path(sys.executable).name]))
