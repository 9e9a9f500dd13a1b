"""The `json` content parser for the ways in which models bend JSON.

The body is rewritten into JSON in four steps, each of which reads it once:

    body                           {name: <q>a "b"</q>}
    cut out delimited strings      {name: \x010\x02}
    quote bare keys                {"name": \x010\x02}
    put the strings back as JSON   {"name": "a \"b\""}
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from runtime.content.json_text import describe_json_error
from runtime.unicode_classes import SPACE, WORD


def parse_json_dialect(
    body: str,
    *,
    unquoted_keys: bool = False,
    string_delims: Sequence[tuple[str, str]] = (),
    allow_non_json: bool = False,
    strip: bool = True,
) -> Any:
    r"""The value of the JSON-like text (v1, `json`).

    `unquoted_keys`: keys may be bare words. `string_delims`: pairs of opener and closer between
    which a string stands as it is; text with `\x01` or `\x02` in it is then refused.
    `allow_non_json`: text that is not JSON is itself the value, without white space at its ends
    if `strip`.

    Raises ValueError for text that is not JSON and for an integer of more digits than the
    interpreter allows, RecursionError for lists and dicts nested too deeply.
    """
    text = body
    strings: list[str] = []
    if string_delims:
        _refuse_marks(body)
    for opener, closer in string_delims:
        text = _cut_strings(text, opener, closer, strings)
    if unquoted_keys:
        text = _quote_keys(text)
    if strings:
        text = _put_back(text, strings)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        if allow_non_json:
            return body.strip() if strip else body
        rewritten = "" if text == body else ", in the text rewritten as JSON"
        raise ValueError(describe_json_error(error) + rewritten) from error


def _refuse_marks(body: str) -> None:
    if "\x01" in body or "\x02" in body:
        raise ValueError(r"text with \x01 or \x02 cannot be read with string_delims")


def _cut_strings(text: str, opener: str, closer: str, strings: list[str]) -> str:
    """Move each delimited string into `strings`; its number there, between marks, stands for it."""
    if not (opener or closer):
        raise ValueError("string_delims: opener and closer are both empty")
    pieces = []
    position = 0
    while (start := text.find(opener, position)) >= 0:
        inside = start + len(opener)
        end = text.find(closer, inside)
        if end < 0:
            break
        pieces += [text[position:start], f"\x01{len(strings)}\x02"]
        strings.append(text[inside:end])
        position = end + len(closer)
    pieces.append(text[position:])
    return "".join(pieces)


def _put_back(text: str, strings: list[str]) -> str:
    return re.sub("\x01([0-9]+)\x02", lambda mark: json.dumps(strings[int(mark[1])]), text)


def _quote_keys(text: str) -> str:
    """`{a: "{b: 1"}` -> `{"a": "{b: 1"}`: keys are quoted outside double quotes only."""
    return _json_string_or_key().sub(_quote_key, text)


def _quote_key(found: re.Match[str]) -> str:
    if found["key"] is None:
        return found[0]
    return f'{found["before"]}"{found["key"]}"{found["after"]}:'


@cache
def _json_string_or_key() -> re.Pattern[str]:
    # A string without its closing quote is taken up to the end: such text is not JSON anyway, and
    # looking for a string behind each of its escaped quotes would take quadratic time.
    string = r'"[^"\\]*(?:\\.[^"\\]*)*"?'
    # The set of word characters is slow to say no, so ASCII does not get to ask it.
    other_word = rf"(?![\0-\x7f])[{WORD}]+"
    word = f"[0-9A-Z_a-z]+(?:{other_word})?|{other_word}"
    key = f"(?P<before>[{{,][{SPACE}]*)(?P<key>{word})(?P<after>[{SPACE}]*):"
    return re.compile(f"{string}|{key}")
