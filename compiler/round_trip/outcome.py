"""What came of it: frozen values, for the reports to write down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from compiler.exporters.verify import Report as ShippedReport
from compiler.round_trip.expressed import Expressed
from compiler.round_trip.forms import Form
from compiler.round_trip.shapes import Message, Shape

# ok: the message came back. trimmed: but for white space around its texts. not expressed: all that
# the chat template writes of it came back. Each is worse than the one before.
Verdict = Literal["ok", "trimmed", "not expressed", "FAILED"]
VERDICTS: tuple[Verdict, ...] = ("ok", "trimmed", "not expressed", "FAILED")


@dataclass(frozen=True)
class Written:
    """A message as the chat template writes it.

    `prompt` and `reply` are the text of the conversation in two; `ahead` is what the generation
    prompt has behind the place of the cut, "" where the conversation begins with all of it.
    `form`: how the chat template was given the conversation.
    """

    prompt: str
    reply: str
    ahead: str
    expressed: Expressed
    form: Form


@dataclass(frozen=True)
class Failure:
    """What came back instead: another message, or an error of the parser."""

    found: Message | None
    error: str


@dataclass(frozen=True)
class Cell:
    """A shape in one chunking: the worst of its cuts, and the first that failed."""

    chunking: str
    verdict: Verdict
    failure: Failure | None = None
    where: str = ""  # it was cut, in words


@dataclass(frozen=True)
class Row:
    """A shape in every chunking; `refusal` is why the chat template does not write it at all.

    `warnings`: what the parser logged, each line once.
    """

    shape: Shape
    written: Written | None
    refusal: str
    cells: tuple[Cell, ...]
    warnings: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict:
        return max((cell.verdict for cell in self.cells), key=VERDICTS.index)


@dataclass(frozen=True)
class NotChecked:
    """Why something was not checked: it is not there, or `is_broken`, which is a finding."""

    reason: str
    is_broken: bool = False


@dataclass(frozen=True)
class Report:
    """All that was verified about one model; `target` is the model as commands name it."""

    name: str
    target: str
    shipped: ShippedReport | NotChecked
    round_trip: tuple[Row, ...] | NotChecked

    @property
    def rows(self) -> tuple[Row, ...]:
        return () if isinstance(self.round_trip, NotChecked) else self.round_trip

    @property
    def is_well(self) -> bool:
        """Nothing was found, something was checked, and of the round trip something came back."""
        parts = (self.shipped, self.round_trip)
        not_checked = [part for part in parts if isinstance(part, NotChecked)]
        if len(not_checked) == len(parts) or any(part.is_broken for part in not_checked):
            return False
        if isinstance(self.shipped, ShippedReport) and self.shipped.differences:
            return False
        verdicts = {row.verdict for row in self.rows}
        return not verdicts or ("ok" in verdicts and "FAILED" not in verdicts)
