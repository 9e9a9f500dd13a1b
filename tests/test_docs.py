r"""The documentation, run: its code, its commands, its links and its names.

Blocks of a file run in order, in a folder that has copies of grammars/ and generated/:

    ```python              is executed; all of a file share their names
    ```console             lines that start with "$ chatc" are run, and print the lines below them
    ```text                right after python: what that printed
    ```json some/file.json is written to that file; any language will do

In outputs `...` stands for any text.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from doctest import ELLIPSIS, OutputChecker
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from compiler import compile_template
from compiler.cli import COMMANDS, main
from compiler.exporters.models_page import models_page
from compiler.frontend.rules import RULES
from compiler.lint.rules import LINT_RULES
from compiler.models import all_models, model_ids

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HIGHLIGHTED = re.compile(r"^```.*?^```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)  # blocks and spans

every_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


class Block(NamedTuple):
    """A fenced block: the words after its fence, and its text."""

    language: str
    file: str
    text: str
    printed: str | None  # the text block right after it


def blocks(page: Path) -> Iterator[Block]:
    text = page.read_text("utf-8")
    found = list(BLOCK.finditer(text))
    for match, following in zip(found, [*found, None][1:], strict=True):
        language, _, file = match[1].partition(" ")
        between = text[match.end() : following.start()] if following else "-"
        is_output = following is not None and following[1] == "text" and not between.strip()
        yield Block(language, file, match[2], following[2] if following and is_output else None)


def same(expected: str, printed: str) -> bool:
    return OutputChecker().check_output(expected, printed, ELLIPSIS)


# -- running the blocks


class Output:
    """What is printed while this is entered, on stdout and stderr together."""

    def __enter__(self) -> Output:
        self.bytes = io.BytesIO()
        stream = io.TextIOWrapper(self.bytes, "utf-8", write_through=True)
        self.redirections = redirect_stdout(stream), redirect_stderr(stream)
        for redirection in self.redirections:
            redirection.__enter__()
        return self

    def __exit__(self, *details: Any) -> None:
        for redirection in self.redirections:
            redirection.__exit__(*details)

    @property
    def text(self) -> str:
        return self.bytes.getvalue().decode()


def run_python(block: Block, names: dict[str, Any], place: str) -> None:
    with Output() as output:
        exec(compile(block.text, place, "exec"), names)
    if block.printed is not None:
        assert same(block.printed, output.text), f"{place} prints:\n{output.text}"


def run_console(block: Block, place: str) -> None:
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.text, re.MULTILINE):
        words = shlex.split(command)
        assert words[0] == "chatc", f"{place}: {command}"
        with Output() as output, pytest.raises(SystemExit):
            main(words[1:])
        assert same(expected, output.text), f"{place}: {command} prints:\n{output.text}"


@every_page
def test_blocks_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("grammars", "generated"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(ROOT), *sys.path])
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, block in enumerate(blocks(page), start=1):
        place = f"{page.name}, block {number}"
        if block.file:
            Path(block.file).parent.mkdir(parents=True, exist_ok=True)
            Path(block.file).write_text(block.text, encoding="utf-8")
        elif block.language == "python":
            run_python(block, names, place)
        elif block.language == "console":
            run_console(block, place)


# -- links and names


def headings(page: Path) -> set[str]:
    """The anchors of a page, as GitHub makes them."""
    text = BLOCK.sub("", page.read_text("utf-8"))
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@every_page
def test_links_lead_somewhere(page: Path) -> None:
    text = HIGHLIGHTED.sub("", page.read_text("utf-8"))
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if link.startswith("https://"):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), link
        if anchor:
            assert anchor in headings(target), link


def highlighted(page: Path) -> str:
    """All code of a page, in blocks and in lines."""
    return "\n".join(HIGHLIGHTED.findall(page.read_text("utf-8")))


@cache
def names_of_tests() -> set[str]:
    sources = (path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    return {name for source in sources for name in re.findall(r"^def (test_\w+)", source, re.M)}


@every_page
def test_what_is_named_exists(page: Path) -> None:
    code = highlighted(page)
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert set(re.findall(r"(?<![\w-])make ([a-z-]+)", code)) <= set(targets)
    assert set(re.findall(r"(?<![\w\"'.-])chatc ([a-z]+)", code)) <= set(COMMANDS)
    rules = set(re.findall(r"\b[RL]T\d{3}\b", page.read_text("utf-8")))
    assert rules <= {*RULES, *LINT_RULES}
    assert set(re.findall(r"`(test_\w+)`", code)) <= names_of_tests()
    paths = re.findall(r"`((?:compiler|runtime|generated|grammars|tests|docs)/[\w./*-]*)`", code)
    assert [path for path in paths if not any(ROOT.glob(path.rstrip("/")))] == []


def test_a_page_lists_every_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """docs/models.md, which `make models-page` writes."""
    monkeypatch.chdir(ROOT)
    text = (ROOT / "docs" / "models.md").read_text("utf-8")
    models = all_models()
    assert text == models_page(models)
    names = [model.name for model in models]
    assert re.findall(r"^\| \[(\w+)\]\(#\1\) \|", text, re.MULTILINE) == names
    sections = re.findall(r"^## (\w+)\n\n.*?\.(?: Published as: (.*)\.)?$", text, re.MULTILINE)
    assert [(name, ids) for name, ids in sections] == [
        (model.name, ", ".join(model_ids(model))) for model in models
    ]


def test_every_page_is_linked_from_the_readme() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    for page in PAGES[1:]:
        assert f"({os.fspath(page.relative_to(ROOT))})" in text


# -- what the pages promise and no block shows


@pytest.mark.parametrize("indent", [0, 4, 8, 12])
def test_strings_of_a_template_are_never_code(indent: int) -> None:
    """docs/shipping.md, What to trust."""
    code = f'"""\n{" " * indent}raise SystemExit("run")  #\n'
    field = {"open": code, "close": [code, "</x>"], "transform": {code: [code, "{content}"]}}
    spec = {"start_anchor": code, "defaults": {code: code}, "fields": {code: field, "x": {}}}
    compiled = compile_template(spec)
    parser = compiled.Parser(code)
    parser.feed(f"{code}y</x>")
    expected = compiled.parse(f"{code}y</x>", prefix=code)
    assert parser.finalize()[0] == expected == {code: {code: [code, "y"]}}
