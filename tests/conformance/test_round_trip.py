"""One published chat template of each format, there and back, and all that have faults.

`make conformance ARGS=round-trip` sends through all of them, in more chunkings.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conformance.round_trip import Trip, folders, send, templates_of
from tests.conformance.round_trip_faults import FAULTS

PUBLISHED = {folder: sorted(templates_of(folder)) for folder in folders()}
SENT = [
    (folder, name)
    for folder, names in PUBLISHED.items()
    for name in names
    if name in FAULTS or name == names[0]
]
# It wants one object in place of the list of messages.
REFUSES_ALL = "ibm-granite-granite-20b-functioncalling"


def sent(folder: str, name: str) -> Trip:
    return send(folder, name, ("whole", "characters"))


@pytest.mark.parametrize(("folder", "name"), SENT)
def test_what_is_written_comes_back(folder: str, name: str) -> None:
    trip = sent(folder, name)
    failed = {row.shape.name for row in trip.rows if row.verdict == "FAILED"}
    assert failed == set(FAULTS.get(name, {}))
    assert bool(trip.counts["replies"]) == (name != REFUSES_ALL)


def test_markers_in_arguments_are_among_it() -> None:
    shapes = {row.shape.name: row for row in sent("qwen3", "Qwen-Qwen3-0.6B").rows}
    for name in ("markers_in_an_argument", "markers_and_quotes"):
        written = shapes[name].written
        assert shapes[name].verdict == "ok"
        assert written and written.reply.count("</tool_call>") == 2


def test_the_docs_tell_of_every_format() -> None:
    page = (Path(__file__).parents[2] / "docs" / "conformance.md").read_text("utf-8")
    table = dict(re.findall(r"^\| (\w+) +\| +(\d+) \| +[\d,]+ \| +\d", page, re.MULTILINE))
    without = re.search(r"No chat template is published for ([^.]*)\.", page)
    assert without
    told = {name: int(table[name]) for name in PUBLISHED if name in table}
    told |= dict.fromkeys(re.findall(r"\w+", without[1].replace(" and ", " ")), 0)
    assert told == {name: len(names) for name, names in PUBLISHED.items()}
    faults = re.findall(r"^\| `\w+-.*? \| (\d+) \|", page, re.MULTILINE)
    assert sum(map(int, faults)) == sum(map(len, FAULTS.values()))


def test_faults_are_those_of_published_templates() -> None:
    assert set(FAULTS) <= {name for names in PUBLISHED.values() for name in names}
    assert len(SENT) > len(FAULTS)
