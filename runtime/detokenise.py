"""Token ids as text, piece by piece: a character is never cut, wherever its ids are.

Of a vocabulary that is a mapping every id has its own bytes. A tokenizer that can only decode whole
lists is asked for the text with and without the new ids, a few ids before them included.

Both ways are used alike, for the ids of one stream, in order. `markers` are the texts of special
ids, and `marker` is that of one id, None if it is not special. `text` of other ids is what is now
known of it: an incomplete character at its end is held back. `end` is what was held back, which
nothing will complete any more. `pass_over` takes note of a special id that comes next, when nothing
is held back. `state` is what is held back and needed, as JSON data; `restore` goes on from such
data, and raises KeyError, TypeError or ValueError if it is none.
"""

from __future__ import annotations

import codecs
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from runtime.pieces import pieces_by_id

_NO_CHARACTER = "\ufffd"  # how ids decode that are not a whole character, or none at all
_LONGEST = 4  # bytes of a character, and so ids that one may be spread over
_CONTEXT = 8  # ids that are enough to decode those after them
_MOST = _CONTEXT * _LONGEST  # ids that are decoded again and again


def detokeniser_of(
    vocab: Any, markers: Collection[str], special_ids: Collection[int] | None
) -> Detokeniser:
    """For a vocabulary that is a mapping, or a tokenizer with `decode`.

    `markers` are the texts of special tokens. Raises TypeError for any other vocabulary, ValueError
    if none of them is the text of a special id.
    """
    detokeniser = _detokeniser(vocab, markers, special_ids)
    if not set(markers) & set(detokeniser.markers):
        raise ValueError(f"the vocabulary has none of the special tokens {', '.join(markers)}")
    return detokeniser


def _detokeniser(
    vocab: Any, markers: Collection[str], special_ids: Collection[int] | None
) -> Detokeniser:
    if isinstance(vocab, Mapping):
        return MappedIds(pieces_by_id(vocab, markers), markers, special_ids)
    tokenizer = Tokenizer(vocab)
    if special_ids is not None:
        return DecodedIds(tokenizer, {token: tokenizer.special(token) for token in special_ids})
    found = {text: tokenizer.id_of(text) for text in markers}
    special = {token: text for text, token in found.items() if token is not None}
    return DecodedIds(tokenizer, special)


class Tokenizer:
    """What is asked of a tokenizer of `tokenizers` or transformers, which name it in two ways."""

    def __init__(self, tokenizer: Any) -> None:
        names = ["decode", "id_to_token", "token_to_id"]
        self._options = {"skip_special_tokens": False}
        if hasattr(tokenizer, "convert_ids_to_tokens"):
            names[1:] = ["convert_ids_to_tokens", "convert_tokens_to_ids"]
            # Cleaning up takes back characters that are out by then.
            self._options["clean_up_tokenization_spaces"] = False
        try:
            self._decode, self._piece, self._id = (getattr(tokenizer, name) for name in names)
        except AttributeError:
            message = "vocab is a mapping of ids and their pieces, or a tokenizer"
            raise TypeError(message) from None

    def decode(self, tokens: Sequence[int]) -> str:
        text: str = self._decode(list(tokens), **self._options)
        return text

    def has(self, token: int) -> bool:
        """Whether the id is known; one that is not would be left out of the text."""
        try:
            return self._piece(token) is not None
        except (OverflowError, LookupError):
            return False

    def id_of(self, text: str) -> int | None:
        """The id of the token with this text; for others transformers has the unknown id."""
        token: int | None = self._id(text)
        return None if token is None or self._piece(token) != text else token

    def special(self, token: int) -> str:
        """The text of a special id; ValueError if it is unknown."""
        if not self.has(token):
            raise _unknown(token)
        return self.decode([token])


def _unknown(token: int) -> ValueError:
    return ValueError(f"the vocabulary has no id {token}")


class MappedIds:
    """By a mapping; an id is special if its text is a marker, or as `special_ids` say."""

    def __init__(
        self,
        vocab: Mapping[int, str | bytes],
        markers: Collection[str],
        special_ids: Collection[int] | None,
    ) -> None:
        self._vocab = vocab
        self._special_ids = None if special_ids is None else frozenset(special_ids)
        special = map(self._bytes, special_ids or ())
        self.markers = markers if special_ids is None else [_text_of(each) for each in special]
        self._special = frozenset(map(_bytes_of, self.markers))
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def marker(self, token: int) -> str | None:
        piece = self._bytes(token)
        known = self._special_ids
        is_special = piece in self._special if known is None else token in known
        return _text_of(piece) if is_special else None

    def text(self, tokens: Sequence[int]) -> str:
        return self._decoder.decode(b"".join(map(self._bytes, tokens)))

    def end(self) -> str:
        return self._decoder.decode(b"", True)

    def pass_over(self, token: int) -> None:
        pass

    def state(self) -> dict[str, Any]:
        return {"bytes": self._decoder.getstate()[0].hex()}

    def restore(self, data: Mapping[str, Any]) -> None:
        self._decoder.setstate((bytes.fromhex(data["bytes"]), 0))

    def _bytes(self, token: int) -> bytes:
        try:
            return _bytes_of(self._vocab[token])
        except KeyError:
            raise _unknown(token) from None


