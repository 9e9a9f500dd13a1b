"""A folder with one small model, and the command line as its users run it."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from compiler.cli import main
from tests.cli.small_model import TINY, Chatc, Ran, write_model


@pytest.fixture
def chatc(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> Chatc:
    """Run `chatc` in an empty folder; `stdin` is the text it can read."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, stdin: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        capsysbinary.readouterr()
        with pytest.raises(SystemExit) as ended:
            main(arguments)
        out, err = capsysbinary.readouterr()
        assert isinstance(ended.value.code, int)
        return Ran(ended.value.code, out.decode(), err.decode())

    return run


@pytest.fixture
def tiny(chatc: Chatc) -> Path:
    """The folder of the model `tiny`, not generated yet."""
    return write_model("tiny", TINY)


_written: dict[Path, bytes] = {}  # for `tiny`, once it has been generated


@pytest.fixture
def generated(tiny: Path, chatc: Chatc) -> Path:
    """The package generated for `tiny`."""
    if not _written:
        assert chatc("generate", "tiny").code == 0
        _written.update((path, path.read_bytes()) for path in Path().rglob("*") if path.is_file())
    for path, content in _written.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return Path("generated/tiny")
