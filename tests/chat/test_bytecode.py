"""The user's cache of compiled templates: what it keeps, and what it refuses to load."""

from __future__ import annotations

import hashlib
import marshal
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from runtime.chat import ChatTemplate, bytecode, environment
from runtime.chat.bytecode import CodeOrigin, TemplateRecord, read_bytecode, write_bytecode
from tests.chat.bytecode_folder import entries, forget

ROOT = Path(__file__).parents[2]
SOURCE = "{% for m in messages %}<{{ m.role }}>{{ m.content|trim }}{{ eos }}{% endfor %}"
HELLO = [{"role": "user", "content": " Hello "}]
TEXT = "<user>Hello."


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of caches of its own, and nothing in memory."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("CHATC_NO_BYTECODE", raising=False)
    forget()
    yield tmp_path
    forget()


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sources that are compiled, in order."""
    compiled: list[str] = []
    compile_source = environment.compile_source

    def note(source: str) -> Any:
        compiled.append(source)
        return compile_source(source)

    monkeypatch.setattr(environment, "compile_source", note)
    return compiled


def render_anew(source: str = SOURCE) -> str:
    forget()
    return ChatTemplate(source).render(HELLO, eos=".")


def the_entry(home: Path) -> Path:
    (entry,) = entries(home)
    return entry


def origin(**changes: str) -> CodeOrigin:
    return environment.code_origin(SOURCE)._replace(**changes)


def record(text: str) -> TemplateRecord:
    return TemplateRecord(compile(repr(text), "<template>", "eval"), frozenset({"a"}), text)


# What is kept


def test_a_template_is_compiled_once(home: Path, compilations: list[str]) -> None:
    assert [render_anew() for _ in range(3)] == [TEXT] * 3
    assert compilations == [SOURCE]
    assert [render_anew(SOURCE + "!") for _ in range(2)] == [TEXT + "!"] * 2
    assert compilations == [SOURCE, SOURCE + "!"]
    assert len(entries(home)) == 2


def test_variables_and_literal_text_are_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    render_anew()
    template = ChatTemplate(SOURCE)
    expected = (template.variables, template.literal_text)
    forget()
    monkeypatch.setattr(environment, "parse_source", None)
    assert (template.variables, template.literal_text) == expected
    assert expected == (frozenset({"messages", "eos"}), "<\0>")


def test_errors_name_the_line_as_before(home: Path, compilations: list[str]) -> None:
    source = "a\n{{ messages[0].content + 1 }}"
    errors = []
    for _ in range(2):
        with pytest.raises(TypeError) as caught:
            render_anew(source)
        errors.append((str(caught.value), getattr(caught.value, "template_line", None)))
    assert errors[0] == errors[1]
    assert errors[0][1] == 2
    assert compilations == [source]


def test_folders_and_files_are_the_users_alone(home: Path) -> None:
    umask = os.umask(0)
    try:
        render_anew()
    finally:
        os.umask(umask)
    modes = [path.stat().st_mode & 0o777 for path in (home / "chatc", home / "chatc" / "jinja")]
    assert modes == [0o700, 0o700]
    assert the_entry(home).stat().st_mode & 0o777 == 0o600


def test_what_is_no_template_is_not_kept(home: Path) -> None:
    for _ in range(2):
        with pytest.raises(Exception, match="unexpected"):
            render_anew("{{ }")
    assert list(home.iterdir()) == []


def test_a_lone_surrogate_does_no_harm(home: Path, compilations: list[str]) -> None:
    assert [render_anew("\ud800{{ eos }}") for _ in range(2)] == ["\ud800."] * 2
    assert len(compilations) == 1


def test_the_environment_variable_turns_it_off(
    home: Path, monkeypatch: pytest.MonkeyPatch, compilations: list[str]
) -> None:
    render_anew()
    monkeypatch.setenv("CHATC_NO_BYTECODE", "1")
    assert render_anew() == render_anew(SOURCE) == TEXT
    assert render_anew("other") == "other"
    assert compilations == [SOURCE, SOURCE, SOURCE, "other"]
    assert len(entries(home)) == 1


def test_the_home_of_the_user_is_the_default(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CACHE_HOME", "relative/does/not/count")
    render_anew()
    assert len(entries(home / ".cache")) == 1
    assert not Path("relative").exists()


# What an entry is valid for


def test_another_source_version_or_environment_is_another_entry(home: Path, tmp_path: Path) -> None:
    other_file = tmp_path / "environment.py"
    other_file.write_text("another definition")
    write_bytecode(origin(), lambda: record("mine"))
    assert read_bytecode(origin()) == record("mine")
    assert read_bytecode(origin(source=SOURCE + " ")) is None
    assert read_bytecode(origin(jinja_version="3.1.7")) is None
    assert read_bytecode(origin(environment_file=str(other_file))) is None
    assert read_bytecode(origin(environment_file=str(tmp_path / "nowhere"))) is None


@pytest.mark.parametrize(
    ("holder", "name", "value"),
    [
        (bytecode, "MAGIC_NUMBER", b"next"),
        (sys.implementation, "cache_tag", "other-1"),
        (marshal, "version", 99),
    ],
)
def test_another_interpreter_has_entries_of_its_own(
    home: Path, monkeypatch: pytest.MonkeyPatch, holder: object, name: str, value: object
) -> None:
    write_bytecode(origin(), lambda: record("mine"))
    with monkeypatch.context() as patch:
        patch.setattr(holder, name, value)
        assert read_bytecode(origin()) is None
    assert read_bytecode(origin()) == record("mine")


def test_parts_of_the_key_do_not_run_together(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = set()
    for source, tag in [("ab", "c"), ("a", "bc"), ("abc", ""), ("", "abc")]:
        monkeypatch.setattr(sys.implementation, "cache_tag", tag)
        keys.add(bytecode._record_key(origin(source=source)))
    assert len(keys) == 4


# Damage


def test_every_changed_byte_and_every_cut_is_noticed(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And before anything is unmarshalled, which damaged bytes can make crash."""
    write_bytecode(origin(), lambda: record("mine"))
    entry = the_entry(home)
    content = entry.read_bytes()
    loaded: list[bytes] = []
    monkeypatch.setattr(bytecode.marshal, "loads", lambda body: loaded.append(body))
    for position in range(len(content)):
        damaged = bytearray(content)
        damaged[position] ^= 1 << position % 8
        entry.write_bytes(damaged)
        assert read_bytecode(origin()) is None, position
        entry.write_bytes(content[:position])
        assert read_bytecode(origin()) is None, position
    entry.write_bytes(content + b"\0")
    assert read_bytecode(origin()) is None
    assert loaded == []


