"""Edits of method calls: `x.strip()` becomes `x|trim`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jinja2 import nodes

from compiler.lint.chat.reading import Token

Replacement = tuple[int, int, str]  # start, end, what comes there

_OPENER_OF = {")": "(", "]": "[", "}": "{"}

_WORDS = {"and", "or", "not", "in", "is", "if", "else", "elif"}

# What may stand before an operand whose filters are then its own; elsewhere it takes brackets.
_LOOSE = {"=", "==", "!=", "~", "(", ",", "and", "or", "if", "elif", "else", "in"}


def as_filter(
    tokens: Sequence[Token], call: nodes.Call, attribute: nodes.Getattr, filter_name: str
) -> Iterator[Replacement]:
    """The edits that make a filter of a method call.

    `tokens`: those of the tag, white space aside.
    """
    number_of = {token.start: number for number, token in enumerate(tokens)}
    dot, opening = number_of[attribute.lineno], number_of[call.lineno]
    closing = _closing(tokens, opening)
    first = _first_of_operand(tokens, dot)
    has_brackets = not _is_loose(tokens[:first]) or tokens[closing + 1].text in (".", "[", "(")
    has_arguments = closing > opening + 1
    after = ")" if has_brackets else ""
    if has_brackets:
        yield tokens[first].start, tokens[first].start, "("
    if has_arguments:
        yield tokens[dot].start, tokens[opening].end, f"|{filter_name}("
        yield tokens[closing].end, tokens[closing].end, after
    else:
        yield tokens[dot].start, tokens[closing].end, f"|{filter_name}{after}"


def _is_loose(before: Sequence[Token]) -> bool:
    """Whether an operand after these tokens may have filters."""
    last = before[-1]
    if last.text == "in":  # the operator, or the word of a loop, but not the test
        return before[-2].text != "is" and [token.text for token in before[-3:-1]] != ["is", "not"]
    return last.kind == "variable_begin" or last.text in _LOOSE


def _first_of_operand(tokens: Sequence[Token], dot: int) -> int:
    """The number of the first token of what stands before a dot."""
    first = dot - 1
    if _is_operator(tokens[first], *_OPENER_OF):
        first = _opening(tokens, first)
        is_call_or_item = tokens[first].text != "{" and _ends_operand(tokens[:first])
        return _first_of_operand(tokens, first) if is_call_or_item else first
    if _is_operator(tokens[first - 1], "."):
        return _first_of_operand(tokens, first - 1)
    while tokens[first].kind == tokens[first - 1].kind == "string":  # strings side by side are one
        first -= 1
    return first


def _ends_operand(tokens: Sequence[Token]) -> bool:
    """Whether the last of these tokens ends something to be called, or to take an item of."""
    last = tokens[-1]
    if last.kind == "name":
        return last.text not in _WORDS and tokens[-2].kind != "block_begin"
    return last.kind == "string" or _is_operator(last, *_OPENER_OF)


def _opening(tokens: Sequence[Token], closing: int) -> int:
    """The number of the bracket that the one at `closing` closes."""
    depth, number = 1, closing
    while depth:
        number -= 1
        depth += _is_operator(tokens[number], *_OPENER_OF)
        depth -= _is_operator(tokens[number], *_OPENER_OF.values())
    return number


def _closing(tokens: Sequence[Token], opening: int) -> int:
    """The number of the bracket that closes the one at `opening`."""
    depth, number = 1, opening
    while depth:
        number += 1
        depth += _is_operator(tokens[number], *_OPENER_OF.values())
        depth -= _is_operator(tokens[number], *_OPENER_OF)
    return number


def _is_operator(token: Token, *texts: str) -> bool:
    return token.kind == "operator" and token.text in texts
