"""Stored chat templates: what transformers 5.24.0 loads and saves, row by row."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast
from transformers.processing_utils import ProcessorMixin

from runtime.chat.layout import StorageError
from runtime.chat.storage import load_chat_template, load_chat_templates, save_chat_templates
from tests.chat.storage_rows import ADD, NAMED, REPOSITORIES, ROWS, Files, config, write


def make_tokenizer(**options: Any) -> PreTrainedTokenizerFast:
    backend = Tokenizer(models.WordLevel({"[UNK]": 0, "a": 1}, unk_token="[UNK]"))
    return PreTrainedTokenizerFast(tokenizer_object=backend, unk_token="[UNK]", **options)


@pytest.fixture(scope="session")
def tokenizer_json(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("tokenizer")
    make_tokenizer().save_pretrained(folder)
    return (folder / "tokenizer.json").read_bytes()


def reference_tokenizer(folder: Path, tokenizer_json: bytes) -> PreTrainedTokenizerFast:
    (folder / "tokenizer.json").write_bytes(tokenizer_json)
    return PreTrainedTokenizerFast.from_pretrained(folder)


def reference_processor(folder: Path) -> Any:
    """The processor's attribute: it keeps what it finds in this dict."""
    return ProcessorMixin.get_processor_dict(folder)[0].get("chat_template")


def outcome(load: Callable[[], Any]) -> Any:
    try:
        return load()
    except (ValueError, KeyError, OSError) as error:
        return next(c for c in (KeyError, OSError, ValueError) if isinstance(error, c))


@pytest.mark.parametrize("row", ROWS)
def test_row_for_tokenizers(row: str, tmp_path: Path, tokenizer_json: bytes) -> None:
    files, expected, _ = ROWS[row]
    write(tmp_path, files)
    assert outcome(lambda: load_chat_templates(tmp_path).templates) == expected
    reference = outcome(lambda: reference_tokenizer(tmp_path, tokenizer_json).chat_template)
    assert reference == expected


@pytest.mark.parametrize("row", ROWS)
def test_row_for_processors(row: str, tmp_path: Path) -> None:
    files, _, expected = ROWS[row]
    write(tmp_path, files)
    ours = outcome(lambda: load_chat_templates(tmp_path, processor=True).templates)
    assert ours == expected
    assert outcome(lambda: reference_processor(tmp_path)) == expected


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(files=REPOSITORIES)
def test_any_mixture_of_files(
    files: Files, tmp_path_factory: pytest.TempPathFactory, tokenizer_json: bytes
) -> None:
    folder = write(tmp_path_factory.mktemp("repository"), files)
    assert outcome(lambda: load_chat_templates(folder).templates) == outcome(
        lambda: reference_tokenizer(folder, tokenizer_json).chat_template
    )
    assert outcome(lambda: load_chat_templates(folder, processor=True).templates) == outcome(
        lambda: reference_processor(folder)
    )


# Templates that transformers loads and cannot render: refused when they are loaded.
UNUSABLE: tuple[Files, ...] = (
    {"tokenizer_config.json": config(5)},
    {"tokenizer_config.json": config({"default": None})},
    {"tokenizer_config.json": config([{"name": "default", "template": 1}])},
)


@pytest.mark.parametrize("files", UNUSABLE)
def test_what_cannot_be_rendered_is_refused(
    files: Files, tmp_path: Path, tokenizer_json: bytes
) -> None:
    write(tmp_path, files)
    with pytest.raises(StorageError, match="not text"):
        load_chat_templates(tmp_path)
    tokenizer = reference_tokenizer(tmp_path, tokenizer_json)
    with pytest.raises((AttributeError, TypeError)):
        tokenizer.apply_chat_template([{"role": "user", "content": "a"}], tokenize=False)


def test_a_list_for_processors_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"chat_template.json": config(NAMED)})
    assert reference_processor(tmp_path) == NAMED  # kept as it is, which nothing can render
    with pytest.raises(StorageError, match="do not read a list"):
        load_chat_templates(tmp_path, processor=True)


def test_a_link_to_nowhere_is_refused_for_processors(tmp_path: Path, tokenizer_json: bytes) -> None:
    write(tmp_path, {"chat_template.jinja": "J", f"{ADD}/rag.jinja": "R"})
    (tmp_path / ADD / "tool_use.jinja").symlink_to("nowhere")
    with pytest.raises(TypeError):
        reference_processor(tmp_path)
    with pytest.raises(StorageError, match=r"tool_use\.jinja: not a file"):
        load_chat_templates(tmp_path, processor=True)
    expected = {"default": "J", "rag": "R"}
    assert load_chat_templates(tmp_path).templates == expected
    assert reference_tokenizer(tmp_path, tokenizer_json).chat_template == expected


SAVED: tuple[Any, ...] = (
    "",
    "{{ messages }}\n",
    "a\r\nb",
    "\ufeffé",
    None,
    {},
    {"default": "D"},
    {"default": "D", "tool_use": "T", "a.b": "R\n", "é": "S"},
    {"tool_use": "T"},
)


