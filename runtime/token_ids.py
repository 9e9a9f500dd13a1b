r"""A parser that takes token ids: a marker of one special token counts only as that token.

Where ordinary tokens spell such a marker, it is text: a guard, a character that no text has, is put
before its last character, so that no delimiter matches it.

    ids of  "Write "  "<th"  "ink>"  .     are fed as  "Write <think" GUARD ">."
    id of   "<think>"                      is fed as   "<think>"

States take the guards for text. Content parsers do not see them, but where they look for a special
marker themselves; what comes out of a parser has none.
"""

from __future__ import annotations

import operator
import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from runtime.api import OnePass, parse_one
from runtime.detokenise import detokeniser_of
from runtime.errors import StateError
from runtime.events import Event, Message
from runtime.parser import StreamParser, rest_of
from runtime.pieces import pieces_by_id

GUARD = "\udfff"  # a lone surrogate: neither bytes nor a tokenizer decode to it
_SAVED_GUARD = "\ufdd0"  # in a saved state, which may be written as UTF-8


class IdStream:
    """Ids on their way to text with guards, and where the guards are."""

    def __init__(
        self, vocab: Any, special: Sequence[str], special_ids: Collection[int] | None
    ) -> None:
        self.vocab = vocab
        self.special_ids = special_ids
        self.guards: list[int] = []  # places in the fed text
        self._fed = 0  # characters of it
        self._detokeniser = detokeniser_of(vocab, special, special_ids)
        known = [marker for marker in special if marker in self._detokeniser.markers]
        self._spelt = _end_of_any(known)
        self._overlap = max(map(len, known)) - 1
        self._tail = ""  # the last characters, in which a marker may have begun

    def text(self, tokens: Iterable[int]) -> str:
        """What the ids decide of the text. Raises ValueError for an id that is unknown."""
        ids = list(map(operator.index, tokens))
        markers = list(map(self._detokeniser.marker, ids))
        if not any(markers):
            return self._guarded(self._detokeniser.text(ids))
        pieces, start = [], 0
        for place, marker in enumerate(markers):
            if marker is not None:
                pieces.append(self._guarded(self._detokeniser.text(ids[start:place])))
                pieces += [self.end(), marker]
                self._detokeniser.pass_over(ids[place])
                self._remember(marker)
                start = place + 1
        pieces.append(self._guarded(self._detokeniser.text(ids[start:])))
        return "".join(pieces)

    def end(self) -> str:
        """The text of what was held back."""
        return self._guarded(self._detokeniser.end())

    def feed(self, text: str, start: int | None = None) -> str:
        """Note the guards of text that is fed now, from `start` if that is the first text."""
        if start is not None:
            self._fed = start
        if GUARD in text:
            self.guards += [self._fed + found.start() for found in re.finditer(GUARD, text)]
        self._fed += len(text)
        return text

    def place(self, fed: int) -> int:
        """A place of the fed text in the text without guards."""
        return fed - bisect_left(self.guards, fed) + bisect_left(self.guards, 0)

    def state(self) -> dict[str, Any]:
        """What `restore` needs, as JSON data."""
        return {
            "held": self._detokeniser.state(),
            "guards": list(self.guards),
            "fed": self._fed,
            "tail": self._tail,
        }

    def restore(self, data: Mapping[str, Any]) -> None:
        """Go on from a state; KeyError, TypeError or ValueError if it is none."""
        self._detokeniser.restore(data["held"])
        self.guards = list(data["guards"])
        self._fed, self._tail = operator.index(data["fed"]), data["tail"]
        if not all(type(place) is int for place in self.guards) or type(self._tail) is not str:
            raise TypeError("places are numbers, and the tail is text")

    def _guarded(self, text: str) -> str:
        if not text:
            return ""
        before = self._tail
        known = before + text
        self._remember(text)
        last = len(before)
        pieces = []
        for found in self._spelt.finditer(known, last):
            pieces += [known[last : found.start()], GUARD]
            last = found.start()
        return "".join([*pieces, known[last:]]) if pieces else text

    def _remember(self, text: str) -> None:
        self._tail = (self._tail + text)[-self._overlap :]


def _end_of_any(markers: Sequence[str]) -> re.Pattern[str]:
    """Matches the last character of a marker behind the others, also where markers overlap."""
    last = "".join(sorted({marker[-1] for marker in markers}))
    whole = "|".join(f"(?<={re.escape(marker)})" for marker in markers)
    return re.compile(f"[{re.escape(last)}](?:{whole})", re.DOTALL)


