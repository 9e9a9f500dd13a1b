"""LT105, LT210: white space that depends on the environment's settings, or ends every prompt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from compiler.lint.chat.edits import Replacement
from compiler.lint.chat.probes import PROBES
from compiler.lint.chat.reading import Token, parse, read_tokens
from compiler.lint.chat.regions import Region, regions
from compiler.lint.chat.rendering import Outcome, Trial
from compiler.lint.chat.subject import ChatSubject
from compiler.lint.problems import LintFinding

_MARK = re.compile("\ue0f1([0-9]+)\ue0f2")  # private use characters: no template prints them
_SIGNLESS_BEGINS = ("{%", "{{", "{#")
_SIGNLESS_ENDS = ("%}", "}}", "#}")


@dataclass(frozen=True)
class _Gap:
    """White space that a tag takes in transformers: a region as others and as it reads it."""

    full: Region
    kept: Region

    @property
    def tag(self) -> int:
        """Where the tag starts that takes it; the one before if both tags do."""
        return self.full.tag if self._takes_line_end else self._after.start

    @property
    def place(self) -> int:
        """Where the white space is."""
        return self.full.start if self._takes_line_end else self._after.start

    @property
    def edits(self) -> tuple[Replacement, ...]:
        """The signs that say the same in every environment; none where there is no such sign."""
        before, after, full = self.kept.before, self.kept.after, self.full.text
        on_begin = _sign_at(after.start + 2) if after and after.text in _SIGNLESS_BEGINS else ()
        on_end = _sign_at(before.start) if before and before.text[:2] in _SIGNLESS_ENDS else ()
        if on_begin and full.rstrip() == self.kept.text:
            return on_begin
        if on_end and full.lstrip() == self.kept.text:
            return on_end
        both = on_begin and on_end and full.strip() == self.kept.text
        return (*on_end, *on_begin) if both else ()

    @property
    def _takes_line_end(self) -> bool:
        before = self.kept.before
        return before is not None and before.end > self.full.start

    @property
    def _after(self) -> Token:
        assert self.full.after is not None  # only a tag takes white space
        return self.full.after


def check_settings(subject: ChatSubject) -> Iterator[LintFinding]:
    """Templates that render another text where tags do not take white space by themselves."""
    gaps = _gaps(subject)
    if not gaps or not subject.rendered.outcomes or not _depends_on_settings(subject):
        return
    printed = _printed(subject, gaps) or gaps[:1]
    more = f", and around {len(printed) - 1} more" if len(printed) > 1 else ""
    edits = [edit for gap in gaps for edit in gap.edits]
    signs = "1 sign" if len(edits) == 1 else f"{len(edits)} signs"
    yield LintFinding(
        "LT105",
        "",
        "without trim_blocks and lstrip_blocks white space is printed around this tag" + more,
        "say which tags take white space: {%- and -%}",
        printed[0].tag,
        fix=subject.fix(f"{signs} where white space is taken", edits) if edits else None,
    )


def check_end(subject: ChatSubject) -> Iterator[LintFinding]:
    """Line breaks at the end, of which jinja2 drops one."""
    *_, last = regions(subject.tokens)
    if last.text.endswith("\n"):
        hint = "end the file with one line break, or the last tag with -%}"
        place = last.start + len(last.text.rstrip())
        yield LintFinding("LT210", "", "every prompt ends with this line break", hint, place)


def _gaps(subject: ChatSubject) -> tuple[_Gap, ...]:
    full = regions(read_tokens(subject.text, trimmed=False))
    both = zip(full, regions(subject.tokens), strict=True)
    return tuple(_Gap(full, kept) for full, kept in both if full.text != kept.text)


def _outcomes(text: str) -> Mapping[str, Outcome]:
    tree = parse(text, read_tokens(text, trimmed=False), trimmed=False)
    trial = Trial(tree, trimmed=False)
    return {probe: trial.render(arguments) for probe, arguments in PROBES.items()}


def _depends_on_settings(subject: ChatSubject) -> bool:
    outcomes = _outcomes(subject.text)
    return any(
        outcome.comparable != outcomes[probe].comparable
        for probe, outcome in subject.rendered.outcomes.items()
    )


def _printed(subject: ChatSubject, gaps: tuple[_Gap, ...]) -> list[_Gap]:
    """The gaps that are printed with some probe: each is marked, and the marks are looked for."""
    pieces, position = [], 0
    for number, gap in enumerate(gaps):
        pieces += [subject.text[position : gap.place], f"\ue0f1{number}\ue0f2"]
        position = gap.place
    text = "".join([*pieces, subject.text[position:]])
    outcomes = _outcomes(text).values()
    found = {int(number) for each in outcomes for number in _MARK.findall(each.text or "")}
    return [gaps[number] for number in sorted(found)]


def _sign_at(offset: int) -> tuple[Replacement, ...]:
    return ((offset, offset, "-"),)
