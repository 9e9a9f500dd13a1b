"""Vocabularies as tokenizers keep them: ids give the text that the tokenizer decodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler import compile_template
from runtime.pieces import pieces_by_id
from tests.runtime.test_detokenise import TEXT, byte_fallback, byte_level, decoded, special_id
from tests.runtime.test_token_ids import COMPILED, SPECIAL, cut, ids_fed

tokenizers = pytest.importorskip("tokenizers")
Direction = Callable[[Mapping[str, int]], Mapping[Any, Any]]

DIRECTIONS = pytest.mark.parametrize(
    "direction", [dict, lambda vocab: {token: piece for piece, token in vocab.items()}]
)
TEXTS = st.lists(st.sampled_from([*TEXT.split(" "), " ", "\n", "Ġ", "é ", "▁", "€"])).map("".join)
PLACES = st.lists(st.integers(0, 60), max_size=5)
KINDS: list[tuple[Mapping[Any, Any], list[int]]] = [
    ({2: "Ġhello", 3: "Ċ", 4: "Ã", 5: "©"}, [2, 3, 4, 5]),
    ({2: "▁hello", 3: "<0x0A>", 4: "<0xC3>", 5: "<0xa9>"}, [2, 3, 4, 5]),
    ({"▁hello": 2, "\n": 3, "é": 4}, [2, 3, 4]),
    ({2: b" hello", 3: "\n", 4: b"\xc3", 5: b"\xa9"}, [2, 3, 4, 5]),
    ({b" hello": 2, b"\n": 3, b"\xc3": 4, b"\xa9": 5}, [2, 3, 4, 5]),
    ({2: " hello", 3: "\n", 4: "é"}, [2, 3, 4]),
    ({" hello": 2, "\n": 3, "é": 4}, [2, 3, 4]),
]


def without_markers(text: str) -> str:
    for marker in SPECIAL:
        text = text.replace(marker, "")
    return text


@DIRECTIONS
@given(TEXTS, PLACES)
def test_byte_level_pieces(direction: Direction, text: str, places: list[int]) -> None:
    vocab = direction(byte_level().get_vocab())
    ids = byte_level().encode(without_markers(text)).ids
    assert decoded(vocab, cut(ids, places)) == byte_level().decode(ids)


@DIRECTIONS
@given(st.lists(st.integers(0, 255), max_size=30), PLACES)
def test_bytes_that_are_no_character(
    direction: Direction, ids: list[int], places: list[int]
) -> None:
    alphabet = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    ids = [byte_level().token_to_id(alphabet[number]) for number in ids]
    vocab = direction(byte_level().get_vocab())
    assert decoded(vocab, cut(ids, places)) == byte_level().decode(ids)


@DIRECTIONS
@given(TEXTS, PLACES)
def test_sentence_pieces(direction: Direction, text: str, places: list[int]) -> None:
    """A tokenizer may drop a space at the start, which only some of them do."""
    vocab = direction(byte_fallback().get_vocab())
    ids = byte_fallback().encode("x" + without_markers(text)).ids
    assert decoded(vocab, cut(ids, places)) == byte_fallback().decode(ids)


@pytest.mark.parametrize(("vocab", "ids"), KINDS)
def test_each_kind_of_mapping(vocab: Mapping[Any, Any], ids: list[int]) -> None:
    markers = dict(zip(SPECIAL, range(10, 20), strict=False))
    by_id = isinstance(next(iter(vocab)), int)
    whole = {**({token: text for text, token in markers.items()} if by_id else markers), **vocab}
    message = repr({"content": " hello\né"})
    assert ids_fed([ids], whole).message == message
    assert ids_fed([[token] for token in ids], whole).message == message
    assert ids_fed([ids], COMPILED.Parser.read_vocab(whole)).message == message


@pytest.mark.parametrize("make", [byte_level, byte_fallback])
def test_special_tokens_are_found(make: Any) -> None:
    tokenizer = make()
    vocab = tokenizer.get_vocab()
    think, end = (special_id(tokenizer, marker) for marker in ("<think>", "</think>"))
    quoted = [vocab["<"], *tokenizer.encode("/think>").ids]
    ids = [think, *quoted, end, *tokenizer.encode("hi").ids]
    message = repr({"reasoning": "</think>", "content": "hi"})
    assert ids_fed([ids], vocab).message == message
    only = COMPILED.Parser("", vocab=vocab, special_ids=[think, end])
    only.feed_ids(ids)
    assert repr(only.finalize()[0]) == message


def test_tokens_that_were_added_are_text() -> None:
    """Special ones also where SentencePiece's space is in them, as in DeepSeek's."""
    marker = "<｜tool▁call▁begin｜>"
    for pieces in ({"Ġ": 1, "<｜a｜>": 2, marker: 3}, {"▁": 1, "<｜a｜>": 2, marker: 3}):
        read = pieces_by_id(pieces, [marker])
        assert read == {1: b" ", 2: "<｜a｜>".encode(), 3: marker}
    spec = {"dialect": "extended-1", "start_anchor": "<bot>", "special": [marker]}
    fields = {"calls": {"open": marker}, "content": {}}
    parse_ids = compile_template({**spec, "fields": fields}).parse_ids
    assert parse_ids
    message = parse_ids([1, 3, 2], prefix="", vocab={"▁": 1, "<｜a｜>": 2, marker: 3})
    assert message == {"content": " ", "calls": "<｜a｜>"}


def test_what_is_decoded_already_is_taken_as_it_is() -> None:
    for vocab in ({1: " the", 2: "Ġ"}, {1: b"x", 2: "▁"}, {1: "é", 2: "a▁"}, {}):
        assert pieces_by_id(vocab, SPECIAL) is vocab


def test_a_read_vocabulary_is_not_read_again() -> None:
    read = COMPILED.Parser.read_vocab(byte_level().get_vocab())
    assert pieces_by_id(read, SPECIAL) is read
