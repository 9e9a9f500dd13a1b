r"""Read the inside of a set such as `[^a-z\d]` into class members."""

from __future__ import annotations

from collections.abc import Sequence

from compiler.delimiters.escapes import EscapeError, member
from compiler.delimiters.nodes import ClassMember, Property, Range


class SetError(ValueError):
    """A set that cannot be read; `index` is that of the token at fault."""

    def __init__(self, message: str, index: int) -> None:
        super().__init__(message)
        self.index = index


def read_set(tokens: Sequence[str]) -> tuple[tuple[ClassMember, ...], bool]:
    """The members of a set, and whether it is negated. The tokens are its opening, then the rest.

    Raises SetError for a range whose end comes before its start, and for escapes without meaning.
    """
    opening = tokens[0]
    texts = ["]" if opening.endswith("]") else "", *tokens[1:]]  # `[]` starts with a literal ]
    members: list[ClassMember] = []
    index = 0 if texts[0] else 1
    while index < len(texts):
        start = _single(texts[index], index)
        is_range = isinstance(start, Range) and texts[index + 1 : index + 2] == ["-"]
        if is_range and index + 2 < len(texts):
            members += _range(start, _single(texts[index + 2], index + 2), index)
            index += 3
        else:
            members.append(start)
            index += 1
    return tuple(dict.fromkeys(members)), opening.startswith("[^")


def _range(start: ClassMember, end: ClassMember, index: int) -> list[ClassMember]:
    if not isinstance(start, Range) or not isinstance(end, Range):
        return [start, Range("-", "-"), end]  # `[a-\d]`: the hyphen is literal
    if start.first > end.first:
        raise SetError("a range ends before it starts", index)
    return [Range(start.first, end.first)]


def _single(text: str, index: int) -> ClassMember:
    if text.startswith("[:") and len(text) > 1:
        return Property(text)
    if len(text) == 1:
        return Range(text, text)
    try:
        return member(text, in_set=True)
    except EscapeError as error:
        raise SetError(str(error), index) from None
