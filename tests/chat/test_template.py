"""Rendering: examples of the public document, reported cases, errors with their line, batches."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from pathlib import Path
from typing import Any

import jinja2
import pytest

from runtime.chat import ChatTemplate
from runtime.chat.specialised import SpecialisedTemplate
from tests.chat.conversations import SPECIAL_TOKENS, conversations
from tests.chat.feature_templates import FEATURES

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

HERE = Path(__file__).parent
EXAMPLES = tomllib.loads((HERE / "document_examples.toml").read_text("utf-8"))["examples"]
CASES = [json.loads(line) for line in (HERE / "cases.jsonl").read_text("utf-8").splitlines()]
HELLO = [{"role": "user", "content": "Hello"}]


def titled(rows: list[dict[str, Any]], key: str) -> list[Any]:
    return [pytest.param(row, id=row[key]) for row in rows]


@pytest.mark.parametrize("example", titled(EXAMPLES, "title"))
def test_examples_of_the_public_document(example: dict[str, Any]) -> None:
    template = ChatTemplate(example["template"])
    assert template.render(**json.loads(example["arguments"])) == example["text"]


@pytest.mark.parametrize(
    "case", titled([case for case in CASES if isinstance(case["template"], str)], "id")
)
def test_reported_cases(case: dict[str, Any]) -> None:
    template, context = ChatTemplate(case["template"]), case["context"]
    # A case may have no messages at all, which only a batch allows.
    conversation = context.pop("messages")
    try:
        found: Any = template.render_batch([conversation], **context)[0]
    except Exception as error:
        found = {"error": f"{type(error).__name__}: {error}"}
    assert found == case["expected"]
    if "expected_generation_spans" in case:
        text, spans = template.render_with_spans(conversation, **context)
        assert (text, [list(span) for span in spans]) == (
            found,
            case["expected_generation_spans"],
        )


@pytest.mark.parametrize(
    ("source", "line", "kind"),
    [
        ("a\n{{ messages.x.y }}", 2, jinja2.UndefinedError),
        ("a\n\n{% for m in messages %}\n{{ raise_exception('no') }}{% endfor %}", 4, Exception),
        ("{% macro m() %}\n{{ 1 / 0 }}\n{% endmacro %}\n\n{{ m() }}", 2, ZeroDivisionError),
        ("{% generation %}\n\n{{ [] + '' }}{% endgeneration %}", 3, TypeError),
        ("a\n{% if %}", 2, jinja2.TemplateSyntaxError),
        ("a\n\n{{ 1|nothing }}", 3, jinja2.TemplateAssertionError),
    ],
)
def test_errors_carry_the_line_of_the_template(
    source: str, line: int, kind: type[Exception]
) -> None:
    with pytest.raises(kind) as raised:
        ChatTemplate(source).render(HELLO)
    assert raised.value.template_line == line


def test_errors_of_the_input_carry_no_line() -> None:
    with pytest.raises(TypeError) as raised:
        ChatTemplate("").render(["no message"])
    assert not hasattr(raised.value, "template_line")


def test_an_empty_conversation_is_refused_unless_in_a_batch() -> None:
    template = ChatTemplate("{{ messages }}")
    for render in (template.render, template.render_with_spans):
        with pytest.raises(ValueError, match="empty conversation"):
            render([])
    assert template.render_batch([[], HELLO]) == ["[]", str(HELLO)]
    assert template.render_batch([]) == []
    assert template.render(iter(())) == "[]"


def test_a_batch_shares_its_arguments() -> None:
    template = ChatTemplate("{{ messages[0].content }}{{ tools[0].name }}{{ mark }}")
    batch = [HELLO, [{"role": "user", "content": "Bye"}]]
    assert template.render_batch(batch, tools=[{"name": "t"}], mark="!") == ["Hellot!", "Byet!"]


def test_a_template_of_the_name_of_a_variable() -> None:
    assert ChatTemplate("{{ bos_token }}{{ range }}").render(HELLO, bos_token="<s>", range=3) == (
        "<s>3"
    )


def test_what_a_template_reads_and_writes_itself() -> None:
    template = ChatTemplate(
        "{% set x = 1 %}{% for m in messages %}<|im|>{{ m.role ~ 'abc' ~ bos_token }}{% endfor %}"
        "{{ x }}{{ range(3) }}<|im|>{{ 'abc' }}"
    )
    assert template.variables == {"messages", "bos_token"}
    assert template.literal_text.split("\0") == ["<|im|>", "abc"]


def test_a_template_is_a_value() -> None:
    template = ChatTemplate("{{ messages[0].content }}")
    assert pickle.loads(pickle.dumps(template)) == template
    assert template.render(HELLO) == "Hello"
    assert pickle.loads(pickle.dumps(template)) == template


def test_the_callers_data_is_never_changed() -> None:
    for arguments in conversations().values():
        before = deepcopy(arguments)
        for name in ("reasoning", "calls", "tojson", "parts"):
            source = FEATURES[name] + "{{ messages[-1].content }}{{ messages[-1].thinking }}"
            try:
                ChatTemplate(source).render(**arguments)
            except (ValueError, TypeError, jinja2.UndefinedError):
                continue
        assert arguments == before


def test_threads_render_what_one_does() -> None:
    shapes = [
        {**SPECIAL_TOKENS, **arguments}
        for arguments in conversations().values()
        if "continue_final_message" not in arguments
    ]
    template = ChatTemplate(FEATURES["generation"])
    alone = [template.render_with_spans(**arguments) for arguments in shapes]
    with ThreadPoolExecutor(8) as threads:
        for _ in range(5):
            together = threads.map(
                lambda arguments: template.render_with_spans(**arguments), shapes
            )
            assert list(together) == alone


def test_importing_and_making_templates_imports_no_jinja() -> None:
    program = (
        "import sys; import runtime.chat; assert 'runtime.chat.template' not in sys.modules;"
        "from runtime.chat import ChatTemplate; ChatTemplate('{% if %}');"
        "assert 'jinja2' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, cwd=HERE.parents[1])


def test_the_package_has_no_other_names() -> None:
    import runtime.chat

    with pytest.raises(AttributeError, match="no attribute 'Chat'"):
        _ = runtime.chat.Chat


def test_templates_are_values() -> None:
    template = ChatTemplate("a")
    special = SpecialisedTemplate("a", str)
    assert template == ChatTemplate("a") != ChatTemplate("b")
    assert special == SpecialisedTemplate("a", repr) != template
    assert {template: 1}[ChatTemplate("a")] == 1
    assert pickle.loads(pickle.dumps(special)) == special
    for name in ("source", "note"):
        with pytest.raises(AttributeError):
            setattr(template, name, "b")
