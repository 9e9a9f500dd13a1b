"""Parsers that take ids: special tokens count, text that spells them does not."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterable, Mapping
from itertools import combinations, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler import compile_template
from compiler.memory import CompiledTemplate
from runtime.errors import ParseError, StateError
from runtime.token_ids import GUARD, IdStream
from tests.runtime.feeding import Outcome, failed, joined, stream

SPECIAL = ["<bot>", "<think>", "</think>", "<call>", "</call>", "<q>"]
SPEC: dict[str, Any] = {
    "dialect": "extended-1",
    "start_anchor": "<bot>",
    "special": SPECIAL,
    "fields": {
        "reasoning": {"open": "<think>", "close": "</think>", "glue": {"close": ["\\s*", "\\s*"]}},
        "tool_calls": {
            "open": "<call>",
            "close": "</call>",
            "content": "json",
            "content_args": {"python_literals": True, "string_delims": [["<q>", "<q>"]]},
            "strings": [["<q>", "<q>"], ['"', '"']],
            "repeats": True,
        },
        "note": {"open": ["<function=", ">>"], "close": "</function>"},
        "content": {},
    },
}
COMPILED = compile_template(SPEC)
# Ids of special tokens, then ids of texts that spell them in parts, and of bytes of characters.
ORDINARY: list[str | bytes] = [
    "<th",
    "ink>",
    "<",
    "/think>",
    ">",
    "</call",
    "<cal",
    "l>",
    "<q",
    "hi",
]
ORDINARY += ['{"a": "', '"}', "{", "}", '"', "<function=", "</function>", " ", "\n", "\ufdd0", "1"]
ORDINARY += [
    b"\xe4",
    b"\xbd\xa0\xf0\x9f",
    b"\x8e",
    b"\x89",
    b"\xff",
    "<think>x",
    "a<call>",
    "-",
    "+",
]
VOCAB: dict[int, str | bytes] = dict(enumerate([*SPECIAL, *ORDINARY]))
BOT, THINK, NOT_THINK, CALL, NOT_CALL, Q = range(len(SPECIAL))
IDS = {text: token for token, text in VOCAB.items()}

lists_of_ids = st.lists(st.sampled_from(sorted(VOCAB)), max_size=24)


def spelt(*texts: str | bytes) -> list[int]:
    return [IDS[text] for text in texts]


def ids_fed(
    parts: Iterable[list[int]],
    vocab: Any = VOCAB,
    prefix_ids: list[int] | None = None,
    compiled: CompiledTemplate = COMPILED,
    **options: Any,
) -> Outcome:
    """A new parser, fed all lists of ids."""
    options = {"on_error": "keep", **options}
    parser = compiled.Parser(prefix_ids=prefix_ids or [], vocab=vocab, **options)
    events = list(parser.initial_events)
    try:
        for part in parts:
            events += parser.feed_ids(part)
        message, last = parser.finalize()
    except ParseError as error:
        return failed(error, events, parser.errors)
    assert all(event.get("text") != "" for event in [*events, *last])
    return Outcome(repr(message), repr(joined([*events, *last])), repr(parser.errors))


def text_of(ids: Iterable[int], vocab: Mapping[int, str | bytes] = VOCAB) -> str:
    pieces = (vocab[token] for token in ids)
    joint = b"".join(p.encode() if isinstance(p, str) else p for p in pieces)
    return joint.decode("utf-8", "replace")


def cut(ids: list[int], places: Iterable[int]) -> list[list[int]]:
    bounds = [0, *sorted({place % (len(ids) + 1) for place in places}), len(ids)]
    return [ids[start:end] for start, end in pairwise(bounds)]


def quotes_no_marker(ids: list[int]) -> bool:
    """Whether the text has a marker only where a special token has it."""
    text = text_of(ids)
    special = "".join(SPECIAL[token] for token in ids if token < len(SPECIAL))
    return all(text.count(marker) == special.count(marker) for marker in SPECIAL)


@given(lists_of_ids, st.lists(st.integers(0, 30), max_size=6))
def test_every_chunking_of_ids_gives_the_same(ids: list[int], places: list[int]) -> None:
    assert ids_fed(cut(ids, places)) == ids_fed([ids]) == ids_fed([[token] for token in ids])


@given(lists_of_ids)
def test_without_quoted_markers_ids_are_as_their_text(ids: list[int]) -> None:
    if quotes_no_marker(ids):
        assert ids_fed([ids]) == stream(COMPILED, "", [text_of(ids)], "keep")


@given(lists_of_ids, lists_of_ids)
def test_parse_ids_is_the_parser_at_once(prefix_ids: list[int], ids: list[int]) -> None:
    prefix_ids = [*prefix_ids, BOT]
    assert COMPILED.parse_ids
    message = COMPILED.parse_ids(ids, prefix_ids=prefix_ids, vocab=VOCAB, on_error="keep")
    assert repr(message) == ids_fed([ids], prefix_ids=prefix_ids).message


@given(lists_of_ids)
def test_what_comes_out_is_text_that_went_in(ids: list[int]) -> None:
    """Guards are nowhere, and a message that is one text is that text."""
    plain = [
        token for token in ids if token >= len(SPECIAL) and "function" not in str(VOCAB[token])
    ]
    outcome = ids_fed([plain])
    opens_a_note = ">>" in text_of(plain)
    assert opens_a_note or outcome.message == repr({"content": text_of(plain)} if plain else {})
    assert "\\udfff" not in str(ids_fed([ids]))


@given(lists_of_ids, lists_of_ids)
def test_a_saved_parser_goes_on(before: list[int], after: list[int]) -> None:
    parser = COMPILED.Parser(prefix_ids=[BOT], vocab=VOCAB, on_error="keep")
    events = parser.feed_ids(before)
    saved = json.dumps(parser.state(), ensure_ascii=False).encode()
    for again in (COMPILED.Parser.from_state(json.loads(saved), vocab=VOCAB), copy.copy(parser)):
        more = again.feed_ids(after)
        message, last = again.finalize()
        outcome = Outcome(repr(message), repr(joined([*events, *more, *last])), repr(again.errors))
        assert outcome == ids_fed([before, after], prefix_ids=[BOT])


def test_a_quoted_marker_opens_and_closes_nothing() -> None:
    ids = [THINK, *spelt("hi", "</call", ">", "<", "/think>"), NOT_THINK, *spelt("<th", "ink>")]
    ids += [CALL, *spelt('{"a": "', "</call", ">", '"}'), NOT_CALL, *spelt("a<call>")]
    assert COMPILED.parse_ids and COMPILED.parse_ids(ids, prefix="", vocab=VOCAB) == {
        "reasoning": "hi</call></think>",
        "content": "<think>a<call>",
        "tool_calls": [{"a": "</call>"}],
    }


def test_a_quoted_marker_is_quoted_for_content_parsers_too() -> None:
    quoted = [CALL, Q, *spelt("<q", ">", "</call", ">"), Q, NOT_CALL]
    assert COMPILED.parse_ids
    assert COMPILED.parse_ids(quoted, prefix="", vocab=VOCAB) == {"tool_calls": ["<q></call>"]}


def test_ordinary_markers_work_from_ordinary_ids() -> None:
    ids = spelt("<function=", "hi", "</function>")
    assert json.loads(ids_fed([ids]).message.replace("'", '"')) == {"note": "hi"}


def test_only_what_spells_a_marker_is_guarded() -> None:
    guarded = IdStream(VOCAB, SPECIAL, None)
    assert guarded.text(spelt("<th", "ink>")) == f"<think{GUARD}>"
    assert guarded.text([IDS["<th"], THINK, *spelt("ink>", "hi", "/think>")]) == (
        "<th<think>ink>hi/think>"
    )


def test_places_are_counted_from_the_first_text_without_guards() -> None:
    ids = IdStream(VOCAB, SPECIAL, None)
    rest, text = f"a{GUARD}b{GUARD}", f"c{GUARD}d"
    ids.feed(rest, -len(rest))
    ids.feed(text)
    places = [ids.place(place) for place in range(-len(rest), len(text) + 1)]
    assert places == [-2, -1, -1, 0, 0, 1, 1, 2]


def test_guards_alone_are_no_chunk_and_are_in_no_key() -> None:
    assert ids_fed([[token] for token in spelt("</call", ">", "hi")]).events.count("chunk") == 1
    ids = [CALL, *spelt('{"a": "', '"}'), NOT_CALL]
    vocab = {**VOCAB, IDS['{"a": "']: '{"</call', IDS['"}']: '>": {"x": ["</call>"]}}'}
    (value,) = json.loads(ids_fed([ids], vocab).message.replace("'", '"'))["tool_calls"]
    assert value == {"</call>": {"x": ["</call>"]}}


def test_an_anchor_that_the_user_writes_is_text() -> None:
    prompt = [BOT, THINK, *spelt("hi", "<", "-"), NOT_THINK]
    bots = {**VOCAB, 90: "<bo", 91: "t>"}
    assert COMPILED.parse_ids
    message = COMPILED.parse_ids(spelt("hi"), prefix_ids=[*prompt, 90, 91], vocab=bots)
    assert message == {"reasoning": "hi<-", "content": "<bot>hi"}


def test_spans_and_raw_text_are_those_of_the_text() -> None:
    before = [THINK, *spelt("<th", "ink>"), NOT_THINK, *spelt("a<call>")]
    broken = [CALL, *spelt("{", "</call", ">", "1"), NOT_CALL]
    parser = COMPILED.Parser(prefix_ids=[BOT, *spelt("<th", "ink>")], vocab=VOCAB, on_error="keep")
    parser.feed_ids(before + broken)
    (error,) = parser.errors
    text = text_of(before + broken)
    start, end = error["span"]
    assert text[start:end] == error["raw"] == "{</call>1"
    strict = COMPILED.Parser(prefix_ids=[BOT], vocab=VOCAB)
    with pytest.raises(ParseError) as raised:
        strict.feed_ids(before + broken)
    assert raised.value.span == (start, end)
    assert next(e["text"] for e in raised.value.events if e["type"] == "region_chunk") == "<think>"
    assert "\udfff" not in str(raised.value) + repr(raised.value.events)


@pytest.mark.parametrize("text", ["Nice work 🎉 mañana 你好", "a\u0301\U0010ffff|\ufffd|é"])
def test_a_character_over_several_ids_is_never_cut(text: str) -> None:
    whole = text.encode()
    vocab = {token: bytes([token]) for token in range(256)}
    expected = repr({"content": text})
    places = [place for place in range(1, len(whole)) if whole[place] & 0xC0 == 0x80]
    for some in [places, *combinations(places, 2)]:
        bounds = [0, *some, len(whole)]
        parts = [list(whole[a:b]) for a, b in pairwise(bounds)]
        assert ids_fed(parts, vocab).message == expected
        parser = COMPILED.Parser(prefix="", vocab=vocab)
        shown = ""
        for part in parts:
            shown += "".join(event.get("text", "") for event in parser.feed_ids(part))
            assert text.startswith(shown)


def test_an_incomplete_character_at_the_end_is_replaced() -> None:
    assert ids_fed([spelt("hi", b"\xe4")]).message == repr({"content": "hi\ufffd"})
    assert ids_fed([[*spelt(b"\xe4"), THINK, *spelt(b"\x89")]]).message == repr(
        {"content": "\ufffd", "reasoning": "\ufffd"}
    )


def test_special_ids_say_which_tokens_are_special() -> None:
    vocab = {**VOCAB, 100: "<think>"}
    one = COMPILED.Parser(prefix="", vocab=vocab, special_ids=[100])
    one.feed_ids([THINK, 100, *spelt("hi")])
    assert one.finalize()[0] == {"content": "<think>", "reasoning": "hi"}
    with pytest.raises(ValueError, match="none of the special tokens"):
        COMPILED.Parser(prefix="", vocab=vocab, special_ids=[IDS["hi"]])


def test_ids_are_numbers_of_any_kind() -> None:
    class Number:
        def __index__(self) -> int:
            return IDS["hi"]

    parser = COMPILED.Parser(prefix="", vocab=VOCAB)
    parser.feed_ids(Number() for _ in range(2))
    assert parser.finalize()[0] == {"content": "hihi"}


def test_mistakes_of_the_caller() -> None:
    make = COMPILED.Parser
    with pytest.raises(ValueError, match="prefix is required"):
        make(vocab=VOCAB)
    with pytest.raises(ValueError, match="not both"):
        make("", vocab=VOCAB, prefix_ids=[])
    with pytest.raises(ValueError, match="pass vocab"):
        make(prefix_ids=[1])
    with pytest.raises(ValueError, match="make it with vocab"):
        make("").feed_ids([1])
    with pytest.raises(TypeError, match="vocab is a mapping"):
        make("", vocab=[])
    parser = make("", vocab=VOCAB)
    with pytest.raises(ValueError, match="no id 999"):
        parser.feed_ids([THINK, 999])
    parser.feed_ids(spelt("hi"))
    assert parser.finalize()[0] == {"content": "hi"}
    state = make("", vocab=VOCAB).state()
    with pytest.raises(ValueError, match="pass vocab"):
        make.from_state(state)
    for damaged in ({}, {**state["ids"], "held": {"bytes": 1}}, {**state["ids"], "guards": ["1"]}):
        with pytest.raises(StateError):
            make.from_state({**state, "ids": damaged}, vocab=VOCAB)


def test_a_parser_of_ids_refuses_text_and_loses_nothing() -> None:
    parser = COMPILED.Parser("", vocab=VOCAB)
    parser.feed_ids(spelt(b"\xe4"))  # begins a character
    restored = COMPILED.Parser.from_state(parser.state(), vocab=VOCAB)
    for each in (parser, copy.deepcopy(parser), restored):
        with pytest.raises(ValueError, match="use feed_ids"):
            each.feed("hi")
        each.feed_ids(spelt(b"\xbd\xa0\xf0\x9f", b"\x8e", b"\x89"))
        assert each.finalize()[0] == {"content": "你🎉"}


def test_templates_without_special_markers_take_no_ids() -> None:
    plain = compile_template({key: value for key, value in SPEC.items() if key != "special"})
    assert plain.parse_ids is None
    assert not hasattr(plain.Parser, "feed_ids")
    assert "token_ids" not in plain.source


QUOTED = ["<call>", "<other>"]  # special, and no delimiter where they are quoted below
CONTENTS: list[tuple[dict[str, Any], str]] = [
    ({"content": "text"}, " <call> "),
    ({"content": "json"}, '{"<call>": ["<other>", 1]}'),
    ({"content": "json"}, '{"<other>": <call>}'),
    ({"content": "json", "content_args": {"unquoted_keys": True}}, '{a: "<call>", b: }'),
    ({"content": "json", "content_args": {"python_literals": True}}, "{'a': '<call>'}"),
    ({"content": "json", "content_args": {"allow_non_json": True}}, "a<call>"),
    ({"content": "python-call-list"}, "[f(x='<call>', y={\"<other>\": 1})]"),
    ({"content": "python-call-list"}, "[f(x='<call>', <other>=1)]"),
    ({"content": ["int", "python-call-list"]}, "[f(x='<call>')]"),
    ({"content": "kv-lines"}, "a<call>: <other>\nb:<call>"),
    ({"content": "xml-tree"}, "<a>1</a><call>2</call>"),
    ({"content": "xml-tree"}, "<a>1<call></a>"),
    (
        {"content": "xml-inline", "content_args": {"tag_pattern": "<(?P<key>[a-z]+)>(?P<value>.)"}},
        "<call>1<other>2",
    ),
    ({"content": "int"}, "1<call>"),
    ({"content": "float"}, "1<call>"),
    ({"content": "bool"}, "<other>"),
]


@pytest.mark.parametrize(("content", "text"), CONTENTS)
def test_a_content_parser_reads_the_text_without_guards(content: dict[str, Any], text: str) -> None:
    """Values, failures and captures are those of the text."""
    field = {"open_pattern": "<call>(?P<name>[^:]*):", "close": "<end>", "repeats": True, **content}
    field["transform"] = {"name": "{name}", "value": "{content}"}
    spec = {"dialect": "extended-1", "start_anchor": "<bot>", "special": [*QUOTED, "<end>"]}
    compiled = compile_template({**spec, "fields": {"t": field, "content": {}}})
    quoting = f"the <other>:{text}"
    vocab = {0: "<call>", 1: "<end>", **{ord(character): character for character in quoting}}
    ids = [0, *map(ord, quoting), 1]
    expected = stream(compiled, "", [f"<call>{quoting}<end>"], "keep")
    assert ids_fed([ids], vocab, compiled=compiled) == expected
    assert ids_fed([[token] for token in ids], vocab, compiled=compiled) == expected


def test_a_quoted_marker_destroys_no_call() -> None:
    field = {"open": "<call>", "close": "</call>", "strings": "python", "repeats": True}
    spec = {**SPEC, "special": ["<call>", "</call>"]}
    spec["fields"] = {"t": {**field, "content": "python-call-list"}, "content": {}}
    vocab = {2: "<call>", 3: "</call>", 4: "[f(x='</ca", 5: "ll>')]", 8: "hi"}
    parse_ids = compile_template(spec).parse_ids
    assert parse_ids and parse_ids([2, 4, 5, 3, 8], prefix="", vocab=vocab) == {
        "t": [[{"name": "f", "arguments": {"x": "</call>"}}]],
        "content": "hi",
    }


@pytest.mark.parametrize("marker", ["<arg>", "<|arg|>"])
def test_a_marker_that_a_content_parser_looks_for_is_quoted_for_it_too(marker: str) -> None:
    pattern = re.escape(marker) + "(?P<key>[a-z]):(?P<value>[^;]*);"
    field = {"open": "<call>", "close": "</call>", "content": "xml-inline", "repeats": True}
    field["content_args"] = {"tag_pattern": pattern, "outside_pattern": ".*"}
    compiled = compile_template({**SPEC, "special": [marker, *SPECIAL], "fields": {"t": field}})
    vocab = {**VOCAB, 100: marker, 101: "a:1;", 102: marker[:3], 103: marker[3:], 104: "b:2;"}
    assert compiled.parse_ids
    message = compiled.parse_ids(
        [CALL, 100, 101, 102, 103, 104, NOT_CALL], prefix="", vocab=vocab, on_error="keep"
    )
    assert message == {"t": [{"a": "1"}]}
