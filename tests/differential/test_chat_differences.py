"""Chat templates where chatc differs from transformers 5.24.0: docs/differences.md, row by row."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jinja2
import pytest
from transformers.utils.chat_template_utils import (
    _get_control_token_patterns,
    mark_control_tokens,
    render_jinja_template,
)

from runtime.chat import ChatTemplate
from runtime.chat.environment import chat_environment
from runtime.chat.layout import ADDITIONAL_FOLDER
from runtime.chat.sanitize import render_sanitized
from runtime.chat.storage import load_chat_templates, save_chat_templates
from tests.chat.storage_rows import write
from tests.differential.chat_reference import own_spans, own_text, reference_spans, reference_text
from tests.differential.test_chat_storage import make_tokenizer, reference_processor

HELLO = [{"role": "user", "content": "Hello"}]
BODY = "cd{% generation %}xyz{% endgeneration %}"


@pytest.mark.parametrize(
    ("source", "reference", "own"),
    [
        ("ab{% set x %}" + BODY + "{% endset %}{{ x }}", [(2, 5)], [(4, 7)]),
        ("{% set x %}" + BODY + "{% endset %}a{{ x }}b{{ x }}", [(0, 3)], [(3, 6), (9, 12)]),
        ("{% set x %}" + BODY + "{% endset %}ab", [(0, 3)], []),
        ("{% macro m() %}" + BODY + "{% endmacro %}ab{{ m() }}", [(2, 5)], [(4, 7)]),
        ("ab{% filter upper %}" + BODY + "{% endfilter %}", [(2, 5)], [(4, 7)]),
        (
            "{% macro m() %}[{{ caller() }}]{% endmacro %}{% call m() %}" + BODY + "{% endcall %}",
            [(0, 3)],
            [(3, 6)],
        ),
    ],
)
def test_spans_inside_captures(source: str, reference: Any, own: Any) -> None:
    arguments = {"messages": HELLO}
    theirs, ours = reference_spans(source, arguments), own_spans(source, arguments)
    assert theirs.result == (ours.result[0], reference)
    assert ours.result[1] == own


def test_an_empty_batch_has_no_texts() -> None:
    error = reference_text("a", {"messages": []}).error
    assert error is not None and error.startswith("ValueError: Cannot apply chat template to an em")
    assert ChatTemplate("a").render_batch([]) == []
    assert own_text("a", {"messages": []}).error == error


def test_messages_given_twice_are_told_by_our_name() -> None:
    said = r"got multiple values for keyword argument 'messages'"
    with pytest.raises(TypeError, match=rf"^jinja2\.environment\.Template\.render\(\) {said}$"):
        render_jinja_template([HELLO], chat_template="a", messages=HELLO)
    with pytest.raises(TypeError, match=r"^.*ChatTemplate\.render\(\) got multiple values"):
        ChatTemplate("a").render(HELLO, messages=HELLO)


@pytest.fixture
def fresh_environment() -> Iterator[None]:
    chat_environment.cache_clear()
    yield
    chat_environment.cache_clear()


@pytest.mark.usefixtures("fresh_environment")
def test_an_old_jinja2_is_refused_in_our_words(monkeypatch: pytest.MonkeyPatch) -> None:
    source = "never compiled before, by either"
    monkeypatch.setattr(jinja2, "__version__", "3.1.5")
    with pytest.raises(ImportError, match=r"^apply_chat_template requires jinja2"):
        render_jinja_template([HELLO], chat_template=source)
    with pytest.raises(ImportError, match=r"^chat templates need jinja2>=3\.1\.6: "):
        ChatTemplate(source).render(HELLO)


def cut(text: str) -> str:
    """Cuts a text, before <s> if there is one.

    Args:
        text: The text.
    """
    return text.partition("<s>")[0]


def test_schemas_of_functions_are_sanitized() -> None:
    source = "{{ tools[0].function.description }}"
    pattern, _ = _get_control_token_patterns(("<s>",))
    tools = mark_control_tokens([cut], pattern)
    text = "Cuts a text, before <s> if there is one."
    assert reference_text(source, {"messages": HELLO, "tools": tools}).result == text
    pieces = render_sanitized(ChatTemplate(source), HELLO, ["<s>"], tools=[cut])
    before, after = text.split("<s>")
    assert pieces == [(before, False), ("<s>", True), (after, False)]


@pytest.mark.parametrize("name", ["a*", "a?", "a:b", "a|b", "a\tb"])
def test_names_that_other_systems_refuse_are_not_saved(name: str, tmp_path: Path) -> None:
    templates = {"default": "D", name: "X"}
    make_tokenizer(chat_template=templates).save_pretrained(tmp_path / "theirs")
    assert (tmp_path / "theirs" / ADDITIONAL_FOLDER / f"{name}.jinja").read_text() == "X"
    with pytest.raises(ValueError, match="Invalid chat template name"):
        save_chat_templates(tmp_path / "ours", templates)


def test_named_templates_are_sorted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = ["b", "default", "a", "c"]
    write(tmp_path, {f"{ADDITIONAL_FOLDER}/{name}.jinja": name for name in names})
    listed = Path.iterdir  # in the order of the file system, which may be any
    for is_reversed in (False, True):
        monkeypatch.setattr(
            Path, "iterdir", lambda path, r=is_reversed: iter(sorted(listed(path), reverse=r))
        )
        for processor in (False, True):
            templates = load_chat_templates(tmp_path, processor).templates
            assert isinstance(templates, dict)
            assert list(templates) == sorted(names)
    assert set(reference_processor(tmp_path)) == set(names)
