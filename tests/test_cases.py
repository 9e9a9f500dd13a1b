"""Every case file, in every chunking: what the case says is right comes out.

`tests/cases/README.md` describes the files. The whole text, one character at a time, every split in
two, and every place where the prompt may end must agree in every event. That the reference agrees
on the whole text is `tests/differential/test_cases_reference.py`.
"""

from __future__ import annotations

import codecs
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from compiler import compile_template

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

TESTS = Path(__file__).parent
GRAMMARS = TESTS.parent / "grammars"
V1 = "response_template.json"
EXTENDED = "response_template.extended.json"
KEYS = {
    *("title", "source", "model", "prefix", "prefill", "tools", "expected", "error", "accept"),
    *("id", "decided"),
    *("raw", "chunks", "chunks_bytes_hex", "text_match", "finish_reason"),
}
FEWEST = {V1: 12, EXTENDED: 8}  # cases of a model
MOST_SPLITS = 400  # longer texts are split in two at this many places, evenly spread

Message = Mapping[str, Any]
Event = Mapping[str, Any]


@dataclass(frozen=True)
class Failure:
    """An error in place of a message; `kinds`: class names of the exception and its bases."""

    kinds: frozenset[str]
    text: str = ""


@dataclass(frozen=True)
class Case:
    """One text to parse, and every result that counts as right."""

    name: str  # "qwen3: plain text"
    template: Path
    prefix: str
    pieces: tuple[str, ...]
    tools: tuple[Any, ...]
    right: tuple[Any, ...]  # messages, and the class name of an error as a plain string
    loose: bool  # texts compare after collapsing white space
    finish_reason: str | None = None

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    @property
    def is_v1(self) -> bool:
        """Whether transformers can read the template."""
        return "dialect" not in template_of(self.template)


@dataclass(frozen=True)
class Run:
    """What a parser did with one chunking: its result, and its events with their chunks joined."""

    result: Message | Failure
    events: tuple[Any, ...]


# -- reading the files


def read_cases() -> Iterator[Case]:
    for path in sorted(TESTS.glob("cases/*.toml")):
        yield from read_file(path, path.stem, GRAMMARS / path.stem / V1)
    for path in sorted(TESTS.glob("cases/extended/*.toml")):
        yield from read_file(
            path, f"extended/{path.stem}", GRAMMARS / path.stem / EXTENDED, EXTENDED
        )
    for path in sorted(TESTS.glob("golden/*/cases.toml")):
        yield from read_file(path, f"golden/{path.parent.name}", path.parent / "template.json")


def read_file(path: Path, label: str, template: Path, of_model: str = V1) -> Iterator[Case]:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    prompt = data.get("prompt", "")
    for entry in data["case"]:
        assert set(entry) <= KEYS, f"{path.name}: unknown keys {sorted(set(entry) - KEYS)}"
        model = entry.get("model")
        yield Case(
            name=f"{label}: {entry['title']}",
            template=GRAMMARS / model / of_model if model else template,
            prefix=entry.get("prefix", prompt) + entry.get("prefill", ""),
            pieces=read_pieces(entry),
            tools=tuple(json.loads(entry.get("tools", "[]"))),
            right=tuple(read_right(entry)),
            loose=entry.get("text_match", "exact") == "loose",
            finish_reason=entry.get("finish_reason"),
        )


def read_pieces(entry: Mapping[str, Any]) -> tuple[str, ...]:
    if "chunks_bytes_hex" in entry:
        decoder = codecs.getincrementaldecoder("utf-8")()
        return tuple(decoder.decode(bytes.fromhex(piece)) for piece in entry["chunks_bytes_hex"])
    return tuple(entry.get("chunks") or [entry["raw"]])


def read_right(entry: Mapping[str, Any]) -> Iterator[Any]:
    assert ("expected" in entry) != ("error" in entry), f"{entry['title']}: what is right?"
    yield json.loads(entry["expected"]) if "expected" in entry else entry["error"]
    for text in entry.get("accept", []):
        alternative = json.loads(text)
        yield alternative.get("error", alternative)


CASES = tuple(read_cases())
every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


# -- what counts as right


def is_right(case: Case, result: Message | Failure) -> bool:
    if isinstance(result, Failure):
        return any(right in result.kinds for right in case.right if isinstance(right, str))
    return any(
        same(tidy(right, case.loose), tidy(result, case.loose))
        for right in case.right
        if not isinstance(right, str)
    )


