r"""A search by marks finds what a search at every place finds: the same delimiters, held or whole.

The compiler can write a watch in both ways; here it writes each in both, and they are asked the
same of texts made of pieces of the delimiters.
"""

from __future__ import annotations

import json
import random
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from compiler.backends.python import watches
from compiler.frontend.load import load
from compiler.memory import compile_template
from compiler.pipeline import compile_source
from runtime.scan import SPACES, Found
from runtime.unicode_classes import SPACE
from runtime.watch import Watch
from tests.runtime.feeding import cut, feed_all, stream

GRAMMARS = Path(__file__).parents[2] / "grammars"
SHIPPED = sorted(path.parent.name for path in GRAMMARS.glob("*/response_template.extended.json"))
TEXTS = 150  # for each template

# What the shipped ones have not: ties at marks, ways of several kinds, `^` in odd places.
ODD: dict[str, dict[str, Any]] = {
    "a longer one with space": {"open_pattern": r"\s*<a>", "close_pattern": r"<a>b|\s*</a>"},
    "one with space, one without": {"open_pattern": r"<a>b", "ignore": r"\s*<a>"},
    "before space": {"open_pattern": r"(?=\s*<a>)\s*<a>x", "close_pattern": r"(?=\s*<a>)|</a>"},
    "only at the start": {"open_pattern": r"^\s*<a>", "ignore": r"^\s+"},
    "ties in a row": {
        "open_pattern": r"^<a>\s*",
        "ignore": r"<a>|<",
        "further": {"open": "<t>", "close": "</t>"},
    },
    "forms that tie at the start": {
        "open": "<x>",
        "further": {
            "repeats": True,
            "forms": [
                {"open": "<a>", "close": "</a>"},
                {"open": "<a>", "at": "start", "closes_with": "opener"},
            ],
        },
    },
    "the start or a mark": {"open_pattern": r"(?:^|<c>)\s*<a>", "ignore": r"\s*<c>|\s+\Z"},
    "the order of ways": {"open_pattern": r"^\s+|\s*<a>", "close_pattern": r"</a>|\s+</a>"},
    "a line break": {"open_pattern": r"\n?<a>\n?", "close_pattern": r"\n?</a>|(?=\n?<b>)"},
    "line breaks": {"open_pattern": r"\n*<a>\n*", "close_pattern": r"\n*</a>|\n+\Z"},
    "two blanks": {"open_pattern": r"[ \t]{0,2}<a>", "ignore": r"[ \t]{0,2}<b>"},
    "other space": {"open_pattern": r"\n?<a>", "ignore": r"\s*<b>"},
    "marks of space": {"open_pattern": r"\n<a>", "close_pattern": r"\n</a>| to=|\n"},
    "several marks": {"open_pattern": r"\s*(?:<a>|\[A\])", "close_pattern": r"\s*[/)]|(?=\{)"},
    "a look": {"open_pattern": r"<a>(?=\{)", "close_pattern": r"\s*(?=[\[{])"},
    "the end of the text": {"open_pattern": r"<a>", "ignore": r"\s+\Z|<b>(?:\s+\Z)?"},
    "space behind a value": {
        "open_pattern": r"\s*<a>",
        "close_pattern": r"\s*</a>",
        "strings": "json",
        "closes_with": "value",
    },
    "captures": {
        "open_pattern": r"\s*<(?P<name>\w+)(?=(?P<ahead>>|\w*))",
        "close_pattern": r"\s*</\w+>",
        "transform": {"name": "{name}", "ahead": "{ahead?}"},
    },
}


def odd_template(patterns: dict[str, Any]) -> dict[str, Any]:
    apart = ("ignore", "further")
    field = {"close": "</a>", **{key: p for key, p in patterns.items() if key not in apart}}
    field.pop("close" if "close_pattern" in patterns else "", None)
    ignore = {"ignore_pattern": patterns["ignore"]} if "ignore" in patterns else {}
    further = {"further": patterns["further"]} if "further" in patterns else {}
    fields = {"a": field, **further, "content": {}}
    return {"dialect": "extended-1", "start_anchor": "<bot>", **ignore, "fields": fields}


def template(name: str) -> dict[str, Any]:
    if name in ODD:
        return odd_template(ODD[name])
    spec: dict[str, Any] = json.loads(
        (GRAMMARS / name / "response_template.extended.json").read_text("utf-8")
    )
    return spec


