"""One compiled module serves many threads at once."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from compiler import compile_template
from runtime.watch import Watch
from tests.runtime.feeding import Outcome, stream
from tests.runtime.models import ROOT, Example, examples_of, parsers_of

THREADS = 6


@pytest.mark.parametrize("model", ["qwen3", "gpt_oss", "gemma4"])
@pytest.mark.parametrize("form", ["", "extended/"])
def test_threads_get_the_answers_of_one(form: str, model: str) -> None:
    """Every thread parses every case, each in an order of its own."""
    examples = examples_of(form + model)
    module = parsers_of(form + model)

    def run(example: Example) -> tuple[Outcome, Any]:
        once = module.parse_result(example.text, prefix=example.prefix, on_error="keep")
        return stream(module, example.prefix, example.text, "keep"), once

    expected = {example.text: run(example) for example in examples}
    barrier = Barrier(THREADS)

    def work(number: int) -> list[bool]:
        barrier.wait()
        turned = (*examples[number:], *examples[:number]) * 3
        return [run(example) == expected[example.text] for example in turned]

    with ThreadPoolExecutor(THREADS) as pool:
        results = list(pool.map(work, range(THREADS)))
    assert all(map(all, results))
    assert sum(map(len, results)) == THREADS * 3 * len(examples)


@pytest.mark.parametrize("name", ["qwen3", "extended/qwen3"])
def test_threads_that_feed_in_turn_do_not_mix(name: str) -> None:
    """Parsers of one class, fed a character each in turn, as a server's event loop does."""
    examples = examples_of(name)
    parsers = [parsers_of(name).Parser(example.prefix) for example in examples]
    longest = max(len(example.text) for example in examples)
    for place in range(longest):
        for parser, example in zip(parsers, examples, strict=True):
            parser.feed(example.text[place : place + 1])
    messages = [parser.finalize()[0] for parser in parsers]
    assert messages == [example.expected for example in examples]


def test_threads_may_compile_the_same_template() -> None:
    path = ROOT / "grammars" / "smollm3" / "response_template.json"
    spec = {**json.loads(path.read_text("utf-8")), "defaults": {"role": "assistant", "thread": 1}}
    barrier = Barrier(THREADS)

    def work(number: int) -> Any:
        barrier.wait()
        return compile_template(spec).parse(f"<think>{number}</think>a", prefix="")

    with ThreadPoolExecutor(THREADS) as pool:
        messages = list(pool.map(work, range(THREADS)))
    assert [message["reasoning_content"] for message in messages] == list("012345")


def test_threads_may_make_a_watch_ready_at_once() -> None:
    """A streaming search that is made ready in the middle of making the final one ready."""

    class Interrupting(dict[str, str]):
        def get(self, group: str, *default: Any) -> Any:
            if watch.interruptions == 0:
                watch.interruptions = 1
                watch.find("a", 0, False)
            return super().get(group, *default)

    class Interrupted(Watch):
        interruptions = 0

    watch = Interrupted(
        "<",
        streaming="<a>(?P<OPEN>)|<b>(?P<OPEN__2>)",
        final="(?:<a>|<b>)(?P<OPEN>)",
        aliases=Interrupting({"OPEN__2": "OPEN"}),
    )
    assert watch.find("<b>", 0, True) == ("OPEN", 0, 3, None)
    assert watch.interruptions == 1
    assert watch.find("<b>", 0, False) == ("OPEN", 0, 3, None)
