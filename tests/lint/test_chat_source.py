"""A chat template in a file: places and edits are those of the file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from compiler.lint.chat.source import ChatSource
from compiler.lint.files import TemplateFile, has_templates, lint
from compiler.lint.fixing import mend
from compiler.lint.folder import ModelFolder
from compiler.lint.selection import Selection

TEMPLATE = "{# é\u2028\U0001f600 \"q\" #}\n{{- 'a' if True }}\t{{ 'b' if None }}"
MENDED = TEMPLATE.replace("True", "true").replace("None", "none")


def file(name: str, text: str) -> TemplateFile:
    return TemplateFile(Path(name), name, text, ModelFolder())


def rules_and_places(file: TemplateFile) -> list[tuple[str, int | None, int | None]]:
    found = [problem.diagnostic for problem in lint(file)]
    return [(each.rule, each.location.line, each.location.column) for each in found]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_is_one(end: str) -> None:
    text = TEMPLATE.replace("\n", f"{end}{end}")
    source = ChatSource("t.jinja", text)
    for word in ("True", "None"):
        offset = source.text.index(word)
        edit = source.edit(offset, offset + 4, "x")
        assert text[edit.start : edit.end] == word
    jinja = file("t.jinja", text)
    assert mend(jinja, Selection()).file.text == MENDED.replace("\n", f"{end}{end}")
    if end != "\r":  # which nobody counts as the end of a line
        assert rules_and_places(jinja) == [("LT103", 3, 12), ("LT103", 3, 30)]


@pytest.mark.parametrize("ensure_ascii", [True, False])
@pytest.mark.parametrize(
    ("stored", "pointer"),
    [
        (TEMPLATE, "/chat_template"),
        ({"default": "", "a/b": TEMPLATE}, "/chat_template/a~1b"),
        ([{"name": "x", "template": ""}, {"name": "y", "template": TEMPLATE}], None),
    ],
)
def test_a_template_in_a_config(stored: object, pointer: str | None, ensure_ascii: bool) -> None:
    config = {"a": 1, "chat_template": stored, "z": [TEMPLATE]}
    text = json.dumps(config, indent=2, ensure_ascii=ensure_ascii)
    before = file("tokenizer_config.json", text)
    problems = lint(before)
    assert [problem.diagnostic.rule for problem in problems] == ["LT103", "LT103"]
    for problem, word in zip(problems, ("True", "None"), strict=True):
        place = problem.diagnostic.location
        assert place.column and place.line_text[place.column - 1 :].startswith(word)
        assert place.line_text == text.split("\n")[(place.line or 0) - 1]
        assert problem.diagnostic.pointer == (pointer or "/chat_template/1/template")
    after = mend(before, Selection()).file.text
    wanted = json.dumps(config["chat_template"]).replace("True", "true").replace("None", "none")
    assert json.loads(after) == {**config, "chat_template": json.loads(wanted)}
    assert len(after) == len(text)


def test_signs_are_added_in_a_config() -> None:
    text = json.dumps({"chat_template": "{% if true %}\na{% endif %}"})
    mended = mend(file("chat_template.json", text), Selection()).file.text
    assert json.loads(mended) == {"chat_template": "{% if true -%}\na{% endif %}"}


def test_a_config_with_both_kinds_of_templates() -> None:
    response = {"start_anchor": "A", "fields": {"content": {"repeats": True}}}
    config = {"response_template": response, "chat_template": "{{ 'a' if True }}"}
    folder = Path("tokenizer_config.json")
    assert [rule for rule, *_ in rules_and_places(file(folder.name, json.dumps(config)))][:1] == [
        "LT103"
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"chat_template": ""}', True),
        ('{"response_template": {}}', True),
        ("{}", False),
        ('{"a": "chat_template"}', False),
        ("{", True),  # nobody knows
        ("[]", True),
    ],
)
def test_whether_a_config_has_templates(text: str, expected: bool) -> None:
    assert has_templates(text) == expected
