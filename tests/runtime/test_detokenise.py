"""Ids of real tokenizers as text: no character cut, and all of what the tokenizer decodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from runtime.detokenise import DecodedIds, Tokenizer, detokeniser_of
from tests.runtime.test_token_ids import COMPILED, SPECIAL, cut, ids_fed

tokenizers = pytest.importorskip("tokenizers")

TEXT = "Nice work 🎉 mañana 你好, the weather, <think> the call </call>."


@cache
def byte_level() -> Any:
    """As GPT-2 and most models since: bytes, merged."""
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
    trainer = tokenizers.trainers.BpeTrainer(vocab_size=330, initial_alphabet=alphabet)
    tokenizer.train_from_iterator([TEXT.replace("🎉", "")], trainer)
    tokenizer.add_special_tokens(SPECIAL)
    return tokenizer


@cache
def byte_fallback() -> Any:
    """As Llama 2 and Gemma: words with "▁" for the space, bytes for what has no token."""
    pieces = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256)), "▁", *"Nicework<>/thalknñ▁,."]
    vocab = {piece: token for token, piece in enumerate(dict.fromkeys(pieces))}
    model = tokenizers.models.BPE(vocab, [], unk_token="<unk>", byte_fallback=True)
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.normalizer = tokenizers.normalizers.Replace(" ", "▁")
    decoders = tokenizers.decoders
    tokenizer.decoder = decoders.Sequence(
        [
            decoders.Replace("▁", " "),
            decoders.ByteFallback(),
            decoders.Fuse(),
            decoders.Strip(" ", 1, 0),
        ]
    )
    tokenizer.add_special_tokens(SPECIAL)
    return tokenizer


@cache
def of_transformers() -> Any:
    transformers = pytest.importorskip("transformers")
    return transformers.PreTrainedTokenizerFast(tokenizer_object=byte_level())


TOKENIZERS = pytest.mark.parametrize("make", [byte_level, byte_fallback, of_transformers])


def plain_ids(tokenizer: Any, text: str) -> list[int]:
    """Ids of text in which no marker counts as one."""
    pieces = [text]
    for marker in SPECIAL:
        pieces = [half for piece in pieces for half in _halves(piece, marker)]
    ids: list[int] = []
    for piece in pieces:
        encoded = tokenizer.encode(piece)
        ids += encoded.ids if hasattr(encoded, "ids") else encoded
    return ids


def _halves(text: str, marker: str) -> Iterable[str]:
    first, *others = text.split(marker)
    yield first
    for other in others:
        yield from (marker[:2], marker[2:], other)


def special_id(tokenizer: Any, marker: str) -> int:
    find = getattr(tokenizer, "token_to_id", None) or tokenizer.convert_tokens_to_ids
    token: int = find(marker)
    return token


def decoded(vocab: Any, parts: Iterable[list[int]]) -> str:
    detokeniser = detokeniser_of(vocab, SPECIAL, None)
    return "".join([*map(detokeniser.text, parts), detokeniser.end()])


class Decoder:
    """A tokenizer of any texts, whose ids are from 0 to 999."""

    def __init__(self, text_of: Callable[[list[int]], str]) -> None:
        self.text_of = text_of

    def decode(self, ids: list[int], skip_special_tokens: bool) -> str:
        return self.text_of(ids)

    def id_to_token(self, token: int) -> str | None:
        return "" if 0 <= token < 1000 else None

    def token_to_id(self, text: str) -> None:
        return None


def decoding(text_of: Callable[[list[int]], str]) -> DecodedIds:
    return DecodedIds(Tokenizer(Decoder(text_of)), {})


@TOKENIZERS
def test_ids_give_the_text_that_the_tokenizer_decodes(make: Any) -> None:
    tokenizer = make()
    encoded = tokenizer.encode(TEXT.replace("<think>", "").replace("</call>", ""))
    ids = encoded.ids if hasattr(encoded, "ids") else encoded
    text = tokenizer.decode(ids)
    assert "🎉" in text and "你好" in text
    for size in (1, 2, 3, 7, len(ids)):
        assert decoded(tokenizer, [ids[at : at + size] for at in range(0, len(ids), size)]) == text


@TOKENIZERS
def test_special_ids_count_and_spelt_ones_do_not(make: Any) -> None:
    tokenizer = make()
    quoted, think, end = plain_ids(tokenizer, TEXT), *(
        special_id(tokenizer, marker) for marker in ("<think>", "</think>")
    )
    assert not {think, end} & set(quoted)
    for parts in ([[think, *quoted, end, *quoted]], [[t] for t in [think, *quoted, end, *quoted]]):
        outcome = ids_fed(parts, tokenizer, prefix_ids=[special_id(tokenizer, "<bot>")])
        message = outcome.message
        assert message.count("<think> the call </call>.") == 2
        assert "'reasoning'" in message and "'content'" in message


@example([0xFF] * 3 + list("你".encode()), [])
@given(st.lists(st.integers(0, 255), max_size=30), st.lists(st.integers(0, 30), max_size=5))
def test_any_bytes_in_any_chunks(some: list[int], places: list[int]) -> None:
    """Also ids that are no text at all."""
    alphabet = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    ids = [byte_level().token_to_id(alphabet[byte]) for byte in some]
    expected = byte_level().decode(ids)
    assert decoded(byte_level(), cut(ids, places)) == expected
    assert decoded(byte_level(), [ids]) == decoded(byte_level(), [[token] for token in ids])


@given(st.text(max_size=12), st.lists(st.integers(0, 60), max_size=5))
def test_any_text_by_its_bytes(text: str, places: list[int]) -> None:
    ids = [byte_fallback().token_to_id(f"<0x{byte:02X}>") for byte in text.encode()]
    expected = byte_fallback().decode(ids)
    assert decoded(byte_fallback(), cut(ids, places)) == expected


@example([33, 33], [])  # two spaces, of which the first is dropped
@given(st.lists(st.integers(1, 280), max_size=30), st.lists(st.integers(0, 60), max_size=5))
def test_any_ids_in_any_chunks_are_the_same_text(ids: list[int], places: list[int]) -> None:
    """With bytes that make no character, all bytes beside them are none for this tokenizer."""
    one_by_one = decoded(byte_fallback(), [[token] for token in ids])
    assert decoded(byte_fallback(), cut(ids, places)) == one_by_one


@given(st.lists(st.binary(min_size=1, max_size=5), max_size=30))
def test_tokens_that_lie_across_characters(pieces: list[bytes]) -> None:
    detokeniser = decoding(lambda ids: b"".join(pieces[i] for i in ids).decode("utf-8", "replace"))
    shown = "".join(detokeniser.text([token]) for token in range(len(pieces))) + detokeniser.end()
    assert shown == b"".join(pieces).decode("utf-8", "replace")


@pytest.mark.parametrize("unit", [b"a", b"\xff", b"", b"\xa0\xe5\xa5\xbd\xe4\xbd", b"\xf0\x9f"])
def test_each_id_is_decoded_a_few_times(unit: bytes) -> None:
    work = 0

    def decode(ids: Any) -> str:
        nonlocal work
        work += len(ids)
        return bytes(unit * len(ids)).decode("utf-8", "replace")

    detokeniser = decoding(decode)
    for token in range(1000):
        detokeniser.text([token])
    assert work < 1000 * 100


def test_a_tokenizer_without_the_tokens_is_refused() -> None:
    with pytest.raises(ValueError, match="has none of the special tokens <other>"):
        detokeniser_of(byte_level(), ["<other>"], None)
    with pytest.raises(ValueError, match="has none"):
        detokeniser_of(of_transformers(), ["<other>"], None)
    of_transformers().unk_token = "<q>"
    with pytest.raises(ValueError, match="has none"):
        detokeniser_of(of_transformers(), ["<other>"], None)


def test_a_marker_that_is_no_token_is_ordinary_text() -> None:
    tokenizer = tokenizers.Tokenizer.from_str(byte_level().to_str().replace("</call>", "</CALL>"))
    assert tokenizer.token_to_id("</call>") is None
    ids = [special_id(tokenizer, "<call>"), *tokenizer.encode('{"a": 1}</call>!').ids]
    expected = repr({"tool_calls": [{"a": 1}], "content": "!"})
    assert ids_fed([ids], tokenizer).message == expected
    special = {text: tokenizer.token_to_id(text) for text in SPECIAL}
    only = COMPILED.Parser(prefix="", vocab=tokenizer, special_ids=[special["<call>"]])
    only.feed_ids(ids)
    assert repr(only.finalize()[0]) == expected


def test_text_behind_a_special_token_is_not_at_the_start() -> None:
    space = byte_fallback().token_to_id("▁")
    think = special_id(byte_fallback(), "<think>")
    assert ids_fed([[space, think, space]], byte_fallback()).message == repr({"reasoning": " "})


def test_a_saved_parser_of_a_tokenizer_goes_on() -> None:
    ids = byte_level().encode(TEXT.replace("<think>", "")).ids
    for at in range(len(ids)):
        parser = COMPILED.Parser(prefix="", vocab=byte_level())
        events = parser.feed_ids(ids[:at])
        again = COMPILED.Parser.from_state(parser.state(), vocab=byte_level())
        events += again.feed_ids(ids[at:])
        message, _last = again.finalize()
        assert message == {"content": TEXT.replace("<think>", "")}


def cleaning_up() -> Any:
    """A tokenizer of transformers that takes spaces back where it decodes more."""
    transformers = pytest.importorskip("transformers")
    pieces = ["<unk>", "x = ['a',", " '", "my", "']", " .", "n't", " do", *SPECIAL]
    model = tokenizers.models.WordLevel({piece: i for i, piece in enumerate(pieces)}, "<unk>")
    words = tokenizers.Tokenizer(model)
    words.decoder = tokenizers.decoders.Fuse()
    words.add_special_tokens(SPECIAL)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, clean_up_tokenization_spaces=True
    )


@given(st.lists(st.integers(1, 7), max_size=12), st.lists(st.integers(0, 12), max_size=4))
def test_spaces_are_not_cleaned_up(ids: list[int], places: list[int]) -> None:
    tokenizer = cleaning_up()
    text = tokenizer.decode(ids, clean_up_tokenization_spaces=False)
    assert decoded(tokenizer, [ids]) == decoded(tokenizer, [[token] for token in ids]) == text
    assert decoded(tokenizer, cut(ids, places)) == text
    assert decoded(tokenizer, [[1], [2], [3], [4]]) == "x = ['a', 'my']"


@given(st.lists(st.integers(0, 3), max_size=12), st.lists(st.integers(0, 12), max_size=4))
def test_no_character_is_lost_where_decoding_changes_what_is_out(
    ids: list[int], places: list[int]
) -> None:
    pieces = ["a ", ".", "b", "c d "]
    detokeniser = decoding(lambda ids: "".join(pieces[i] for i in ids).replace(" .", "."))
    shown = "".join([*map(detokeniser.text, cut(ids, places)), detokeniser.end()])
    assert shown.replace(" ", "") == "".join(pieces[i] for i in ids).replace(" ", "")


@TOKENIZERS
@pytest.mark.parametrize("unknown", [99999, -1, 2**40])
def test_an_unknown_id_is_refused_and_nothing_is_taken(make: Any, unknown: int) -> None:
    tokenizer = make()
    think = special_id(tokenizer, "<think>")
    parser = COMPILED.Parser("", vocab=tokenizer)
    with pytest.raises(ValueError, match=f"no id {unknown}"):
        parser.feed_ids([think, unknown])
    parser.feed_ids(plain_ids(tokenizer, "think"))
    assert parser.finalize()[0] == {"content": "think"}
    assert COMPILED.parse_ids
    with pytest.raises(ValueError, match=f"no id {unknown}"):
        COMPILED.parse_ids([unknown], prefix="", vocab=tokenizer)
    with pytest.raises(ValueError, match=f"no id {unknown}"):
        COMPILED.Parser("", vocab=tokenizer, special_ids=[think, unknown])