def watches_of(source: str) -> dict[str, Watch]:
    module: dict[str, Any] = {"__name__": "compiled"}
    exec(compile(source, "compiled", "exec"), module)
    return {name: value for name, value in module.items() if isinstance(value, Watch)}


@cache
def both_ways(name: str) -> list[tuple[Watch, Watch]]:
    spec = template(name)
    by_marks = watches_of(compile_source(load(spec)).module)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(watches, "_by_marks", lambda watched: None)
        everywhere = watches_of(compile_source(load(spec)).module)
    return [(by_marks[name], everywhere[name]) for name in by_marks]


def pieces_of(name: str) -> list[str]:
    """Texts of the template's delimiters, and their beginnings."""
    written = json.dumps(template(name), ensure_ascii=False).replace("\\\\", "\\")
    plain = re.sub(r"\\s[*+]?|\(\?[:=!]|\\[Zwd][*+]?|[()]", " ", written).replace("\\", "")
    words = [word for word in re.findall(r"[^\s\"',]{2,40}", plain) if re.search(r"\W", word)]
    ways = {way for word in words for way in word.split("|") if 1 < len(way) < 30}
    marked = [word for word in words if "|" in word]
    starts = sorted(ways)[:: max(1, len(ways) // 12)]
    cut = [way[: len(way) // 2] for way in starts]
    return [*sorted(ways), *marked, *cut, *[" ", "\n", " \n", "\x1c", "x", "{", "}", "[", "<"] * 3]


def texts(name: str) -> list[str]:
    chance = random.Random(name)
    pieces = pieces_of(name)
    return ["".join(chance.choices(pieces, k=chance.randint(1, 7))) for _ in range(TEXTS)]


def told(found: Found | None) -> tuple[str | None, int, int] | None:
    """What of it a parser acts on: where what is held ends does not matter."""
    if found is None:
        return None
    label, start, end, _ = found
    return label, start, end if label else 0


@pytest.mark.parametrize("name", [*ODD, *SHIPPED])
def test_finds_what_a_search_everywhere_finds(name: str) -> None:
    for by_marks, everywhere in both_ways(name):
        for text in texts(name):
            for position in {0, 1, len(text) // 2}:
                for final in (False, True):
                    found = told(by_marks.find(text, position, final))
                    expected = told(everywhere.find(text, position, final))
                    assert found == expected, (text, position, final)


def with_prose(text: str, chance: random.Random) -> str:
    """The text with words and space around, so that chunks go the quick way."""
    words = [
        chance.choice(["word", "a b", " ", "\n\n", "end. ", "\x1c", " " * 9]) for _ in range(8)
    ]
    return "".join([*words[:4], text, *words[4:]])


@pytest.mark.parametrize("name", [*ODD, *SHIPPED])
def test_quick_chunks_are_those_of_the_text(name: str) -> None:
    compiled = compile_template(template(name))
    chance = random.Random(name)
    for text in texts(name)[:30]:
        text = with_prose(text, chance)
        one = stream(compiled, "", [text], on_error="keep")
        assert stream(compiled, "", text, on_error="keep") == one, text
        chunks = cut(text, (chance.randrange(len(text)) for _ in range(len(text) // 4)))
        assert stream(compiled, "", chunks, on_error="keep") == one, (text, chunks)
        parser = compiled.Parser("", None, "keep")
        events = [event for chunk in chunks[:5] for event in parser.feed(chunk)]
        again = feed_all(compiled.Parser.from_state(parser.state()), chunks[5:])
        assert feed_all(parser, chunks[5:]) == again, (text, chunks)
        assert again.message == one.message, (text, chunks, events)


def test_both_ways_differ_and_find_something() -> None:
    """The comparison is one: most watches are written in two ways, and delimiters are found."""
    pairs = [pair for name in [*ODD, *SHIPPED] for pair in both_ways(name)]
    differing = [pair for pair in pairs if pair[0]._plain != pair[1]._plain]
    assert len(differing) > len(pairs) // 3
    for name in ODD:
        labels = {
            found[0]
            for by_marks, _ in both_ways(name)
            for text in texts(name)
            if (found := by_marks.find(text, 0, True))
        }
        assert labels, name


def test_space_is_what_regex_takes_for_space() -> None:
    is_space = re.compile(f"[{SPACE}]").match
    every = "".join(filter(is_space, map(chr, range(sys.maxunicode + 1))))
    assert every == SPACES
