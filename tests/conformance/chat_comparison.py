"""One template, rendered by transformers and by each path of chatc in every shape: what differs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from tests.chat.bytecode_folder import entries
from tests.chat.conversations import SPECIAL_TOKENS, conversations
from tests.chat.model_templates import FROZEN_DATETIME
from tests.chat.specialising import hands_over
from tests.conformance.chat_paths import PATHS, found
from tests.differential.chat_reference import Rendered, reference_spans, reference_text

TEXTS, LINES, SPANS = KINDS = ("texts and errors", "lines", "spans")


@dataclass
class Comparison:
    """`counts`: of what was rendered. `differing`: of differences, by path and kind."""

    counts: Counter[str] = field(default_factory=Counter)
    differing: Counter[tuple[str, str]] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    def __iadd__(self, other: Comparison) -> Comparison:
        self.counts.update(other.counts)  # `+=` would leave out what there is none of
        self.differing.update(other.differing)
        self.differences += other.differences
        return self

    def note_difference(
        self, path: str, kind: str, where: str, expected: Any, instead: Any
    ) -> None:
        if instead != expected:
            self.differing[path, kind] += 1
            self.differences.append(f"{where} | {path}, {kind}\n  {expected}\n  {instead}")


def shapes() -> dict[str, dict[str, Any]]:
    """The arguments of every rendering."""
    return {name: {**SPECIAL_TOKENS, **each} for name, each in conversations().items()}


def compare(name: str, source: str) -> Comparison:
    """Of the template `source`; what differs is told under its `name`."""
    with _frozen_clock(), TemporaryDirectory() as folder:
        expected = {shape: reference_text(source, each) for shape, each in shapes().items()}
        spans = dict(_expected_spans(source))
        result = Comparison()
        lines: dict[str, int | None] = {}  # of errors, as the first path has them
        for path, opened in PATHS.items():
            with opened(source, folder) as template:
                for shape, arguments in shapes().items():
                    where = f"{name} | {shape}"
                    rendered, line = found(template.render, arguments)
                    result.note_difference(path, TEXTS, where, expected[shape], rendered)
                    result.note_difference(path, LINES, where, lines.setdefault(shape, line), line)
                    if shape in spans:
                        rendered, _ = found(template.render_with_spans, arguments)
                        result.note_difference(path, SPANS, where, spans[shape], rendered)
        texts = [shape for shape, each in expected.items() if each.error is None]
        result.counts.update(
            {
                "templates": 1,
                "templates with the tag": bool(spans),
                "templates kept as bytecode": len(entries(Path(folder))),
                "renderings": len(expected),
                "texts": len(texts),
                "texts handed over": sum(hands_over(source, shapes()[each]) for each in texts),
                "errors with a line": sum(line is not None for line in lines.values()),
                "renderings with spans": len(spans),
                "spans": sum(len(each.result[1]) for each in spans.values() if each.result),
            }
        )
    return result


def _expected_spans(source: str) -> Iterator[tuple[str, Rendered]]:
    """Of each shape that spans can be asked for, if the template has the tag."""
    if re.search(r"\{%[-+]?\s*generation\b", source):
        for shape, arguments in shapes().items():
            if "continue_final_message" not in arguments:
                yield shape, reference_spans(source, arguments)


@contextmanager
def _frozen_clock() -> Iterator[None]:
    """All renderers see one moment."""
    with (
        patch("runtime.chat.environment.datetime", FROZEN_DATETIME),
        patch("runtime.chat.specialised.local_now", FROZEN_DATETIME.now),
        patch("transformers.utils.chat_template_utils.datetime", FROZEN_DATETIME),
    ):
        yield
