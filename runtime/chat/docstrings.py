"""Reads Google-style docstrings: what a function does, what its arguments are, what it returns.

    Looks a word up.                  description  "Looks a word up."

    Args:                        ->   arguments    {"word": "The word, in small letters."}
        word (str): The word,
            in small letters.

    Returns:                          returns      "What it means."
        What it means.

The rules are those of transformers 5.24.0, its odd ones included.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class FunctionDocs(NamedTuple):
    """What a docstring says, line ends within an argument's text turned into spaces."""

    description: str
    arguments: dict[str, str]  # argument -> its text, which may be empty
    returns: str | None  # None: it has no such section


def read_docstring(text: str) -> FunctionDocs:
    """The parts of a docstring, given as `inspect.getdoc` cleans it and without outer space.

    The description ends at the first `Args:`, `Returns:` or `Raises:`, wherever that stands. A
    section begins only at a heading with a line of its own, which cannot be the first line.
    """
    arguments = _under("Args:", text, until="Returns:|Raises:")
    returns = _under("Returns:", text, until="Raises:")
    return FunctionDocs(
        description=_before("Args:|Returns:|Raises:", text).strip(),
        arguments={} if arguments is None else _texts_of_arguments(arguments),
        returns=None if returns is None else returns.strip(),
    )


def _before(headings: str, text: str) -> str:
    return re.split(headings, text, maxsplit=1)[0]


def _under(heading: str, text: str, until: str) -> str | None:
    found = re.search(rf"\n[^\S\n]*{heading}\n", text)
    return _before(until, text[found.end() :]) if found else None


def _texts_of_arguments(section: str) -> dict[str, str]:
    """Argument -> text, of lines `name: text` or `name (type): text`.

    A line that is indented deeper than the last argument's, or is not of that form, continues its
    text; so does whatever follows an argument without any. Of equal names the last wins.
    """
    texts: dict[str, str] = {}
    name, deeper = "", (" ", "\t")
    for line in section.split("\n"):
        if not line.strip():
            continue
        entry = re.match(r"([ \t]*)(\w+)(?:[ \t]*\([^()]*\))?:", line)
        if name and (not entry or not texts[name] or line.startswith(deeper)):
            texts[name] = f"{texts[name]} {line.strip()}".lstrip()
        elif entry:
            indentation, name = entry.groups()
            deeper = (indentation + " ", indentation + "\t")
            texts[name] = line[entry.end() :].strip()
    return texts
