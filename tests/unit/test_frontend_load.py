"""Templates are found in dicts, JSON files, tokenizer configs and model folders."""

from __future__ import annotations

import enum
import json
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from compiler.diagnostics import Diagnostic, TemplateError
from compiler.frontend.load import load
from compiler.frontend.validate import validate

SMALL = {"start_anchor": "A", "fields": {"content": {"close": "</a>"}}}


@pytest.fixture(autouse=True)
def current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(path: str, value: Any) -> Path:
    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return file


def refused(target: Any) -> Diagnostic:
    with pytest.raises(TemplateError) as caught:
        validate(load(target))
    (diagnostic,) = caught.value.diagnostics
    return diagnostic


def test_a_dict_is_copied() -> None:
    template = json.loads(json.dumps(SMALL))
    source = load(template)
    checked = validate(source)
    template["fields"]["content"]["close"] = "</b>"
    template["start_anchor"] = 5
    assert source.display == "<template>"
    assert source.spec == SMALL == json.loads(source.text)
    assert validate(source) == checked


def test_a_defaults_dict_changed_later_does_not_reach_the_template() -> None:
    template: dict[str, Any] = {**SMALL, "defaults": {"tags": ["a"]}}
    checked = validate(load(template))
    template["defaults"]["tags"].append("b")
    assert checked.template.defaults == {"tags": ["a"]}


def test_a_file_is_the_template() -> None:
    file = write("grammars/demo/response_template.json", SMALL)
    source = load(file)
    assert (source.display, source.base_pointer) == ("grammars/demo/response_template.json", "")
    assert source.spec == SMALL
    assert load(str(file)) == source == load(file.resolve())


def test_any_file_name_will_do() -> None:
    assert load(write("x.json", SMALL)).spec == SMALL
    wrapped = load(write("config.json", {"response_template": SMALL, "x": 1}))
    assert (wrapped.base_pointer, wrapped.spec) == ("/response_template", SMALL)


def test_a_tokenizer_config_holds_the_template_under_a_key() -> None:
    config = {"model_max_length": 8, "response_template": {**SMALL, "fields": {"x": {"opn": "a"}}}}
    text = json.dumps(config, indent=2)
    diagnostic = refused(write("tokenizer_config.json", text))
    assert diagnostic.pointer == "/response_template/fields/x/opn"
    assert diagnostic.location.line_text.strip() == '"opn": "a"'
    assert diagnostic.location.column == 9


def test_a_model_folder_prefers_the_template_file() -> None:
    write("model/tokenizer_config.json", {"response_template": {**SMALL, "start_anchor": "B"}})
    assert load("model").display == "model/tokenizer_config.json"
    write("model/response_template.json", SMALL)
    assert load("model").display == "model/response_template.json"


def test_a_byte_order_mark_is_dropped() -> None:
    Path("bom.json").write_bytes(b"\xef\xbb\xbf" + json.dumps(SMALL).encode())
    assert load("bom.json").spec == SMALL


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({}, "no response template here; the file holds an empty object"),
        (
            {"response_template": None},
            'no response template here ("response_template" is null); the file holds an object '
            'with "response_template"',
        ),
        (
            dict.fromkeys("gfedcba", 1),
            "no response template here; the file holds an object with "
            '"a", "b", "c", "d", "e" and 2 more',
        ),
    ],
)
@pytest.mark.parametrize("name", ["tokenizer_config.json", "other.json"])
def test_a_file_without_template_says_what_it_holds(name: str, content: Any, message: str) -> None:
    diagnostic = refused(write(name, content))
    assert (diagnostic.rule, diagnostic.message) == ("RT003", message)
    assert (diagnostic.location.file, diagnostic.location.line) == (name, None)


def test_a_tokenizer_config_is_never_the_template_itself() -> None:
    assert refused(write("tokenizer_config.json", {"version": 1})).rule == "RT003"
    assert load(write("other.json", {"version": 1})).spec == {"version": 1}


def test_a_folder_without_template() -> None:
    Path("empty").mkdir()
    assert refused("empty").rule == "RT003"


def test_missing_and_unreadable_input() -> None:
    assert refused("nowhere.json").message == "no such file or folder"
    assert refused('{"fields": {}}').hint == "this is a path; pass a template in memory as a dict"
    Path("latin.json").write_bytes(b'{"a": "\xe9"}')
    assert refused("latin.json").message == "not UTF-8 text: byte 0xe9 at offset 7"
    assert refused("null\0character").rule == "RT001"


