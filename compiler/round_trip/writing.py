"""There: a conversation that ends with a message, in two parts, the prompt and the reply."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from math import inf

from compiler.round_trip.both_ways import BothWays
from compiler.round_trip.expressed import expressed
from compiler.round_trip.forms import CallForm, Form, PromptForm, call_forms, numbered, prompt_forms
from compiler.round_trip.outcome import Written
from compiler.round_trip.shapes import CALL, QUESTION, Message, Shape

_HALF_MARKER = re.compile(r"[<\[][^<>\[\]\s]*\Z")
_MARKER_REST = re.compile(r"[^<>\[\]\s]*[>\]]")
_LAYOUT = " \t\r\n"  # what templates write between turns

_Render = Callable[..., str]  # of messages, and what else the template is given


class NoTurn(Exception):
    """The chat template leaves the message out."""


def write(model: BothWays, shape: Shape) -> Written:
    """The conversation that ends with the shape's message, cut where the model would begin.

    It is given to the template in the first form of a prompt that can be rendered, with calls in
    the form that shows most of a simple one. White space at the end is the template's: a model has
    stopped before. Raises what the template raises, and NoTurn.
    """

    def render(form: PromptForm, *messages: Message, **options: bool) -> str:
        conversation = [form.message(QUESTION), *messages]
        arguments = {"messages": conversation, "tools": form.tools(), **options}
        return model.render(**{**model.variables, **shape.variables, **arguments})

    message = numbered({"content": "", **shape.message})
    form = Form(_prompt_form(render))
    if "tool_calls" in message:
        form = _with_calls(form, render)
    return _written(render, message, form)


def _prompt_form(render: _Render) -> PromptForm:
    """The first that the template renders; the default if it renders none."""
    for form in prompt_forms():
        try:
            render(form, add_generation_prompt=True)
        except Exception:  # of any class: it is the template's
            continue
        return form
    return PromptForm()


def _with_calls(form: Form, render: _Render) -> Form:
    """With the calls that show most; as transformers documents them, if the template has none."""

    def lost(calls: CallForm) -> float:
        try:
            return len(_written(render, numbered(CALL), replace(form, calls=calls)).expressed.lost)
        except Exception:  # of any class: it is the template's
            return inf

    return replace(form, calls=min(call_forms(), key=lost))


def _written(render: _Render, message: Message, form: Form) -> Written:
    def text_of(other: Message) -> str:
        return render(form.prompt, form.message(other))

    def writes_the_same(other: Message) -> bool:
        try:
            return text_of(other) == whole
        except Exception:  # of any class: it is the template's
            return False

    text = whole = text_of(message)
    question = render(form.prompt)
    prompt = render(form.prompt, add_generation_prompt=True)
    if question == prompt or not text.startswith(question):
        question, text = _without_common_end(question, text)
    end, begin = _cut(prompt, text, question)
    reply, ahead = text[begin:].rstrip(_LAYOUT), prompt[end:]
    if not reply and ahead:
        raise NoTurn("the conversation ends without the turn of the message")
    shown = expressed(message, writes_the_same)
    shown = replace(shown, message=form.calls.with_ids(shown.message))
    return Written(prompt[:end], reply, ahead, shown, form)


def _without_common_end(question: str, text: str) -> tuple[str, str]:
    """Both without what the template writes behind every conversation."""
    length = _shared(question[::-1], text[::-1])
    if any(_HALF_MARKER.search(each, 0, len(each) - length) for each in (question, text)):
        rest = _MARKER_REST.match(text, len(text) - length)
        length = len(text) - rest.end() if rest else 0
    return question[: len(question) - length], text[: len(text) - length]


def _cut(prompt: str, text: str, question: str) -> tuple[int, int]:
    """Where the prompt ends, and where the reply begins in the text of the conversation.

    The text goes on from the prompt, or is cut where the two part. Some templates write the
    `question` otherwise when the model is to go on: what the text has behind it is looked for at
    the end of the prompt.
    """
    common = _common(prompt, text)
    if not text.startswith(question):
        return common, common
    turn = text[len(question) :]
    starts = range(min(common, len(question)), len(prompt) + 1)
    start = max(starts, key=lambda start: _common(prompt[start:], turn))
    common = _common(prompt[start:], turn)
    return start + common, len(question) + common


def _common(prompt: str, text: str) -> int:
    """How many characters both begin with. A marker is not cut in two: models write it at once."""
    if text.startswith(prompt):
        return len(prompt)
    parted = _shared(prompt, text)
    half = _HALF_MARKER.search(text, 0, parted)
    return half.start() if half else parted


def _shared(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(one), len(other)))
