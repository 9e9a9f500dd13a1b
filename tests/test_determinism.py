"""The same sources make the same bytes: on every run, under every hash seed, in every folder."""

from __future__ import annotations

import getpass
import json
import os
import re
import shutil
import socket
import subprocess
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from compiler.artifacts import artifacts_of
from compiler.exporters.bundle import bundle, bundle_command, template_row
from compiler.frontend.load import load
from compiler.models import Model, all_models
from compiler.pipeline import compile_source

ROOT = Path(__file__).parents[1]
PRINT_ALL = (
    "from tests.test_determinism import everything; import json; print(json.dumps(everything()))"
)
SOURCES = ("grammars", "tests/golden")


def everything() -> dict[str, str]:
    """What is made of the templates in the current folder, by name; of some models, all files."""
    texts: dict[str, str] = {}
    for path in [*response_templates(), *Path("tests/golden").glob("*/template.json")]:
        compiled = compile_source(load(path), path.parent.name)
        texts[f"{path.as_posix()}: grammar"] = compiled.grammar_text
        texts[f"{path.as_posix()}: module"] = compiled.module
    for model in models_with_all_files():
        compiled, artifacts = artifacts_of(model)
        texts |= {artifact.path.as_posix(): artifact.text for artifact in artifacts}
        if compiled is not None and model.response_template is not None:
            row = template_row(load(model.response_template))
            made = bundle(compiled, model.name, row, bundle_command(model.name, "-"))
            texts[f"{model.name}: bundle"] = made.text
    return texts


def response_templates() -> list[Path]:
    """Those of the models in the current folder, v1 and extended."""
    return [*Path("grammars").glob("*/response_template*.json")]


def models_with_all_files() -> list[Model]:
    """One with a parser, one that renders as well, and one that only renders."""
    models = {model.name: model for model in all_models()}
    renders = replace(models["llama3_1"], response_template=None)
    return [models["cohere_command_r7b"], models["qwen3"], renders]


@cache
def texts_here() -> dict[str, str]:
    return everything()


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.chdir(ROOT)
    return texts_here()


def test_there_is_something_to_compare(here: dict[str, str]) -> None:
    assert len([name for name in here if name.endswith("template.json: module")]) > 40
    assert {f"{path.as_posix()}: module" for path in response_templates()} <= here.keys()
    assert len([name for name in here if name.endswith((".py", ".lark", ": bundle"))]) == 12


def test_other_processes_in_another_folder_write_the_same(
    tmp_path: Path, here: dict[str, str]
) -> None:
    for folder in SOURCES:
        shutil.copytree(ROOT / folder, tmp_path / folder)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TZ": "Asia/Tokyo"}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PRINT_ALL],
            cwd=tmp_path,
            env=environment | {"PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
        )
        for seed in ("0", "4242")
    ]
    for process in processes:
        printed, _ = process.communicate()
        other = json.loads(printed)
        assert [n for n in here.keys() | other.keys() if here.get(n) != other.get(n)] == []


def test_a_second_run_makes_the_same(here: dict[str, str]) -> None:
    for path in reversed(response_templates()):
        compiled = compile_source(load(path), path.parent.name)
        assert compiled.grammar_text == here[f"{path.as_posix()}: grammar"]
        assert compiled.module == here[f"{path.as_posix()}: module"]


def test_nothing_of_the_place_or_the_day_is_written(here: dict[str, str]) -> None:
    traces = [str(ROOT), str(Path.home()), socket.gethostname(), sys.executable]
    traces += [name for name in (getpass.getuser(),) if len(name) > 5]
    day = re.compile(r"\b20\d\d-[01]\d-[0-3]\d\b|\b[0-2]\d:[0-5]\d:[0-5]\d\b")
    pattern = re.compile("|".join(re.escape(trace) for trace in traces))
    found = [
        f"{name}: {line}"
        for name, text in here.items()
        for line in text.splitlines()
        if pattern.search(line) or (day.search(line) and line.startswith("#"))
    ]
    assert found == []


def test_files_are_written_in_one_way(here: dict[str, str]) -> None:
    for name, text in here.items():
        text.encode("utf-8")
        assert "\r" not in text, name
        assert "\t" not in text, name
        assert text.endswith("\n"), name