def tidy(message: Message, loose: bool) -> Message:
    """The message as it is compared: as written, or with the white space of its texts collapsed."""
    if not loose:
        return message
    return {
        key: re.sub(r"\s+", " ", value).strip() if isinstance(value, str) else value
        for key, value in message.items()
    }


def same(a: Any, b: Any) -> bool:
    """Equality with JSON types: 1, 1.0 and true differ, and NaN equals itself."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and (a == b or (a != a and b != b))


# -- running the parsers


@cache
def template_of(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


@cache
def compiled(path: Path) -> Any:
    return compile_template(template_of(path))


def failure(error: Exception) -> Failure:
    return Failure(frozenset(kind.__name__ for kind in type(error).__mro__), str(error))


def run(case: Case, prefix: str, chunks: Iterable[str]) -> Run:
    events: list[Event] = []
    try:
        parser = compiled(case.template).Parser(prefix, tools=list(case.tools))
        events += parser.initial_events
        for chunk in chunks:
            events += parser.feed(chunk)
        message, last = parser.finalize(case.finish_reason)
        return Run(message, tuple(joined([*events, *last])))
    except Exception as error:
        return Run(Failure(failure(error).kinds), ())


def joined(events: Iterable[Event]) -> Iterator[Any]:
    """The events with neighbouring chunks joined, in a form that compares types as well."""
    for kind, group in groupby(events, key=lambda event: (event["type"], event["field"])):
        members = list(group)
        if kind[0] == "region_chunk":
            yield (*kind, "".join(event["text"] for event in members), members[0]["dirty"])
        else:
            yield from ((*kind, repr(event.get("value"))) for event in members)


def splits(length: int) -> range:
    return range(0, length + 1, max(1, length // MOST_SPLITS))


def own_part(case: Case) -> tuple[str, str]:
    """The prefix up to the end of its anchor, and the rest, which belongs to the message."""
    own = compiled(case.template).Parser.after_anchor(case.prefix)
    return case.prefix.removesuffix(own), own


# -- the tests


@every_case
def test_whole_text(case: Case) -> None:
    try:
        tools = list(case.tools)
        result = compiled(case.template).parse(
            case.text, prefix=case.prefix, tools=tools, finish_reason=case.finish_reason
        )
    except Exception as error:
        assert isinstance(error, ValueError)
        result = failure(error)
    assert is_right(case, result), result


@every_case
def test_every_chunking(case: Case) -> None:
    whole = run(case, case.prefix, [case.text])
    assert is_right(case, whole.result), whole.result
    assert run(case, case.prefix, case.pieces) == whole
    assert run(case, case.prefix, case.text) == whole, "one character at a time"
    for at in splits(len(case.text)):
        pieces = case.text[:at], case.text[at:]
        assert run(case, case.prefix, pieces) == whole, pieces


@every_case
def test_every_end_of_the_prompt(case: Case) -> None:
    """Text that the prompt wrote counts like text that the model wrote."""
    after_anchor = compiled(case.template).Parser.after_anchor
    whole = run(case, case.prefix, [case.text])
    head, own = own_part(case)
    full = own + case.text
    for at in splits(len(full)):
        prefix = head + full[:at]
        if after_anchor(prefix) == full[:at]:
            assert run(case, prefix, [full[at:]]) == whole, prefix


def test_titles_are_unique() -> None:
    assert len({case.name for case in CASES}) == len(CASES)


def test_every_model_has_cases() -> None:
    templates = {*GRAMMARS.glob(f"*/{V1}"), *GRAMMARS.glob(f"*/{EXTENDED}")}
    tested = [case.template for case in CASES]
    few = {template for template in templates if tested.count(template) < FEWEST[template.name]}
    assert few == set()


@pytest.mark.parametrize("of_model", [V1, EXTENDED])
def test_a_long_argument(of_model: str) -> None:
    """Thirty thousand characters of one string, full of near markers, one character at a time.

    The report is https://github.com/minpeter/ai-sdk-tool-call-middleware/pull/396.
    """
    lines = "\n".join(f"line_{n:04} = value * {n}  # {{}} </x> </tool_cal" for n in range(600))
    arguments = {"path": "gen.py", "content": lines}
    function = {"name": "write_file", "arguments": arguments}
    text = f"<tool_call>\n{json.dumps(function)}\n</tool_call>"
    message = {"role": "assistant", "tool_calls": [{"type": "function", "function": function}]}
    template = GRAMMARS / "qwen3" / of_model
    case = Case("long", template, "", (text,), (), (message,), loose=False)
    whole = run(case, "", [text])
    assert is_right(case, whole.result)
    assert run(case, "", text) == whole
