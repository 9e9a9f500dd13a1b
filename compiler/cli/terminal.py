"""What a command writes: data to stdout, talk to stderr, colour only for people."""

from __future__ import annotations

import json
import os
import sys
from typing import Any, TextIO

import click


class Unusable(click.ClickException):
    """Input that the command cannot work with: exit code 2."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        failed(self.message)


def data(text: str) -> None:
    """Write text to stdout, as UTF-8 whatever the locale says."""
    click.echo(text.encode("utf-8", "backslashreplace"), nl=False)


def data_json(value: Any, indent: int | None = None) -> None:
    """Write one JSON document and a line break to stdout."""
    data(f"{json_text(value, indent)}\n")


def json_text(value: Any, indent: int | None = None) -> str:
    """`value` as JSON that is also valid UTF-8: lone surrogates are escaped.

    NaN and the infinities are written as Python's json module writes them.
    """
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, indent=indent)
    return text


def say(text: str) -> None:
    """Tell people something: a line on stderr."""
    click.echo(text, err=True, color=has_color(sys.stderr))


def failed(text: str) -> None:
    """Tell people why nothing came of it."""
    label = click.style("error", fg="red", bold=True)
    say(f"{label}: {printable(text)}")


def warned(text: str) -> None:
    """Tell people what is not quite right."""
    label = click.style("warning", fg="yellow", bold=True)
    say(f"{label}: {printable(text)}")


def printable(text: str) -> str:
    """One line of text with control characters escaped: a template or a reply may hold any."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def has_color(stream: TextIO) -> bool:
    """Whether to colour the stream: a terminal, and NO_COLOR (no-color.org) is not set."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def counted(number: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