def _bytes_of(piece: str | bytes) -> bytes:
    # Surrogates are no text: their bytes decode as other wrong bytes do.
    return piece.encode("utf-8", "surrogatepass") if isinstance(piece, str) else piece


def _text_of(piece: bytes) -> str:
    return piece.decode("utf-8", "replace")


class DecodedIds:
    """By a tokenizer, which decodes lists of ids; `special` are the texts of special ids."""

    def __init__(self, tokenizer: Tokenizer, special: Mapping[int, str]) -> None:
        self._tokenizer = tokenizer
        self._decode = tokenizer.decode
        self._special = special
        self._known = set(special)  # ids that the tokenizer has
        self.markers: Collection[str] = special.values()
        self._window: list[int] = []  # ids whose text is out, as context; then those held back
        self._held = 0  # ids that were added since text came out last
        self._out = ""  # what is out of the window's text

    def marker(self, token: int) -> str | None:
        if token not in self._known:
            if not self._tokenizer.has(token):
                raise _unknown(token)
            self._known.add(token)
        return self._special.get(token)

    def text(self, tokens: Sequence[int]) -> str:
        if not tokens:
            return ""
        window = [*self._window, *tokens]
        text = self._decode(window)
        if text.startswith(self._out) and _NO_CHARACTER not in text[len(self._out) :]:
            return self._settled(window, text, text[len(self._out) :])
        # Which bytes are wrong may depend on those after them: one id after the other decides.
        return "".join(map(self._text_of_one, tokens))

    def end(self) -> str:
        if not self._held:
            return ""
        text = self._decode(self._window)
        return self._settled(self._window, text, self._new(self._window, text, self._held))

    def pass_over(self, token: int) -> None:
        self._begin_behind([*self._window, token])

    def state(self) -> dict[str, Any]:
        return {"window": list(self._window), "held": self._held, "out": self._out}

    def restore(self, data: Mapping[str, Any]) -> None:
        window, held, out = data["window"], data["held"], data["out"]
        if not all(type(number) is int for number in (*window, held)) or type(out) is not str:
            raise TypeError("ids and counts are numbers, and what is out is text")
        self._window, self._held, self._out = list(window), held, out

    def _text_of_one(self, token: int) -> str:
        window = [*self._window, token]
        text = self._decode(window)
        new = self._new(window, text, self._held + 1)
        if not new.endswith(_NO_CHARACTER):
            return self._settled(window, text, new)
        self._held += 1
        ready = new.rstrip(_NO_CHARACTER)
        if not ready and self._held >= _LONGEST:  # too many ids for one character
            ready = new[:-1]
        if ready:
            self._held = 1
        if len(window) > _MOST:
            window = window[_CONTEXT:]
            text = self._decode(window)
        self._window = window
        self._out = text[: max(0, len(text) - (len(new) - len(ready)))]
        return ready

    def _new(self, window: Sequence[int], text: str, added: int) -> str:
        """What the window's text has beyond what is out."""
        if text.startswith(self._out):
            return text[len(self._out) :]
        # A decoder that changes what is out: nothing is lost if the new ids stand for themselves.
        return self._decode(window[-added:])

    def _settled(self, window: list[int], text: str, new: str) -> str:
        """All of the window's text is out; keep what the next ids need to be decoded."""
        if new or self._held:
            self._begin_behind(window)
        elif len(window) <= _MOST:
            # Such ids may matter to those after them, but any number of them does no more.
            self._window, self._out = window, text
        return new

    def _begin_behind(self, window: list[int]) -> None:
        self._held = 0
        for size in range(1, min(_CONTEXT, len(window))):
            known = self._decode(window[-size:])
            if known and _NO_CHARACTER not in known:
                self._window, self._out = window[-size:], known
                return
        self._window = window[-_CONTEXT:]
        self._out = self._decode(self._window)


Detokeniser = MappedIds | DecodedIds