def test_a_damaged_entry_is_compiled_and_mended(home: Path, compilations: list[str]) -> None:
    render_anew()
    entry = the_entry(home)
    content = entry.read_bytes()
    entry.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    assert [render_anew() for _ in range(2)] == [TEXT] * 2
    assert len(compilations) == 2
    assert read_bytecode(origin()) is not None


def test_an_entry_under_another_name_is_refused(home: Path, compilations: list[str]) -> None:
    render_anew()
    first = the_entry(home)
    render_anew("other")
    (second,) = {*entries(home)} - {first}
    second.write_bytes(first.read_bytes())
    assert render_anew("other") == "other"
    assert compilations == [SOURCE, "other", "other"]


@pytest.mark.parametrize("body", [(), ("no code", ["a"], "b"), 7, b""])
def test_a_record_of_another_form_is_refused(
    home: Path, compilations: list[str], body: object
) -> None:
    render_anew()
    entry = the_entry(home)
    packed = marshal.dumps(body)
    digest = hashlib.sha256(entry.name.encode() + packed).digest()
    entry.write_bytes(bytecode._MARK + digest + packed)
    assert render_anew() == TEXT
    assert len(compilations) == 2


# Others' folders and files


def become_link(path: Path) -> None:
    target = path.parent / "elsewhere"
    path.rename(target)
    path.symlink_to(target)