def test_invalid_json_is_located() -> None:
    diagnostic = refused(write("bad.json", '{\r\n  "fields": {},\r\n  oops\r\n}'))
    assert diagnostic.rule == "RT002"
    assert (diagnostic.location.line, diagnostic.location.column) == (3, 3)
    assert diagnostic.location.line_text == "  oops"


@pytest.mark.parametrize("text", ["[" * 100_000, '{"start_anchor": ' + "1" * 5_000 + "}"])
def test_json_that_python_cannot_hold_is_refused(text: str) -> None:
    assert refused(write("huge.json", text)).rule in ("RT002", "RT006")


def test_deep_but_readable_json_is_refused_where_it_gets_too_deep() -> None:
    deep = "[" * 200 + "]" * 200
    text = f'{{"start_anchor": "A", "defaults": {{"x": {deep}}}, "fields": {{"content": {{}}}}}}'
    diagnostic = refused(write("deep.json", text))
    assert (diagnostic.rule, diagnostic.location.column) == ("RT006", text.index("[[") + 1 + 98)


def test_repeated_keys_are_reported_inside_the_template_only() -> None:
    text = """{
  "x": 1, "x": 2,
  "response_template": {},
  "response_template": {
    "start_anchor": "A",
    "fields": {"content": {"close": "a", "close": "b"}}
  }
}"""
    checked = validate(load(write("tokenizer_config.json", text)))
    places = [(w.rule, w.pointer, w.location.line, w.hint) for w in checked.warnings]
    assert places == [
        ("RT901", "/response_template", 4, "first given on line 3"),
        ("RT901", "/response_template/fields/content/close", 6, "first given on line 6"),
    ]
    assert checked.template.fields[0].closer is not None
    assert checked.template.fields[0].closer.literals == ("b",)


class Color(str, enum.Enum):
    RED = "red"


class Weight(float):
    pass


def test_subclasses_of_json_types_become_plain() -> None:
    source = load({"defaults": {Color.RED: Color.RED, "w": Weight(0.5)}, **SMALL})
    assert isinstance(source.spec, dict)
    defaults = source.spec["defaults"]
    assert defaults == {"red": "red", "w": 0.5}
    assert [type(x) for x in (*defaults, *defaults.values())] == [str, str, str, float]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ((1, 2), "a Python tuple cannot be written as JSON"),
        ({1, 2}, "a Python set cannot be written as JSON"),
        (b"x", "a Python bytes cannot be written as JSON"),
        (object(), "a Python object cannot be written as JSON"),
        ({5: "x"}, "a key of type int cannot be written as JSON"),
        ({(1, 2): "x"}, "a key of type tuple cannot be written as JSON"),
        pytest.param(
            10**5_000, "an integer of over 4,200 digits cannot be written as JSON", id="digits"
        ),
    ],
)
@pytest.mark.parametrize("key", ["defaults", "fields", "unknown", "start_anchor"])
def test_what_json_cannot_hold_is_an_error(key: str, value: Any, message: str) -> None:
    with pytest.raises(TemplateError) as caught:
        validate(load({**SMALL, key: value}))
    messages = [d.message for d in caught.value.diagnostics if d.rule == "RT005"]
    assert messages == [message]


def test_a_dict_that_contains_itself_is_an_error() -> None:
    template: dict[str, Any] = json.loads(json.dumps(SMALL))
    template["fields"]["content"]["transform"] = [template]
    assert refused(template).rule == "RT006"


def test_nothing_more_is_said_about_a_value_json_cannot_hold() -> None:
    template: dict[Any, Any] = {"start_anchor": {"A"}, "fields": {"a": ({},), "ab": 5}, 7: 0}
    with pytest.raises(TemplateError) as caught:
        validate(load(template))
    found = [(d.rule, d.pointer) for d in caught.value.diagnostics]
    assert found == [
        ("RT005", "/start_anchor"),
        ("RT005", "/fields/a"),
        ("RT106", "/fields/ab"),
        ("RT005", "/7"),
    ]


def test_other_mistakes_are_still_found_beside_a_value_json_cannot_hold() -> None:
    with pytest.raises(TemplateError) as caught:
        validate(load({"start_anchor": ("A",), "fields": {"x": {"opn": 1}}}))
    assert [d.rule for d in caught.value.diagnostics] == ["RT005", "RT107"]


@pytest.mark.parametrize("target", [None, [SMALL], 5, True])
def test_something_that_is_no_template(target: Any) -> None:
    assert refused(target).rule == "RT101"


def test_a_mapping_that_is_no_dict_is_refused() -> None:
    assert refused(MappingProxyType(SMALL)).rule == "RT005"


def test_a_display_path_outside_the_current_folder_stays_as_given(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    write("outer.json", SMALL)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path / "inner")
        assert load("../outer.json").display == "../outer.json"
