"""`chatc upgrade`: legacy layouts become files, nothing is lost, what is ambiguous is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from compiler.cli import main
from compiler.exporters.config_edit import ConfigError, remove_member
from compiler.exporters.file_changes import FileChange, apply_changes
from compiler.exporters.upgrade import Refused, Storage, Upgrade, plan_upgrade
from runtime.chat.layout import StorageError, template_path
from runtime.chat.precedence import processor_templates, tokenizer_templates
from runtime.chat.reading import stored_templates, template_files
from tests.chat.storage_rows import ADD, NAMED, REPOSITORIES, Files, config, write

C, L, P = "tokenizer_config.json", "chat_template.json", "processor_config.json"
J, DEFAULT, FILE = "chat_template.jinja", f"{ADD}/default.jinja", f"{ADD}/file.jinja"
TOOL_USE = f"{ADD}/tool_use.jinja"
PLAIN = '{"model_max_length": 8}'  # a config without its template


def legacy(value: Any) -> str:
    return json.dumps({"chat_template": value})


STORAGE = Storage(stored_templates, tokenizer_templates, processor_templates, template_path)


def plan(files: Mapping[str, bytes], processor: bool = False) -> Upgrade:
    return plan_upgrade(files, STORAGE, processor)


def snapshot(folder: Path) -> dict[str, bytes]:
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def upgrade(folder: Path, *options: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["upgrade", str(folder), *options])
    assert isinstance(ended.value.code, int)
    return ended.value.code


CONVERTED: dict[str, tuple[Files, Files]] = {
    "config text": ({C: config("C\n")}, {C: PLAIN, J: "C\n"}),
    "config list": ({C: config(NAMED)}, {C: PLAIN, J: "D", TOOL_USE: "T"}),
    "config list of one": ({C: config(NAMED[:1])}, {C: PLAIN, J: "D"}),
    "config list without default": ({C: config(NAMED[1:])}, {C: PLAIN, TOOL_USE: "T"}),
    "config dict": (
        {C: config({"default": "D", "a.b": "X"})},
        {C: PLAIN, J: "D", f"{ADD}/a.b.jinja": "X"},
    ),
    "the same in a list": ({C: config([*NAMED, NAMED[0]])}, {C: PLAIN, J: "D", TOOL_USE: "T"}),
    "the same in both": ({C: config("J"), J: "J"}, {C: PLAIN, J: "J"}),
    "the same but for line ends": ({C: config("a\nb"), J: "a\r\nb"}, {C: PLAIN, J: "a\r\nb"}),
    "the same line ends": ({C: config("a\r\nb"), J: "a\r\nb"}, {C: PLAIN, J: "a\r\nb"}),
    "line ends of the config": ({C: config("a\r\nb")}, {C: PLAIN, J: "a\r\nb"}),
    "list with more than the files": (
        {C: config(NAMED), J: "D"},
        {C: PLAIN, J: "D", TOOL_USE: "T"},
    ),
    "default hidden by additional": (
        {C: config("C"), TOOL_USE: "T"},
        {C: PLAIN, J: "C", TOOL_USE: "T"},
    ),
    "legacy": ({L: legacy("L")}, {J: "L"}),
    "legacy and additional": ({L: legacy("L"), TOOL_USE: "T"}, {J: "L", TOOL_USE: "T"}),
    "legacy and the same config": ({L: legacy("L"), C: config("L")}, {C: PLAIN, J: "L"}),
    "legacy list": ({L: legacy(NAMED)}, {J: "D", TOOL_USE: "T"}),
    "legacy null": ({L: legacy(None), J: "J"}, {J: "J"}),
    "processor config": ({P: config("P")}, {P: PLAIN, J: "P"}),
    "processor config, all the same": (
        {P: config("P"), L: legacy("P"), C: config("P"), J: "P"},
        {P: PLAIN, C: PLAIN, J: "P"},
    ),
    "processor config null stays": (
        {P: config(None), C: config("C")},
        {P: config(None), C: PLAIN, J: "C"},
    ),
    "default out of its place": ({DEFAULT: "A\r\n"}, {J: "A\r\n"}),
    "default in both, the same": ({J: "A", DEFAULT: "A"}, {J: "A"}),
    "default in both and legacy": ({L: legacy("A"), DEFAULT: "A"}, {J: "A"}),
    "up to date": ({J: "J", TOOL_USE: "T", C: PLAIN}, {J: "J", TOOL_USE: "T", C: PLAIN}),
    "other files": (
        {C: config("C"), "a.jinja": "X", "b": "Y"},
        {C: PLAIN, J: "C", "a.jinja": "X", "b": "Y"},
    ),
}


@pytest.mark.parametrize("processor", [(), ("--processor",)])
@pytest.mark.parametrize("name", CONVERTED)
def test_converted(name: str, processor: tuple[str, ...], tmp_path: Path) -> None:
    files, expected = CONVERTED[name]
    write(tmp_path, files)
    assert upgrade(tmp_path, *processor) == 0
    found = {file: content.decode() for file, content in snapshot(tmp_path).items()}
    assert found == expected
    assert upgrade(tmp_path, *processor) == 0  # and nothing changes
    assert {file: content.decode() for file, content in snapshot(tmp_path).items()} == expected


REFUSED: dict[str, tuple[Files, tuple[str, ...]]] = {
    "config and jinja differ": (
        {C: config("C"), J: "J"},
        (f"'default' differs between {J} and {C}; tokenizers read the one in {J}; keep one",),
    ),
    "by a byte order mark": ({C: config("J"), J: "\ufeffJ"}, ("by a byte order mark only",)),
    "by a line break": ({C: config("J"), J: "J\n"}, ("by white space at its ends only",)),
    "by everything": ({C: config("C"), J: ""}, ("where one is empty",)),
    "default in both": (
        {J: "J", DEFAULT: "A"},
        (f"'default' differs between {J} and {DEFAULT}; tokenizers read the one in {DEFAULT}",),
    ),
    "legacy and jinja differ": (
        {L: legacy("L"), J: "J"},
        (f"'default' differs between {J} and {L}; tokenizers read the one in {J}",),
    ),
    "legacy and config differ": ({L: legacy("L"), C: config("C")}, (f"between {C} and {L}",)),
    "processor config differs": ({P: config("P"), J: "J"}, (f"between {J} and {P}",)),
    "tool_use differs": ({C: config(NAMED), TOOL_USE: "U"}, ("'tool_use' differs",)),
    "twice in a list": (
        {C: config([*NAMED, {"name": "default", "template": "E"}])},
        ("'default' differs between two entries of tokenizer_config.json",),
    ),
    "the key twice": (
        {C: '{"chat_template": "A", "chat_template": "B"}'},
        ('the key "chat_template" is given 2 times; keep one',),
    ),
    "a name twice": (
        {C: '{"chat_template": {"x": "A", "x": "B"}}'},
        ("a name in 'chat_template' is given more than once",),
    ),
    "a name that escapes": (
        {C: config({"../evil": "X"})},
        (f"{C}: Invalid chat template name: '../evil'",),
    ),
    "the name file": (
        {J: "J", FILE: "F"},
        (f"{FILE}: the template 'file', as a file, is what tokenizers take",),
    ),
    "the name file in a list": (
        {C: config({"file": "F"})},
        (f"{C}: the template 'file', as a file",),
    ),
    "names that differ in case": (
        {C: config({"rag": "1", "RAG": "2"})},
        ("where case does not count",),
    ),
    "half a character": ({C: config("\ud800")}, ("half a character",)),
    "no text": ({C: config(5)}, ("is not text but 5",)),
    "a byte order mark in JSON": ({C: "\ufeff" + config("C")}, (f"{C}: not JSON", "BOM")),
    "not JSON": ({C: "{", J: "J"}, (f"{C}: not JSON",)),
    "not UTF-8": ({J: b"\xff"}, (f"{J}: not UTF-8",)),
    "legacy with more in it": (
        {L: config("L")},
        (f"{L}: it would be deleted, but also holds 'model_max_length'",),
    ),
    "legacy without a template": ({L: "{}", J: "J"}, (f"{L}: no 'chat_template' in it",)),
    "several reasons": (
        {C: config({"default": "C", "a/b": "X"}), J: "J"},
        ("'default' differs", "Invalid chat template name"),
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files, reasons = REFUSED[name]
    write(tmp_path, files)
    before = snapshot(tmp_path)
    assert upgrade(tmp_path) == 1
    told = capsys.readouterr().err
    assert all(reason in told for reason in reasons), told
    assert snapshot(tmp_path) == before


@settings(max_examples=500, deadline=None)
@given(files=REPOSITORIES)
def test_nothing_is_lost(files: Mapping[str, str]) -> None:
    given_files = {file: text.encode() for file, text in files.items()}
    for processor in (False, True):
        try:
            upgraded = plan(given_files, processor)
        except Refused:
            continue
        after = dict(given_files)
        for step in upgraded.steps:
            if step.change.content is None:
                del after[step.change.file]
            else:
                after[step.change.file] = step.change.content
        assert after.keys() <= given_files.keys() | {J, TOOL_USE, FILE, *_paths(upgraded)}
        kept = {(t.name, t.text.replace("\r\n", "\n")) for t in stored_templates(after)}
        for template in stored_templates(given_files):
            assert (template.name, template.text.replace("\r\n", "\n")) in kept
        assert all(template.file.endswith(".jinja") for template in stored_templates(after))
        for load in (tokenizer_templates, processor_templates):
            now = _named(load(after).templates)
            try:
                before = _named(load(given_files).templates)
            except StorageError:
                continue
            assert {name: now.get(name) for name in before} == before
        assert plan(after, processor).steps == ()


def _paths(upgraded: Upgrade) -> list[str]:
    return [template_path(name) for name in upgraded.names]


def _named(templates: Any) -> dict[str, str]:
    named = {"default": templates} if isinstance(templates, str) else templates or {}
    return {name: text.replace("\r\n", "\n") for name, text in named.items()}


def test_dry_run_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, {C: config(NAMED), DEFAULT: "D"})
    before = snapshot(tmp_path)
    assert upgrade(tmp_path, "--dry-run") == 0
    assert snapshot(tmp_path) == before
    assert capsys.readouterr().err.splitlines() == [
        f"{J} would be written (from {DEFAULT})",
        f"{TOOL_USE} would be written (from {C})",
        f'{C} would be edited: "chat_template" removed',
        f"{DEFAULT} would be deleted",
        "note: the template 'tool_use' was not read before and is read now",
    ]


def test_what_it_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, {C: config(NAMED[:1])})
    assert upgrade(tmp_path) == 0
    assert capsys.readouterr().err.splitlines() == [
        f"{J} written (from {C})",
        f'{C} edited: "chat_template" removed',
        "note: the only template is no longer a named one: chat_template='default' would now be "
        "rendered as a template itself",
    ]
    assert upgrade(tmp_path) == 0
    assert capsys.readouterr().err == "up to date\n"


@pytest.mark.parametrize(
    ("files", "options", "note"),
    [
        ({C: config("C"), TOOL_USE: "T"}, (), "'default' was not read before and is read now"),
        ({L: legacy("L")}, (), "'default' was not read before and is read now"),
        ({L: legacy("L"), TOOL_USE: "T"}, ("--processor",), "could not be loaded before"),
        ({C: config(NAMED[1:])}, (), f"LT807 {TOOL_USE}: no template named 'default' is read"),
        ({J: "\ufeffJ"}, (), f"LT809 {J}: the template 'default' starts with a byte order mark"),
    ],
)
def test_notes(
    files: Files,
    options: tuple[str, ...],
    note: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(tmp_path, files)
    assert upgrade(tmp_path, *options) == 0
    assert note in capsys.readouterr().err


def test_the_name_file_is_fine_for_processors(tmp_path: Path) -> None:
    write(tmp_path, {L: legacy(None), J: "J", FILE: "F"})
    assert upgrade(tmp_path) == 1
    assert upgrade(tmp_path, "--processor") == 0
    assert snapshot(tmp_path).keys() == {J, FILE}


def test_the_name_file_may_not_become_the_default_of_tokenizers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, {DEFAULT: "A", FILE: "F"})
    before = snapshot(tmp_path)
    assert upgrade(tmp_path, "--processor") == 1
    assert "'default' would be another one for tokenizers" in capsys.readouterr().err
    assert snapshot(tmp_path) == before


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, {C: config("C")})
    assert upgrade(tmp_path, "--json", "--dry-run") == 0
    assert json.loads(capsys.readouterr().out) == {
        "changes": [
            {"file": J, "action": "written", "from": C},
            {"file": C, "action": "edited", "from": None},
        ],
        "notes": [],
        "refused": [],
    }
    write(tmp_path, {J: "J"})
    assert upgrade(tmp_path, "--json") == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["changes"], len(told["refused"])) == ([], 1)


@pytest.mark.parametrize("files", [{}, {C: PLAIN}])
def test_nothing_to_convert(files: Files, tmp_path: Path) -> None:
    write(tmp_path, files)
    assert upgrade(tmp_path) == 2
    assert upgrade(tmp_path / "none") == 2


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"chat_template": "x"}\n', "{}\n"),
        ('{\n  "chat_template": "x"\n}', "{}"),
        ('{\n  "a": 1,\n  "chat_template": "x"\n}\n', '{\n  "a": 1\n}\n'),
        ('{\r\n\t"chat_template" : [1, {"b": 2}] ,\r\n\t"a": 1\r\n}', '{\r\n\t"a": 1\r\n}'),
        ('{"a":1,"chat_template":"x","b":"\\u00e9"}', '{"a":1,"b":"\\u00e9"}'),
        ('{"a": {"chat_template": 1}}', '{"a": {"chat_template": 1}}'),
        ('\ufeff{"chat\\u005ftemplate": 1, "a" :  2 }', '\ufeff{"a" :  2 }'),
    ],
)
def test_only_the_member_is_removed(before: str, after: str) -> None:
    assert remove_member(before, "chat_template") == after


def test_a_key_given_twice_is_not_removed() -> None:
    with pytest.raises(ConfigError, match="given 2 times"):
        remove_member('{"a": 1, "a": 2}', "a")


def test_rights_are_kept(tmp_path: Path) -> None:
    write(tmp_path, {C: config("C")})
    (tmp_path / C).chmod(0o600)
    assert upgrade(tmp_path) == 0
    assert (tmp_path / C).stat().st_mode & 0o777 == 0o600
    assert (tmp_path / J).stat().st_mode & 0o777 == 0o644


CHANGES = (
    FileChange(J, b"new"),
    FileChange(f"{ADD}/a.jinja", b"A"),
    FileChange(C, b"{}"),
    FileChange(L, None),
)


@pytest.mark.parametrize("failing", range(4))
def test_all_or_nothing(failing: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {C: config("C"), L: legacy("L")})
    before = snapshot(tmp_path)
    replace, unlink = Path.replace, Path.unlink
    calls = []

    def counted(action: Any) -> Any:
        def run(*arguments: Any) -> Any:
            calls.append(arguments)
            if len(calls) == failing + 1:
                raise OSError("disk")
            return action(*arguments)

        return run

    monkeypatch.setattr(Path, "replace", counted(replace))
    monkeypatch.setattr(Path, "unlink", counted(unlink))
    with pytest.raises(OSError, match="disk"):
        apply_changes(tmp_path, CHANGES)
    monkeypatch.undo()
    assert snapshot(tmp_path) == before
    assert not (tmp_path / ADD).exists()
    apply_changes(tmp_path, CHANGES)
    assert snapshot(tmp_path) == {J: b"new", f"{ADD}/a.jinja": b"A", C: b"{}"}


def test_a_folder_in_the_way(tmp_path: Path) -> None:
    write(tmp_path, {C: config("C"), f"{J}/x": ""})
    before = snapshot(tmp_path)
    assert upgrade(tmp_path) == 2
    assert snapshot(tmp_path) == before
    assert template_files(tmp_path) == {C: config("C").encode()}