CHANGES: dict[str, Callable[[Path], object]] = {
    "the group may write the file": lambda entry: entry.chmod(0o620),
    "all may write the file": lambda entry: entry.chmod(0o602),
    "the group may write the folder": lambda entry: entry.parent.chmod(0o770),
    "all may write the outer folder": lambda entry: entry.parents[1].chmod(0o777),
    "the file is a link": become_link,
    "the folder is a link": lambda entry: become_link(entry.parent),
    "the outer folder is a link": lambda entry: become_link(entry.parents[1]),
    "the file is a pipe": lambda entry: (entry.unlink(), os.mkfifo(entry, 0o600)),
    "the file is a folder": lambda entry: (entry.unlink(), entry.mkdir(0o700)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_others_may_have_written_is_not_loaded(
    home: Path, compilations: list[str], change: str
) -> None:
    render_anew()
    CHANGES[change](the_entry(home))
    assert read_bytecode(origin()) is None
    assert render_anew() == TEXT
    assert len(compilations) == 2


def test_a_link_in_the_way_is_replaced_and_not_followed(home: Path) -> None:
    render_anew()
    entry = the_entry(home)
    precious = home / "precious"
    precious.write_text("stays")
    entry.unlink()
    entry.symlink_to(precious)
    assert render_anew() == TEXT
    assert precious.read_text() == "stays"
    assert not entry.is_symlink()
    assert read_bytecode(origin()) is not None


def test_what_belongs_to_another_user_is_not_loaded(
    home: Path, monkeypatch: pytest.MonkeyPatch, compilations: list[str]
) -> None:
    render_anew()
    user = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)
    assert read_bytecode(origin()) is None
    assert render_anew() == TEXT
    assert len(compilations) == 2


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_the_owner_of_the_entry_and_of_both_folders_is_looked_at(
    home: Path, monkeypatch: pytest.MonkeyPatch, depth: int
) -> None:
    write_bytecode(origin(), lambda: record("mine"))
    entry = the_entry(home)
    given_away = [entry, *entry.parents][depth].stat().st_ino
    fstat = os.fstat

    def fstat_of_another(descriptor: int) -> os.stat_result:
        found = fstat(descriptor)
        owner = found.st_uid + (found.st_ino == given_away)
        return os.stat_result((*found[:4], owner, *found[5:]))

    assert read_bytecode(origin()) is not None
    monkeypatch.setattr(os, "fstat", fstat_of_another)
    assert read_bytecode(origin()) is None


@pytest.mark.parametrize("blocked", ["chatc", "chatc/jinja"])
def test_a_file_in_the_place_of_a_folder_turns_it_off(home: Path, blocked: str) -> None:
    (home / blocked).parent.mkdir(mode=0o700, exist_ok=True)
    (home / blocked).write_text("not a folder")
    assert render_anew() == render_anew() == TEXT
    assert (home / blocked).read_text() == "not a folder"


def test_a_full_disk_leaves_nothing_behind(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "replace", fail)
    assert render_anew() == render_anew() == TEXT
    assert entries(home) == []


def test_a_system_without_owners_keeps_nothing(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "supports_dir_fd", set())
    assert render_anew() == TEXT
    assert list(home.iterdir()) == []


# Many at once, and many in all


def test_processes_may_write_one_entry_at_once(home: Path) -> None:
    script = (
        "import sys; from runtime.chat import environment, ChatTemplate\n"
        "sys.stdin.read(1)\n"
        "for _ in range(40):\n"
        "    for cached in (environment.compiled_template, environment._kept_record):\n"
        "        cached.cache_clear()\n"
        "    entry = environment._kept_record(sys.argv[1])\n"
        "    environment.write_bytecode(environment.code_origin(sys.argv[1]), lambda: "
        "environment.TemplateRecord(environment.compile_source(sys.argv[1]), frozenset(), ''))\n"
        "    assert environment._kept_record.__wrapped__(sys.argv[1]) is not None\n"
        "print(ChatTemplate(sys.argv[1]).render([{'role': 'user', 'content': ' Hello '}], eos='.'))"
    )
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", script, SOURCE],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go")
        writer.stdin.close()
    outputs = [writer.stdout.read() for writer in writers if writer.stdout is not None]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert outputs == [TEXT + "\n"] * 3
    assert len(entries(home)) == 1  # and no unfinished file


def test_a_full_folder_loses_its_oldest_entries(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bytecode, "_MOST_ENTRIES", 4)
    for number in range(4):
        write_bytecode(origin(source=str(number)), lambda: record("x"))
        newest = max(entries(home), key=lambda path: path.stat().st_mtime_ns)
        os.utime(newest, (number, number))
    write_bytecode(origin(source="4"), lambda: record("x"))
    found = [read_bytecode(origin(source=str(number))) is not None for number in range(5)]
    assert found == [False, False, True, True, True]
