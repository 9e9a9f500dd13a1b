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
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

_NO_CHARACTER = "\ufffd"  # how ids decode that are not a whole character, or none at all
_LONGEST = 4  # bytes of a character, and so ids that one may be spread over
_CONTEXT = 8  # ids that are enough to decode those after them
_MOST = _CONTEXT * _LONGEST  # ids that are decoded again and again


def detokeniser_of(
    vocab: Any, markers: Collection[str], special_ids: Collection[int] | None
) -> Detokeniser:
    """For a mapping from ids to text or bytes, or a tokenizer with `decode`.

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
        return MappedIds(vocab, markers, special_ids)
    decode = getattr(vocab, "decode", None)
    if decode is None:
        raise TypeError("vocab is a mapping from ids to text or bytes, or a tokenizer")

    def text_of(tokens: Sequence[int]) -> str:
        text: str = decode(list(tokens), skip_special_tokens=False)
        return text

    if special_ids is not None:
        return DecodedIds(text_of, {token: text_of([token]) for token in special_ids})
    found = {text: _id_of(vocab, text) for text in markers}
    special = {token: text for text, token in found.items() if token is not None}
    return DecodedIds(text_of, special)


def _id_of(tokenizer: Any, text: str) -> int | None:
    """The id of a token: of `tokenizers`, or of transformers, where others have the unknown id."""
    if hasattr(tokenizer, "token_to_id"):
        token: int | None = tokenizer.token_to_id(text)
        return token
    token = tokenizer.convert_tokens_to_ids(text)
    if token is None or tokenizer.convert_ids_to_tokens(token) != text:
        return None
    return token


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
            raise ValueError(f"the vocabulary has no id {token}") from None


def _bytes_of(piece: str | bytes) -> bytes:
    # Surrogates are no text: their bytes decode as other wrong bytes do.
    return piece.encode("utf-8", "surrogatepass") if isinstance(piece, str) else piece


def _text_of(piece: bytes) -> str:
    return piece.decode("utf-8", "replace")


class DecodedIds:
    """By a function that decodes lists of ids; `special` are the texts of special ids."""

    def __init__(self, decode: Callable[[Sequence[int]], str], special: Mapping[int, str]) -> None:
        self._decode = decode
        self._special = special
        self.markers: Collection[str] = special.values()
        self._window: list[int] = []  # ids whose text is out, as context; then those held back
        self._held = 0  # ids that were added since text came out last
        self._given = 0  # characters of the window's text that are out

    def marker(self, token: int) -> str | None:
        return self._special.get(token)

    def text(self, tokens: Sequence[int]) -> str:
        if not tokens:
            return ""
        window = [*self._window, *tokens]
        text = self._decode(window)
        if _NO_CHARACTER not in text[self._given :]:
            return self._settled(window, text)
        # Which bytes are wrong may depend on those after them: one id after the other decides.
        return "".join(map(self._text_of_one, tokens))

    def end(self) -> str:
        text = self._decode(self._window) if self._held else ""
        return self._settled(self._window, text) if text else ""

    def pass_over(self, token: int) -> None:
        self._settled([*self._window, token], None)

    def state(self) -> dict[str, Any]:
        return {"window": list(self._window), "held": self._held, "given": self._given}

    def restore(self, data: Mapping[str, Any]) -> None:
        window, held, given = data["window"], data["held"], data["given"]
        if not all(type(number) is int for number in (*window, held, given)):
            raise TypeError("ids and counts are numbers")
        self._window, self._held, self._given = list(window), held, given

    def _text_of_one(self, token: int) -> str:
        window = [*self._window, token]
        text = self._decode(window)
        new = text[self._given :]
        if not new.endswith(_NO_CHARACTER):
            return self._settled(window, text)
        self._held += 1
        ready = new.rstrip(_NO_CHARACTER)
        if not ready and self._held >= _LONGEST:  # too many ids for one character
            ready = new[:-1]
        self._window = window
        if ready:
            self._held = 1
            self._given += len(ready)
        if len(window) > _MOST:
            left = len(text) - self._given
            self._window = window[_CONTEXT:]
            self._given = max(0, len(self._decode(self._window)) - left)
        return ready

    def _settled(self, window: list[int], text: str | None) -> str:
        """All of the window's text is out; keep what the next ids need to be decoded."""
        new = "" if text is None else text[self._given :]
        if text is not None and not new and not self._held:
            # Such ids may matter to those after them, but any number of them does no more.
            self._window = window if len(window) <= _MOST else self._window
            return ""
        self._held = 0
        for size in range(1, min(_CONTEXT, len(window))):
            known = self._decode(window[-size:])
            if known and _NO_CHARACTER not in known:
                self._window, self._given = window[-size:], len(known)
                return new
        self._window = window[-_CONTEXT:]
        self._given = len(self._decode(self._window))
        return new


Detokeniser = MappedIds | DecodedIds
