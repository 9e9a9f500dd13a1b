"""Stored chat templates: what is loaded, from where, what is warned of, what is saved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runtime.chat.layout import StorageError
from runtime.chat.special_tokens import load_special_tokens
from runtime.chat.storage import load_chat_template, load_chat_templates, save_chat_templates
from tests.chat.storage_rows import ADD, NAMED, ROWS, Files, config, write

CASES = [
    json.loads(line)
    for line in Path(__file__).with_name("storage_cases.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("processor", [False, True])
@pytest.mark.parametrize("row", ROWS)
def test_loading_table(row: str, processor: bool, tmp_path: Path) -> None:
    files, *expected = ROWS[row]
    write(tmp_path, files)
    if isinstance(expected[processor], type):
        with pytest.raises(expected[processor]) as error:
            load_chat_templates(tmp_path, processor)
        assert isinstance(error.value, StorageError)
        assert str(error.value).startswith(tuple(files))  # the file at fault
    else:
        assert load_chat_templates(tmp_path, processor).templates == expected[processor]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: dict[str, Any], tmp_path: Path) -> None:
    write(tmp_path, case["template"])
    assert load_chat_template(tmp_path).render(**case["context"]) == case["expected"]


def test_origins(tmp_path: Path) -> None:
    write(tmp_path, {"chat_template.jinja": "J", f"{ADD}/rag.jinja": "R"})
    assert load_chat_templates(tmp_path).origins == {
        "default": "chat_template.jinja",
        "rag": f"{ADD}/rag.jinja",
    }
    write(tmp_path, {"processor_config.json": config("P")})
    assert load_chat_templates(tmp_path, processor=True).origins == {
        "default": "processor_config.json"
    }


C, L, P = "tokenizer_config.json", "chat_template.json", "processor_config.json"
J, DEFAULT, FILE = "chat_template.jinja", f"{ADD}/default.jinja", f"{ADD}/file.jinja"

# Files -> the rules and files a tokenizer's user is warned of, and a processor's.
WARNED: list[tuple[Files, set[tuple[str, str]], set[tuple[str, str]]]] = [
    ({J: "J"}, set(), set()),
    ({J: "J", f"{ADD}/rag.jinja": "R"}, set(), set()),
    ({C: config("C")}, set(), {("LT805", C)}),
    ({C: config("C"), J: "J"}, {("LT801", C)}, {("LT805", C)}),
    ({C: config("J"), J: "J"}, set(), set()),  # nothing is lost
    ({C: config(NAMED), J: "D"}, {("LT801", C)}, {("LT805", C)}),
    (
        {C: config("C"), f"{ADD}/rag.jinja": "R"},
        {("LT801", C), ("LT807", f"{ADD}/rag.jinja")},
        {("LT805", C), ("LT807", f"{ADD}/rag.jinja")},
    ),
    ({J: "J", DEFAULT: "A"}, {("LT802", J)}, {("LT802", DEFAULT)}),
    ({J: "", DEFAULT: "A"}, {("LT802", J)}, {("LT808", J), ("LT802", DEFAULT)}),
    ({J: "J", FILE: "F"}, {("LT803", J), ("LT803", FILE)}, set()),
    ({J: "F", FILE: "F"}, {("LT803", FILE)}, set()),
    ({L: config("L"), J: "J"}, {("LT805", L)}, {("LT804", J)}),
    ({L: config(None), J: "J"}, set(), {("LT804", J)}),
    ({L: config("L")}, {("LT805", L)}, set()),
    ({L: config(""), J: "J"}, {("LT805", L)}, {("LT808", L), ("LT804", J)}),
    (
        {P: config("P"), L: config("L"), J: "J"},
        {("LT805", P), ("LT805", L)},
        {("LT806", L), ("LT806", J)},
    ),
    ({P: config("P"), L: config("P"), J: "P"}, set(), set()),
    ({J: ""}, {("LT808", J)}, {("LT808", J)}),
    ({J: "", C: config("C")}, {("LT808", J), ("LT801", C)}, {("LT808", J), ("LT805", C)}),
    ({J: "\ufeffJ"}, {("LT809", J)}, {("LT809", J)}),
    ({C: config([*NAMED, {"name": "default", "template": "E"}])}, {("LT810", C)}, {("LT805", C)}),
    ({C: config([*NAMED, NAMED[0]])}, set(), {("LT805", C)}),
    ({C: config(NAMED[1:])}, {("LT807", C)}, {("LT805", C)}),
    ({L: "{", J: "J"}, set(), set()),  # tokenizers never open it
]


@pytest.mark.parametrize("processor", [False, True])
@pytest.mark.parametrize("row", WARNED)
def test_warnings(row: Any, processor: bool, tmp_path: Path) -> None:
    files, *expected = row
    write(tmp_path, files)
    if processor and files.get(L) == "{":
        with pytest.raises(StorageError):
            load_chat_templates(tmp_path, processor)
        return
    warnings = load_chat_templates(tmp_path, processor).warnings
    assert {(warning.id, warning.file) for warning in warnings} == expected[processor]
    assert len(warnings) == len(expected[processor])


def test_warnings_say_what_is_lost(tmp_path: Path) -> None:
    write(tmp_path, {C: config(NAMED), J: "D"})
    (warning,) = load_chat_templates(tmp_path).warnings
    assert warning.message == "not read, as there are .jinja files; it has: 'tool_use'"


def test_a_link_to_nowhere(tmp_path: Path) -> None:
    write(tmp_path, {J: "J", f"{ADD}/rag.jinja": "R"})
    (tmp_path / ADD / "tool_use.jinja").symlink_to("nowhere")
    assert load_chat_templates(tmp_path).templates == {"default": "J", "rag": "R"}
    with pytest.raises(StorageError, match=r"tool_use\.jinja: not a file"):
        load_chat_templates(tmp_path, processor=True)


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_chat_templates(tmp_path / "none")


def test_saving_over_other_templates(tmp_path: Path) -> None:
    write(tmp_path, {J: "old", f"{ADD}/old.jinja": "O", C: config("C"), L: "{", P: "{}"})
    saved = save_chat_templates(tmp_path, {"tool_use": "T", "rag": "R"})
    assert saved.written == (f"{ADD}/tool_use.jinja", f"{ADD}/rag.jinja")
    assert set(saved.stale) == {J, f"{ADD}/old.jinja", C, L}
    assert (tmp_path / J).read_text() == "old"


def test_saving_replaces_links_and_does_not_follow_them(tmp_path: Path) -> None:
    write(tmp_path, {"elsewhere": "precious", f"repo/{ADD}/x.jinja": "X"})
    (tmp_path / "repo" / J).symlink_to(tmp_path / "elsewhere")
    save_chat_templates(tmp_path / "repo", "new")
    assert (tmp_path / "elsewhere").read_text() == "precious"
    assert (tmp_path / "repo" / J).read_text() == "new"
    assert not (tmp_path / "repo" / J).is_symlink()


@pytest.mark.parametrize(
    "name",
    [
        "../evil",
        "a/b",
        "/evil",
        "..\\evil",
        "C:evil",
        "",
        "a\x00b",
        "a\nb",
        "a*",
        "\udc80",
        "n" * 250,
    ],
)
def test_unfit_names_are_refused_before_anything_is_written(name: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="Invalid chat template name"):
        save_chat_templates(tmp_path, {"default": "D", "rag": "R", name: "X"})
    assert list(tmp_path.iterdir()) == []


def test_text_that_cannot_be_written_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError):
        save_chat_templates(tmp_path, {"default": "D", "rag": "\ud800"})
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {J: "old"})

    def fail(*_: Any) -> None:
        raise OSError("disk")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError, match="disk"):
        save_chat_templates(tmp_path, "new")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(J, "old")]


@pytest.mark.parametrize("templates", ["T\n\n", {"default": "D", "tool_use": "T", "a.b": ""}])
@pytest.mark.parametrize("processor", [False, True])
def test_round_trip(templates: Any, processor: bool, tmp_path: Path) -> None:
    assert save_chat_templates(tmp_path, templates).stale == ()
    assert load_chat_templates(tmp_path, processor).templates == templates


def test_processors_never_take_tool_use(tmp_path: Path) -> None:
    save_chat_templates(tmp_path, {"default": "D", "tool_use": "T"})
    assert load_chat_template(tmp_path, tools=[]).source == "T"
    assert load_chat_template(tmp_path, tools=[], processor=True).source == "D"
    assert load_chat_template(tmp_path, "tool_use", processor=True).source == "T"


def test_no_template(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"tokenizer\.chat_template is not set"):
        load_chat_template(tmp_path)
    with pytest.raises(ValueError, match="does not have a chat template"):
        load_chat_template(tmp_path, processor=True)


def test_special_tokens(tmp_path: Path) -> None:
    assert load_special_tokens(tmp_path) == {}
    added = {"__type": "AddedToken", "content": "<s>"}
    write(tmp_path, {C: json.dumps({"bos_token": added, "pad_token": None, "add_bos_token": True})})
    assert load_special_tokens(tmp_path) == {"bos_token": "<s>"}
    write(tmp_path, {"special_tokens_map.json": '{"eos_token": {"content": "</s>"}}'})
    assert load_special_tokens(tmp_path) == {"bos_token": "<s>", "eos_token": "</s>"}
    write(tmp_path, {C: '{"bos_token": 5}'})
    with pytest.raises(StorageError, match="bos_token: not a token: 5"):
        load_special_tokens(tmp_path)
