"""A chat template where it lies: a .jinja file, or a string in a JSON file."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from compiler.diagnostics import Location
from compiler.frontend.json_positions import offset_in_string, read_positions
from compiler.lint.problems import Edit
from compiler.source import location_at


@dataclass(frozen=True)
class ChatSource:
    """A chat template in a file's text: all of it, or the JSON string at `base_pointer`."""

    display: str
    file_text: str
    base_pointer: str = ""

    @cached_property
    def text(self) -> str:
        """The template as jinja2 reads it: every line ends with \\n."""
        return re.sub(r"\r\n?", "\n", self._stored)

    def locate(self, pointer: str, offset: int | None = None, on_key: bool = False) -> Location:
        """The place of character `offset` of `text`."""
        return location_at(self.display, self.file_text, self._file_offset(offset or 0))

    def edit(self, start: int, end: int, replacement: str) -> Edit:
        """`text[start:end]` becomes `replacement`, as an edit of the file."""
        written = json.dumps(replacement)[1:-1] if self.base_pointer else replacement
        return Edit(self._file_offset(start), self._file_offset(end), written)

    @cached_property
    def _stored(self) -> str:
        if not self.base_pointer:
            return self.file_text
        value: Any = json.loads(self.file_text)
        for part in self.base_pointer.split("/")[1:]:
            key = part.replace("~1", "/").replace("~0", "~")
            value = value[int(key)] if isinstance(value, list) else value[key]
        assert isinstance(value, str)
        return value

    @cached_property
    def _start(self) -> int:
        return read_positions(self.file_text).values[self.base_pointer]

    @cached_property
    def _double_line_ends(self) -> list[int]:
        """Where in `text` a line ends that ends with two characters in the file."""
        ends = [match.start() for match in re.finditer("\r\n", self._stored)]
        return [end - number for number, end in enumerate(ends)]

    def _file_offset(self, offset: int) -> int:
        stored = offset + bisect_left(self._double_line_ends, offset)
        if not self.base_pointer:
            return stored
        return offset_in_string(self.file_text, self._start, stored)
