"""Checks of derived patterns against `regex`, by brute force over what text may still come."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any as Anything

import regex

from compiler.delimiters.derive import DerivedDelimiter, PatternText, Wait, derive
from compiler.delimiters.nodes import (
    Alternation,
    Any,
    Backreference,
    Category,
    Class,
    Node,
    Property,
    Repeat,
    Text,
    children,
)
from compiler.delimiters.pattern import parse_pattern


@dataclass(frozen=True)
class Verdict:
    """What the streaming pattern says of a buffer: complete, or held back, from a place on."""

    start: int
    end: int | None  # None: held back
    wait: Wait | None = None


class Subject:
    """A pattern, its derivation and `regex` itself, side by side."""

    def __init__(self, pattern: str, node: Node | None = None) -> None:
        self.pattern = pattern
        self._compiled: dict[PatternText, Anything] = {}
        self.node = node if node is not None else parse_pattern(pattern)
        self.derived: DerivedDelimiter = derive(self.node, "DONE", "WAIT")
        self.original = regex.compile(pattern, regex.DOTALL)
        self.final = self.compiled(self.derived.final)
        self.final_match = self.compiled(self.derived.final_match)
        self.final_search = self.compiled(self.derived.final_search)
        self.streaming = self.compiled(self.derived.streaming)
        self.streaming_search = self.compiled(self.derived.streaming_search)
        self.sights = [self.compiled(sight) for sight in self.derived.sights]
        self.waits = {wait.group: wait for wait in self.derived.waits}

    def compiled(self, text: PatternText) -> Anything:
        if text not in self._compiled:
            engine: Anything = regex if self.derived.engine == "regex" else re
            self._compiled[text] = engine.compile(text.text(), engine.DOTALL)
        return self._compiled[text]

    def verdict(self, buffer: str, position: int = 0) -> Verdict | None:
        """The verdict of the unguarded search; None if nothing is held."""
        return self._read(self.streaming.search(buffer, position), buffer)

    def guarded_verdict(self, buffer: str, position: int = 0) -> Verdict | None:
        """The verdict as a parser comes to it: a match at the position, else a guarded search."""
        match = self.streaming.match(buffer, position) if self.looks_here(position) else None
        return self._read(match or self.streaming_search.search(buffer, position), buffer)

    def looks_here(self, position: int) -> bool:
        """Whether a search has to begin with a match at the position."""
        return self.derived.guarded or (self.derived.at_start and position == 0)

    def truth(self, text: str, position: int = 0) -> Anything:
        """The match in a whole text; one without width at the very end never fires."""
        match = self.original.search(text, position)
        return None if match is None or match.start() == len(text) else match

    def captured(self, match: Anything) -> dict[str, str]:
        """What the named groups of a final match took."""
        groups = {name: match.group(name) for name in self.derived.captures}
        return {name: text for name, text in groups.items() if text is not None}

    def has_settled(self, buffer: str, start: int) -> bool:
        """Whether the groups of a complete match can be read: what they look at is complete too."""
        matches = [sight.match(buffer, start) for sight in self.sights]
        return all(match and (match.lastgroup or "").startswith("DONE") for match in matches)

    def _read(self, match: Anything, buffer: str) -> Verdict | None:
        if match is None or match.start() == len(buffer):
            return None
        if match.lastgroup in self.derived.done_groups:
            return Verdict(match.start(), match.end())
        return Verdict(match.start(), None, self.waits.get(match.lastgroup))


def check_final(subject: Subject, text: str, position: int = 0) -> None:
    """The final patterns find what `regex` finds: spans and named groups."""
    expected = subject.original.search(text, position)
    for pattern in (subject.final, subject.final_match):
        found = pattern.search(text, position)
        assert _span(found) == _span(expected), (subject.pattern, text, position)
    found = subject.final.search(text, position)
    if expected is not None:
        assert subject.captured(found) == _taken(expected), (subject.pattern, text, position)
    here = subject.final_match.match(text, position) if subject.looks_here(position) else None
    guarded = here or subject.final_search.search(text, position)
    assert _span(guarded) == _span(expected), (subject.pattern, text, position, "guarded")


def check_streaming(
    subject: Subject, buffer: str, extensions: Iterable[str], position: int = 0
) -> tuple[Verdict | None, bool]:
    """The verdict holds whatever comes; also whether some extension needs what is held."""
    verdict = subject.verdict(buffer, position)
    case = (subject.pattern, buffer, position, verdict, subject.derived.streaming.template)
    guarded = subject.guarded_verdict(buffer, position)
    assert _unnamed(verdict) == _unnamed(guarded), (*case, guarded)
    needed = False
    for extension in extensions:
        text = buffer + extension
        match = subject.truth(text, position)
        if verdict is None:
            assert match is None or match.start() >= len(buffer), (*case, extension)
        elif verdict.end is None:
            assert match is None or match.start() >= verdict.start, (*case, extension)
            needed |= match is not None and match.start() == verdict.start
        else:
            assert _span(match) == (verdict.start, verdict.end), (*case, extension)
            if subject.has_settled(buffer, verdict.start):
                captured = subject.captured(subject.final.match(buffer, verdict.start))
                assert captured == _taken(match), (*case, extension)
        if verdict is not None and verdict.wait is not None:
            check_wait(subject, buffer, verdict, extension, position)
    return verdict, needed


def check_wait(
    subject: Subject, buffer: str, verdict: Verdict, extension: str, position: int
) -> None:
    """While the wait says so, the hold goes on from the same place."""
    assert verdict.wait is not None
    if still_waits(subject, verdict.wait, buffer, extension):
        later = subject.verdict(buffer + extension, position)
        case = (subject.pattern, buffer, extension, verdict, later)
        assert later is not None and later.end is None, case
        assert later.start == verdict.start, case


def still_waits(subject: Subject, wait: Wait, buffer: str, extension: str) -> bool:
    if wait.literal is not None:
        overlap = len(wait.literal) - 1
        return wait.literal not in buffer[max(0, len(buffer) - overlap) :] + extension
    assert wait.stay is not None and wait.leave is not None
    stays = subject.compiled(PatternText(f"(?:{wait.stay.template})*")).fullmatch(extension)
    leaves = subject.compiled(wait.leave).search(extension)
    assert (stays is None) == (leaves is not None)
    return stays is not None


def _unnamed(verdict: Verdict | None) -> Verdict | None:
    """The verdict without the name of its wait group: the guarded pattern may have others."""
    if verdict is None or verdict.wait is None:
        return verdict
    return replace(verdict, wait=replace(verdict.wait, group=""))


def _taken(match: Anything) -> dict[str, str]:
    return {name: text for name, text in match.groupdict().items() if text is not None}


def _span(match: Anything) -> tuple[int, int] | None:
    return None if match is None else match.span()


class Sampler:
    """Random texts that a pattern matches, or nearly."""

    def __init__(self, node: Node, chance: random.Random) -> None:
        self.node = node
        self.chance = chance

    def match(self) -> str:
        return self._of(self.node)

    def near(self) -> str:
        """A match cut, doubled, spoilt, or with something before it."""
        text = self.match()
        choice = self.chance.randrange(6)
        if choice == 0:
            return text[: self.chance.randint(0, len(text))]
        if choice == 1:
            return text[self.chance.randint(0, len(text)) :]
        if choice == 2 and text:
            place = self.chance.randrange(len(text))
            return text[:place] + self.chance.choice("x <\n>a") + text[place + 1 :]
        if choice == 3:
            return self.chance.choice(["", "x", " ", "\n", "<", "ab "]) + text
        return text

    def text(self, most: int = 4) -> str:
        return "".join(self.near() for _ in range(self.chance.randint(0, most)))

    def _of(self, node: Node) -> str:
        match node:
            case Text():
                return node.text
            case Any():
                return self.chance.choice("x <>\nab")
            case Class():
                return self._member(node)
            case Repeat():
                high = node.low + 3 if node.high is None else min(node.high, node.low + 3)
                times = self.chance.randint(node.low, high)
                return "".join(self._of(node.body) for _ in range(times))
            case Alternation():
                return self._of(self.chance.choice(node.branches))
            case Backreference():
                return self.chance.choice(["a", "x", '"', "tool"])
        return "".join(self._of(child) for child in children(node))

    def _member(self, node: Class) -> str:
        if node.negated:
            return self.chance.choice("xab <>\n1_é{}|")
        member = self.chance.choice(node.members)
        match member:
            case Category():
                pools = {"SPACE": " \n\t\u3000", "DIGIT": "017", "WORD": "ab1_é"}
                return self.chance.choice("<-" if member.negated else pools[member.name])
            case Property():
                return self.chance.choice("aA1 ")
        return chr(self.chance.randint(ord(member.first), ord(member.last)))
