"""The texts that are measured: ordinary replies, and texts made to be slow."""

from __future__ import annotations

import random
from dataclasses import dataclass

_WORDS = ["the", "of", "to", "in", "that", "it", "for", "weather", "was", "umbrella", "by", "one"]


@dataclass(frozen=True)
class Adversary:
    """A text that costs a naive parser more than linear time, and the models it is meant for."""

    name: str
    models: tuple[str, ...]
    unit: str  # repeated up to the wanted length
    start: str = ""

    def text(self, length: int) -> str:
        """The text at about `length` characters."""
        return self.start + self.unit * (max(0, length - len(self.start)) // len(self.unit))


ADVERSARIES = (
    Adversary("thousands of <", (), "<"),
    Adversary("< between words", (), "a < b "),
    Adversary("runs of spaces", (), " "),
    Adversary("white space before openers", (), " \n" * 40 + "x"),
    Adversary("half-open header", ("gpt_oss",), "word ", "<|channel|>commentary to=functions.f"),
    Adversary("headers that never end", ("gpt_oss", "inkling"), "<|channel|>analysis "),
    Adversary("closers with nothing open", (), "</think></tool_call>"),
    Adversary("openers and closers", (), "<think>a</think>"),
    Adversary("cut-off closers", (), "<think></thin"),
    Adversary("calls without arguments", ("qwen3_coder",), "<tool_call><function=f></tool_call>"),
    Adversary("open parameters", ("qwen3_coder",), "<parameter=a>", "<tool_call><function=f>"),
    Adversary("stop tokens", (), "<|im_end|>"),
)


def prose(length: int) -> str:
    """Ordinary text of exactly that length, with a `<` about every 200 characters."""
    choose = random.Random(1).choice
    pieces: list[str] = []
    size = since = 0
    while size < length:
        piece = choose(_WORDS) + (
            " < " if since > 195 else "\n" if choose("abcdefghij") == "a" else " "
        )
        since = 0 if since > 195 else since + len(piece)
        pieces.append(piece)
        size += len(piece)
    return "".join(pieces)[:length]


def chunks(text: str, size: int = 4) -> list[str]:
    """The text in pieces of `size` characters, as tokens would bring it."""
    return [text[start : start + size] for start in range(0, len(text), size)]
