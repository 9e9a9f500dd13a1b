"""`chatc bench`: what is measured, what counts as missed, and what is left out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from compiler.bench import chat, chat_start
from compiler.bench.conversations import SPECIAL_TOKENS, conversation
from compiler.bench.measure import Row, compared
from runtime.chat import ChatTemplate
from tests.cli.small_model import Chatc

ROOT = Path(__file__).parents[2]
PLAIN = "{% for m in messages %}<{{ m.role }}>{{ m.content | trim }}{{ eos_token }}{% endfor %}"
NO_SYSTEM = "{% if messages[0].role == 'system' %}{{ raise_exception('no') }}{% endif %}" + PLAIN
REFUSING = "{{ raise_exception('no') }}"


def in_jinja(source: str, arguments: dict[str, Any]) -> str:
    """Stands in for transformers."""
    return ChatTemplate(source).render(**arguments, add_generation_prompt=True, **SPECIAL_TOKENS)


def test_goals_and_limits() -> None:
    row = partial(Row, "what", 2.0, "ms")
    assert not row().is_missed()
    assert [row(ratio, 3.0).is_missed() for ratio in (None, 2.9, 3.0)] == [False, True, False]
    assert [row(limit=limit).is_missed() for limit in (1.9, 2.0)] == [True, False]


def test_ratios_are_of_the_same_round() -> None:
    took, ratio = compared(partial(sum, range(50_000)), partial(sum, range(200_000)))
    assert 0 < took < 0.1
    assert 2 < ratio < 8


def test_conversations_have_the_length_asked_for() -> None:
    assert [len(conversation(length)) for length in (2, 10, 100)] == [2, 10, 100]
    roles = [message["role"] for message in conversation(6, calls=True)]
    assert roles == ["system", "user", "assistant", "tool", "assistant", "user"]
    assert conversation(1, system=False)[0]["role"] == "user"


def test_the_rows_of_the_corpus() -> None:
    templates = {"plain": PLAIN, "no system": NO_SYSTEM, "refusing": REFUSING}
    whole, slowest = chat._corpus_rows(templates, in_jinja)
    assert whole.what == "2 of 3 published templates, render of 10 messages"
    assert whole.ratio is not None and slowest.ratio is not None
    assert 0 < slowest.ratio <= whole.ratio
    assert "slower than transformers" in slowest.note


def test_templates_that_are_slower_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([(1e-6, 0.4), (1e-6, 0.5), (3e-6, 2.0)])  # what seems slower is measured again
    monkeypatch.setattr(chat, "_compared", lambda *_, **__: next(times))
    whole, slowest = chat._corpus_rows({"a": PLAIN, "b": NO_SYSTEM}, in_jinja)
    assert (round(whole.ours), whole.ratio, whole.is_missed()) == (2, 1.0, True)
    assert (slowest.what, slowest.ratio) == ("the least gain of them: a", 0.5)
    assert slowest.note == "1 slower than transformers, a"
    assert slowest.is_missed()


def test_loading_bytecode_leaves_no_trace(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    row = chat_start.bytecode_row([PLAIN, NO_SYSTEM])
    assert row.ratio is not None and row.ratio > 10
    assert list(tmp_path.iterdir()) == []


def test_a_cold_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(chat_start, "_RUNS", 1)
    row = chat_start.cold_row("qwen3", with_reference=False)
    assert (row.unit, row.limit, row.ratio) == ("ms", 30, None)
    assert row.note.endswith("jinja2 is not imported")


def test_what_is_not_installed_is_left_out(
    monkeypatch: pytest.MonkeyPatch, chatc: Callable[..., Any]
) -> None:
    def not_installed(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(chat, "find_spec", lambda name: None)
    monkeypatch.setattr(chat, "import_module", not_installed)
    monkeypatch.setattr(chat_start, "cold_row", lambda name, _: Row(name, 1.0, "ms", limit=0.5))
    ran = chatc("bench", "--chat")
    assert (ran.code, ran.err) == (0, "1 measurement, 1 goal missed\n")
    assert ran.out.startswith("qwen3 ")
    assert [row["what"] for row in chatc("bench", "--chat", "--json").json] == ["qwen3"]


def test_usage(chatc: Chatc) -> None:
    assert chatc("bench", "--chat", "qwen3").code == 2
    assert chatc("bench", "no_such_model").code == 2
