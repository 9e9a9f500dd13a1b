"""Delimiters that look ahead without limit are given up once the text cannot hold them any more."""

from __future__ import annotations

from typing import Any

import pytest

from compiler import compile_template

NOTE = {"open_pattern": "<note.*?</note>", "close": "!"}
SPEC: dict[str, Any] = {
    "start_anchor": "@",
    "fields": {"note": NOTE, "content": {"close": "#", "repeats": True, "join": "|"}},
}


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("</note>" + "<note" * 50, "</note>" + "<note" * 50),  # the needed text only before them
        ("a#b<note x", "a|b<note x"),
        ("a#<note x</note>z!b#<note", "a|b|<note"),
        ("<note x</note>z!", None),
    ],
)
def test_given_up(text: str, content: str | None) -> None:
    parser = compile_template(SPEC).Parser("")
    for character in text:
        parser.feed(character)
    message, _ = parser.finalize()
    assert message.get("content") == content
    assert parser._past == {_watch_of(compile_template(SPEC))}
    assert compile_template(SPEC).parse(text, prefix="") == message


def test_not_given_up_while_one_may_come() -> None:
    parser = compile_template(SPEC).Parser.__new__(compile_template(SPEC).Parser)
    parser._begin({}, "raise", 0)
    text = "a#b#<note x</note>"
    parser._buffer, parser._final = text, True
    watch = _watch_of(compile_template(SPEC))
    assert parser._nearer(watch) is watch
    parser._position = len("a#b#<")
    assert parser._nearer(watch) is watch.near
    assert parser._past == {watch}


def _watch_of(compiled: Any) -> Any:
    return compiled.Parser.in_content.__globals__["IN_CONTENT"]