@pytest.mark.parametrize("templates", SAVED)
def test_saved_files_are_those_of_the_reference(templates: Any, tmp_path: Path) -> None:
    make_tokenizer(chat_template=templates).save_pretrained(tmp_path / "theirs")
    saved = save_chat_templates(tmp_path / "ours", templates)
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    assert {name: (ours / name).read_bytes() for name in saved.written} == {
        path.relative_to(theirs).as_posix(): path.read_bytes() for path in theirs.rglob("*.jinja")
    }
    assert load_chat_templates(theirs).templates == load_chat_templates(ours).templates


@pytest.mark.parametrize("templates", SAVED)
def test_round_trip(templates: Any, tmp_path: Path, tokenizer_json: bytes) -> None:
    make_tokenizer(chat_template=templates).save_pretrained(tmp_path / "theirs")
    loaded = load_chat_templates(tmp_path / "theirs").templates
    save_chat_templates(tmp_path / "ours", loaded)
    again = reference_tokenizer(tmp_path / "ours", tokenizer_json).chat_template
    assert (
        again
        == loaded
        == PreTrainedTokenizerFast.from_pretrained(tmp_path / "theirs").chat_template
    )


class TextProcessor(ProcessorMixin):
    """The smallest real processor: a tokenizer and nothing more."""

    def __init__(self, tokenizer: Any = None, chat_template: Any = None) -> None:
        super().__init__(tokenizer, chat_template=chat_template)


@pytest.mark.parametrize("templates", SAVED)
def test_round_trip_of_processors(templates: Any, tmp_path: Path) -> None:
    TextProcessor(make_tokenizer(), chat_template=templates).save_pretrained(tmp_path / "theirs")
    loaded = load_chat_templates(tmp_path / "theirs", processor=True).templates
    assert loaded == TextProcessor.from_pretrained(tmp_path / "theirs").chat_template
    make_tokenizer().save_pretrained(tmp_path / "ours")
    save_chat_templates(tmp_path / "ours", loaded)
    assert TextProcessor.from_pretrained(tmp_path / "ours").chat_template == loaded


@pytest.mark.parametrize("value", ["L", {"default": "D", "tool_use": "T"}, {"b": "B", "a": "A"}])
@pytest.mark.parametrize("wanted", [None, "default", "tool_use", "literal"])
def test_the_template_a_processor_takes(value: Any, wanted: str | None, tmp_path: Path) -> None:
    make_tokenizer().save_pretrained(tmp_path)
    write(tmp_path, {"chat_template.json": config(value)})
    processor = TextProcessor.from_pretrained(tmp_path)
    chat = [{"role": "user", "content": "a"}]
    try:
        expected = processor.apply_chat_template(chat, wanted, tools=[])
    except ValueError as error:
        with pytest.raises(ValueError) as ours:
            load_chat_template(tmp_path, wanted, [], processor=True)
        assert str(ours.value) == str(error)
    else:
        template = load_chat_template(tmp_path, wanted, [], processor=True)
        assert template.render(chat, tools=[]) == expected


@pytest.mark.parametrize("templates", ["T\n", {"default": "D", "tool_use": "T"}])
def test_round_trip_of_the_legacy_form(templates: Any, tmp_path: Path) -> None:
    make_tokenizer(chat_template=templates).save_pretrained(tmp_path, save_jinja_files=False)
    assert not (tmp_path / "chat_template.jinja").exists()
    assert load_chat_templates(tmp_path).templates == templates


@pytest.mark.parametrize("name", ["../evil", "/tmp/evil", "a/b", "../additional_chat_templates_/x"])
def test_escaping_names_give_the_same_error(name: str, tmp_path: Path) -> None:
    templates = {"default": "D", name: "X"}
    with pytest.raises(ValueError) as theirs:
        make_tokenizer(chat_template=templates).save_pretrained(tmp_path / "theirs")
    with pytest.raises(ValueError) as ours:
        save_chat_templates(tmp_path / "ours", templates)
    assert str(ours.value) == str(theirs.value)
    assert not (tmp_path / "ours").exists()


@pytest.mark.parametrize("value", ["C", NAMED, NAMED[:1], NAMED[1:], {"x": "X"}])
@pytest.mark.parametrize("wanted", [None, "default", "tool_use", "literal"])
@pytest.mark.parametrize("tools", [None, [], [{"name": "f"}]])
def test_the_template_taken(
    value: Any, wanted: str | None, tools: Any, tmp_path: Path, tokenizer_json: bytes
) -> None:
    write(tmp_path, {"tokenizer_config.json": config(value)})
    tokenizer = reference_tokenizer(tmp_path, tokenizer_json)
    try:
        expected = tokenizer.get_chat_template(wanted, tools)
    except ValueError as error:
        with pytest.raises(ValueError) as ours:
            load_chat_template(tmp_path, wanted, tools)
        assert str(ours.value) == str(error)
    else:
        assert load_chat_template(tmp_path, wanted, tools).source == expected
