"""Send messages there and back."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from compiler.round_trip.both_ways import BothWays, ParserModule
from compiler.round_trip.chunkings import CHUNKINGS, WHOLE, Cut
from compiler.round_trip.comparing import same, trimmed
from compiler.round_trip.expressed import Expressed
from compiler.round_trip.outcome import VERDICTS, Cell, Failure, Row, Verdict, Written
from compiler.round_trip.shapes import TOOLS, Message, Shape
from compiler.round_trip.writing import write


def round_trip(
    model: BothWays, shapes: Sequence[Shape], chunkings: Sequence[str] = tuple(CHUNKINGS)
) -> tuple[Row, ...]:
    """A row for each shape, with a cell for each chunking."""
    return tuple(_row(model, shape, chunkings) for shape in shapes)


def _row(model: BothWays, shape: Shape, chunkings: Sequence[str]) -> Row:
    try:
        written = write(model, shape)
    except Exception as error:  # of any class: it is the template's
        refusal = f"{type(error).__name__}: {error}"
        return Row(shape, None, refusal, tuple(Cell(name, "not expressed") for name in chunkings))
    with _logged() as logged:
        cells = tuple(_cell(model.parser, written, name) for name in chunkings)
    return Row(shape, written, "", cells, tuple(dict.fromkeys(logged)))


class _Listed(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


@contextmanager
def _logged() -> Iterator[list[str]]:
    """What parsers log meanwhile, whatever the level of their logger; nothing of it is printed."""
    logger, listed = logging.getLogger("chatc"), _Listed()
    level = logger.level
    logger.addHandler(listed)
    logger.setLevel(logging.WARNING)
    try:
        yield listed.messages
    finally:
        logger.setLevel(level)
        logger.removeHandler(listed)


def _cell(parser: ParserModule, written: Written, chunking: str) -> Cell:
    worst: Verdict = "ok"
    for cut in CHUNKINGS[chunking](written.reply):
        try:
            found = _parsed(parser, written.prompt, cut, chunking)
        except ValueError as error:  # ParseError
            failure = Failure(None, f"{type(error).__name__}: {error}")
            return Cell(chunking, "FAILED", failure, cut.where)
        verdict = _judged(found, written.expressed)
        if verdict == "FAILED":
            return Cell(chunking, verdict, Failure(found, ""), cut.where)
        worst = max(worst, verdict, key=VERDICTS.index)
    return Cell(chunking, worst)


def _parsed(parser: ParserModule, prompt: str, cut: Cut, chunking: str) -> Message:
    if chunking == WHOLE:
        return parser.parse_result("".join(cut.chunks), prefix=prompt, tools=TOOLS)[0]
    stream = parser.Parser(prefix=prompt, tools=TOOLS)
    for chunk in cut.chunks:
        stream.feed(chunk)
    return stream.finalize()[0]


def _judged(found: Message, expected: Expressed) -> Verdict:
    if same(found, expected.message):
        return "not expressed" if expected.lost else "ok"
    if expected.twin is not None and same(found, expected.twin):
        return "not expressed"
    return "trimmed" if trimmed(found, expected.message) else "FAILED"
