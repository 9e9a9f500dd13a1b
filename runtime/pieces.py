"""Vocabularies as tokenizers keep them, whose pieces are in code: as the bytes of each id.

Byte-level BPE has a character for each byte, such as "Ġ" for the space. SentencePiece has "▁" for
the space, and "<0xE2>" for a byte.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Any


def pieces_by_id(vocab: Mapping[Any, Any], markers: Collection[str]) -> Mapping[int, str | bytes]:
    """The text or bytes of each id, of a mapping in either direction, its pieces in code or not.

    `markers`, the texts of special tokens, are not in code. What is not in code is taken as it is.
    """
    by_id = vocab
    if isinstance(next(iter(vocab), None), (str, bytes)):
        by_id = {token: piece for piece, token in vocab.items()}
    names = frozenset(markers)
    read = _reader(by_id.values(), names)
    if read is None:
        return by_id
    return {token: piece if piece in names else read(piece) for token, piece in by_id.items()}


def _reader(pieces: Collection[Any], names: frozenset[str]) -> Callable[[str], bytes] | None:
    """What reads the code that the pieces are in; None if they are in none."""
    if any(map(_is_no_code, pieces)):
        return None
    coded = [piece for piece in pieces if piece not in names]
    if any(map(_byte_piece().fullmatch, coded)):
        return _sentence_piece
    first = {piece[:1] for piece in coded}
    if first & {"Ġ", "Ċ"}:
        return _byte_level
    return _sentence_piece if "▁" in first else None


def _is_no_code(piece: Any) -> bool:
    """Bytes, or a word behind a space: no code leaves that, and decoded texts have it soon."""
    return not isinstance(piece, str) or (piece[:1] == " " and not piece.isspace())


def _byte_level(piece: str) -> bytes:
    try:
        return bytes(map(_byte_of_character().__getitem__, piece))
    except KeyError:  # a token that was added as text
        return piece.encode("utf-8", "surrogatepass")


@cache
def _byte_of_character() -> dict[str, int]:
    """The table of GPT-2: what is printable in Latin-1 is itself, the others follow from 256 on."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    table = {chr(byte): byte for byte in printable}
    table.update((chr(256 + number), byte) for number, byte in enumerate(others))
    return table


def _sentence_piece(piece: str) -> bytes:
    byte = _byte_piece().fullmatch(piece)
    if byte:
        return bytes([int(byte[1], 16)])
    return piece.replace("▁", " ").encode("utf-8", "surrogatepass")


@cache
def _byte_piece() -> re.Pattern[str]:
    return re.compile("<0x([0-9A-Fa-f]{2})>")