class TokenIds(StreamParser):
    """Streaming parser for one assistant turn: `feed` each chunk, then `finalize`.

    With `vocab` it takes ids instead: `feed_ids`, and `prefix_ids` for the prompt. `vocab` is a
    mapping, from ids to pieces or from pieces to ids, or a tokenizer of `tokenizers` or
    transformers. Pieces are bytes, text, or in the code of byte-level BPE or of SentencePiece. The
    special tokens are those with the text of a marker that the template declares `special`, or
    those of `special_ids`. All else is as without ids:

    `prefix` is the prompt that the text continues ("" if the text is the whole message; None is a
    ValueError). `tools` are JSON schemas whose types the arguments of calls are cast to. With
    `on_error="keep"` a region whose value cannot be made ends in a `region_malformed` event and an
    entry in `errors`; with "raise" it raises ParseError. After an error, and after `finalize`, the
    parser is finished. `initial_events` are those that the prefix alone decides.
    """

    # Without `__slots__`: a class may be made of this one and of another that has some.

    SPECIAL: ClassVar[tuple[str, ...]]  # markers that are one token each
    _ids: IdStream | None = None

    def __init__(
        self,
        prefix: str | None = None,
        tools: Sequence[Any] | None = None,
        on_error: str = "raise",
        *,
        prefix_ids: Iterable[int] | None = None,
        vocab: Any = None,
        special_ids: Collection[int] | None = None,
    ) -> None:
        if vocab is None and (prefix_ids is not None or special_ids is not None):
            raise ValueError("ids are read by a vocabulary: pass vocab")
        if vocab is not None:
            ids = IdStream(vocab, self.SPECIAL, special_ids)
            prefix = prefix_text(ids, prefix, prefix_ids)
            self._take_ids(ids)
        self._begin_behind(rest_of(prefix, self.after_anchor), tools, on_error)

    @classmethod
    def read_vocab(cls, vocab: Mapping[Any, Any]) -> Mapping[int, str | bytes]:
        """A vocabulary with its pieces decoded, once for many parsers."""
        return pieces_by_id(vocab, cls.SPECIAL)

    def feed_ids(self, ids: Iterable[int]) -> list[Event]:
        """Take the next ids; return the events they decide.

        Raises ValueError for an id that the vocabulary lacks; then nothing was taken.
        """
        stream = self._id_stream()
        self._require_usable()
        return self._shown(super().feed(stream.feed(stream.text(ids))))

    def finalize(self, finish_reason: str | None = None) -> tuple[Message, list[Event]]:
        self._require_usable()
        stream = self._ids
        events = self._shown(super().feed(stream.feed(stream.end()))) if stream else []
        message, last = super().finalize(finish_reason)
        return message, events + self._shown(last)

    def plain(self, value: Any) -> Any:
        """A region's text or value without guards; generated code asks for it."""
        return without_guards(value) if self._ids and self._ids.guards else value

    def capture(self, delimiter: Any) -> None:
        super().capture(delimiter)
        self.captures = self.plain(self.captures)

    def state(self) -> dict[str, Any]:
        data = super().state()
        if self._ids:
            data = {**_with_guards(data, _saved), "ids": self._ids.state()}
        return data

    @classmethod
    def from_state(
        cls,
        data: Mapping[str, Any],
        *,
        vocab: Any = None,
        special_ids: Collection[int] | None = None,
    ) -> TokenIds:
        """The parser that `state()` described; one that took ids needs its vocabulary again.

        Raises StateError if this class cannot continue it, ValueError without a vocabulary.
        """
        saved = data.get("ids") if isinstance(data, Mapping) else None
        parser = super().from_state(data if saved is None else _with_guards(data, _own))
        assert isinstance(parser, cls)
        if saved is None:
            return parser
        if vocab is None:
            raise ValueError("the state of a parser that took ids: pass vocab")
        ids = IdStream(vocab, cls.SPECIAL, special_ids)
        parser._take_ids(ids)
        try:
            ids.restore(saved)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise StateError(f"damaged state of ids: {error!r}") from error
        return parser

    def __copy__(self) -> StreamParser:
        restore, arguments = self.__reduce__()
        copied: StreamParser = restore(*arguments)
        return copied

    def __deepcopy__(self, memo: dict[int, Any]) -> StreamParser:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        stream = self._ids
        if stream is None:
            return super().__reduce__()
        restore = partial(type(self).from_state, vocab=stream.vocab, special_ids=stream.special_ids)
        return restore, (self.state(),)

    def _take_ids(self, stream: IdStream) -> None:
        self._ids = stream
        # In the instance, so that `feed` of a parser of text does not have to ask.
        vars(self)["feed"] = _refuse_text

    def _id_stream(self) -> IdStream:
        if self._ids is None:
            raise ValueError("the parser takes text: for ids, make it with vocab")
        return self._ids

    def _begin_behind(self, rest: str, tools: Sequence[Any] | None, on_error: str) -> None:
        if self._ids:
            self._ids.feed(rest, -len(rest))
        super()._begin_behind(rest, tools, on_error)
        self.initial_events = self._shown(self.initial_events)

    def _shown(self, events: list[Event]) -> list[Event]:
        """The events without guards; values have none already."""
        if not (self._ids and self._ids.guards):
            return events
        shown = []
        for event in events:
            if event["type"] == "region_chunk" and GUARD in event["text"]:
                event["text"] = event["text"].replace(GUARD, "")
                if not event["text"]:
                    continue
            shown.append(event)
        return shown

    def _fail(
        self,
        error: Exception,
        field: str,
        span: tuple[int, int],
        raw: str,
        reason: str,
        policy: str,
    ) -> None:
        if self._ids and self._ids.guards:
            error.args = tuple(map(_told, error.args))
            span = self._ids.place(span[0]), self._ids.place(span[1])
            raw = raw.replace(GUARD, "")
            self._events[:] = self._shown(self._events)
        super()._fail(error, field, span, raw, reason, policy)


