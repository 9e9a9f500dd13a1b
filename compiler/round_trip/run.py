"""Send messages there and back."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from compiler.round_trip.chunkings import CHUNKINGS, WHOLE, Cut
from compiler.round_trip.comparing import same, without_outer_space
from compiler.round_trip.expressed import Expressed, expressed
from compiler.round_trip.outcome import VERDICTS, Cell, Failure, Row, Verdict, Written
from compiler.round_trip.shapes import QUESTION, TOOLS, Message, Shape

_HALF_MARKER = re.compile(r"[<\[][^<>\[\]\s]*\Z")
_LAYOUT = " \t\r\n"  # what templates write between turns


class StreamParser(Protocol):
    """The part of a generated `Parser` that is driven here."""

    def feed(self, text: str) -> Any: ...
    def finalize(self) -> tuple[Message, Any]: ...


class ParserModule(Protocol):
    """The part of a generated module that is called here."""

    @property
    def parse_result(self) -> Callable[..., tuple[Message, Any]]: ...
    @property
    def Parser(self) -> Callable[..., StreamParser]: ...


@dataclass(frozen=True)
class BothWays:
    """A model: `render` is ChatTemplate.render, which always gets `variables`."""

    render: Callable[..., str]
    variables: Mapping[str, Any]
    parser: ParserModule


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
    """What parsers log meanwhile; nothing of it is printed."""
    logger, listed = logging.getLogger("chatc"), _Listed()
    logger.addHandler(listed)
    try:
        yield listed.messages
    finally:
        logger.removeHandler(listed)


# -- there


def write(model: BothWays, shape: Shape) -> Written:
    """The conversation that ends with the shape's message, cut where the model would begin.

    Where the conversation does not begin with the generation prompt, it is cut where the two part.
    White space at its end is the template's: a model has stopped before. Raises what the template
    raises.
    """

    def render(*messages: Message, **options: Any) -> str:
        arguments = {"messages": [QUESTION, *messages], "tools": TOOLS, **options}
        return model.render(**{**model.variables, **shape.variables, **arguments})

    def writes_the_same(other: Message) -> bool:
        try:
            return render(other) == text
        except Exception:  # of any class: it is the template's
            return False

    message = _complete(shape.message)
    prompt, text = render(add_generation_prompt=True), render(message)
    cut = _cut(prompt, text)
    reply = text[cut:].rstrip(_LAYOUT)
    return Written(text[:cut], reply, prompt[cut:], expressed(message, writes_the_same))


def _cut(prompt: str, text: str) -> int:
    """Where the text goes on from the prompt, or parts from it: an offset into both.

    A marker is not cut in two: models write it at once.
    """
    if text.startswith(prompt):
        return len(prompt)
    pairs = enumerate(zip(prompt, text, strict=False))
    parted = next((offset for offset, (a, b) in pairs if a != b), len(text))
    half = _HALF_MARKER.search(text, 0, parted)
    return half.start() if half else parted


def _complete(message: Message) -> Message:
    """The message with what templates may ask for: content, if only empty, and ids of calls."""
    numbered = enumerate(message.get("tool_calls", []))
    calls = [{"id": f"call{number:05d}", **call} for number, call in numbered]
    return {"content": "", **message, **({"tool_calls": calls} if calls else {})}


# -- and back


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
    trimmed = without_outer_space(expected.message)
    return "trimmed" if same(found, trimmed) else "FAILED"