def _refuse_text(text: str) -> list[Event]:
    """`feed` of a parser that takes ids: the text that they have begun would be out of order."""
    raise ValueError("the parser takes ids: use feed_ids, or make it without vocab")


def prefix_text(ids: IdStream, prefix: str | None, prefix_ids: Iterable[int] | None) -> str | None:
    """The prompt as text with guards; ValueError if it is given as text and as ids."""
    if prefix_ids is None:
        return prefix
    if prefix is not None:
        raise ValueError("the prompt is prefix or prefix_ids, not both")
    return ids.text(prefix_ids)


def parse_token_ids(
    parser: type[TokenIds],
    quick: OnePass | None,
    ids: Iterable[int],
    prefix: str | None,
    prefix_ids: Iterable[int] | None,
    vocab: Any,
    special_ids: Collection[int] | None,
    tools: Sequence[Any] | None,
    on_error: str,
    finish_reason: str | None,
) -> Message:
    """The message of one complete response, by `quick` where that can."""
    stream = IdStream(vocab, parser.SPECIAL, special_ids)
    known = prefix_text(stream, prefix, prefix_ids)
    text = stream.text(ids) + stream.end()
    if GUARD not in text and (known is None or GUARD not in known):
        return parse_one(parser, quick, text, known, tools, on_error, finish_reason)[0]
    machine = parser.__new__(parser)
    machine._ids = stream
    machine._begin_behind(rest_of(known, parser.after_anchor), tools, on_error)
    machine.feed(stream.feed(text))
    return machine.finalize(finish_reason)[0]


def without_guards(value: Any) -> Any:
    """Any value of a message without guards; lists and dicts are changed in place."""
    if isinstance(value, str):
        return value.replace(GUARD, "")
    holder = [value]
    unvisited: list[Any] = [holder]
    while unvisited:
        container = unvisited.pop()
        if isinstance(container, dict):
            plain = [(without_guards(key), item) for key, item in container.items()]
            container.clear()
            container.update(plain)
        items = container.items() if isinstance(container, dict) else enumerate(container)
        for key, item in list(items):
            if isinstance(item, str):
                container[key] = item.replace(GUARD, "")
            elif isinstance(item, (dict, list)):
                unvisited.append(item)
    return holder[0]


def _told(detail: Any) -> Any:
    """What an error says, without guards; it may show text as `repr` does."""
    return detail.replace(GUARD, "").replace(r"\udfff", "") if isinstance(detail, str) else detail


_HAVE_GUARDS = ("text", "body", "opener", "outer")  # what of a state is not shown yet


def _with_guards(data: Mapping[str, Any], written: Callable[[str], str]) -> dict[str, Any]:
    """A state in which the guards are written in another way."""
    return {
        key: _each(value, written) if key in _HAVE_GUARDS else value for key, value in data.items()
    }


def _each(data: Any, written: Callable[[str], str]) -> Any:
    if isinstance(data, str):
        return written(data)
    if isinstance(data, list):
        return [_each(item, written) for item in data]
    if isinstance(data, dict):
        return {key: _each(item, written) for key, item in data.items()}
    return data


def _saved(text: str) -> str:
    """Valid Unicode; the character that stands for a guard is told from itself."""
    return text.replace(_SAVED_GUARD, f"{_SAVED_GUARD}+").replace(GUARD, f"{_SAVED_GUARD}-")


def _own(text: str) -> str:
    return text.replace(f"{_SAVED_GUARD}-", GUARD).replace(f"{_SAVED_GUARD}+", _SAVED_GUARD)
