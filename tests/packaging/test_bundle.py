"""One file that parses as the generated module does, on every Python, with nothing installed."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from compiler.backends.python.provenance import is_edited
from compiler.exporters.bundle import Bundle, bundle, template_row
from compiler.exporters.segments import read_segments
from compiler.exporters.standalone import RUNTIME
from compiler.frontend.load import load
from compiler.pipeline import Compiled, compile_source
from compiler.source import Source
from tests.packaging.runner import load_file, outcomes

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
RUNNER = Path(__file__).with_name("runner.py")
FROM_RUNTIME = re.compile(r"^from runtime\.\S+ import (.*)$", re.MULTILINE)


def enough_generated() -> list[str]:
    """Generated parsers that together import of the runtime what all of them do."""
    found, imported = [], set[str]()
    for path in sorted(ROOT.glob("generated/*/response.py")):
        lists = FROM_RUNTIME.findall(path.read_text("utf-8"))
        names = {name for names in lists for name in names.split(", ")}
        if names - imported:
            found.append(f"extended/{path.parent.name}")
            imported |= names
    return found


# `qwen3` is the parser of a v1 template, `extended/qwen3` the one that `chatc bundle qwen3` makes.
MODELS = sorted(path.parent.name for path in ROOT.glob("grammars/*/response_template.json"))
PARSERS = [*MODELS, *enough_generated()]
PYTHONS = ("python3.10", "python3.11", "python3.12", "python3.13", "python3.14")
LONGEST = 600  # characters of a case that is also streamed here

TINY: dict[str, Any] = {
    "start_anchor": "<a>",
    "defaults": {"role": "assistant"},
    "fields": {
        "calls": {
            "open_pattern": r"<call (?P<name>\w+)>",
            "close": "</call>",
            "content": "json",
            "repeats": True,
            "transform": {"name": "{name}", "arguments": "{content}"},
        },
        "content": {},
    },
}
TINY_TEXTS = ["", "hi", 'a<call f>{"x": [1]}</call>b', "<call g>{</call>", "a<cal", "<call ²>1"]


def title_of(name: str) -> str:
    return name.removeprefix("extended/")


def template_of(name: str) -> Source:
    folder = ROOT / "grammars" / title_of(name)
    return load(folder if name.startswith("extended/") else folder / "response_template.json")


@cache
def compiled(name: str) -> Compiled:
    return compile_source(template_of(name), title_of(name))


@cache
def bundled(name: str) -> Bundle:
    title = title_of(name)
    row = template_row(template_of(name))
    return bundle(compiled(name), title, row, f"chatc bundle {title} -o -")


def bundle_spec(spec: dict[str, Any]) -> Bundle:
    source = load(spec)
    return bundle(
        compile_source(source, "tiny"), "tiny", template_row(source), "chatc bundle . -o -"
    )


def texts_of(name: str) -> list[str]:
    """The short cases of a parser, and each of them cut off in the middle."""
    path = ROOT / "tests" / "cases" / f"{name}.toml"
    cases = tomllib.loads(path.read_text("utf-8"))["case"] if path.is_file() else []
    whole = [case["raw"] for case in cases if len(case.get("raw", "x" * LONGEST)) < LONGEST]
    return ["", *whole, *(text[: len(text) * 2 // 3] for text in whole)]


def generated(source: str) -> ModuleType:
    module = ModuleType("generated_parser")
    exec(compile(source, "generated_parser", "exec"), vars(module))
    return module


def written(folder: Path, name: str, made: Bundle) -> str:
    path = folder / f"{name.replace('/', '_')}.py"
    path.write_text(made.text, "utf-8")
    return str(path)


def working_pythons() -> list[str]:
    """This interpreter and those on the PATH that start."""
    found = (shutil.which(name) for name in PYTHONS)
    starting = [
        path
        for path in found
        if path and subprocess.run([path, "-I", "-c", ""], capture_output=True).returncode == 0
    ]
    return [sys.executable, *starting]


@pytest.mark.parametrize("name", PARSERS)
def test_parses_as_the_generated_module(name: str, tmp_path: Path) -> None:
    alone = load_file(written(tmp_path, name, bundled(name)))
    texts = texts_of(name)
    assert outcomes(alone, texts) == outcomes(generated(compiled(name).module), texts)
    assert alone.Parser.TEMPLATE == generated(compiled(name).module).Parser.TEMPLATE


def test_runs_alone_on_every_python(tmp_path: Path) -> None:
    alone = [(name, bundled(name), texts_of(name)) for name in PARSERS]
    alone.append(("tiny", bundle_spec(TINY), TINY_TEXTS))
    jobs = [
        (written(tmp_path, name, made), texts) for name, made, texts in alone if not made.packages
    ]
    expected = [outcomes(load_file(path), texts) for path, texts in jobs]
    for python in working_pythons():
        ran = subprocess.run(
            [python, "-I", "-S", str(RUNNER)],
            input=json.dumps(jobs),
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, f"{python}: {ran.stderr}"
        results, foreign, _ = json.loads(ran.stdout)
        assert results == expected, python
        assert foreign == [], python


def test_is_a_program(tmp_path: Path) -> None:
    path = written(tmp_path, "tiny", bundle_spec(TINY))
    ran = subprocess.run(
        [sys.executable, "-I", path],
        input='é\r\nx<call f>{"x": 1}</call>'.encode(),
        capture_output=True,
        check=True,
    )
    call = {"name": "f", "arguments": {"x": 1}}
    expected = {"role": "assistant", "content": "é\r\nx", "calls": [call]}
    assert json.loads(ran.stdout) == expected


@pytest.mark.parametrize("name", PARSERS)
def test_imports_the_standard_library_only(name: str) -> None:
    imported = {
        node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
        for node in ast.walk(ast.parse(bundled(name).text))
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    foreign = {str(m) for m in imported if str(m).partition(".")[0] not in sys.stdlib_module_names}
    assert foreign == set(bundled(name).packages)


def test_takes_schemas_and_refuses_functions(tmp_path: Path) -> None:
    """Even next to chatc: the file does the same wherever it lies."""

    def f(x: int) -> None:
        """Do nothing.

        Args:
            x: A number.
        """

    alone = load_file(written(tmp_path, "qwen3", bundled("qwen3")))
    text = '<tool_call>\n{"name": "f", "arguments": {"x": "3"}}\n</tool_call>'
    properties = {"x": {"type": "integer"}}
    schema = {"name": "f", "parameters": {"type": "object", "properties": properties}}
    message = alone.parse(text, prefix="", tools=[schema])
    assert message["tool_calls"][0]["function"]["arguments"] == {"x": 3}
    assert generated(compiled("qwen3").module).parse(text, prefix="", tools=[f]) == message
    with pytest.raises(TypeError, match="pass the schema of 'f', not the function"):
        alone.parse(text, prefix="", tools=[f])


@pytest.mark.parametrize("name", PARSERS)
def test_holds_nothing_that_is_not_used(name: str) -> None:
    """Every definition of the runtime in the file is mentioned elsewhere in it."""
    tree = ast.parse(bundled(name).text)
    public = set(load_names(tree))
    for statement in tree.body:
        defined = getattr(statement, "name", None)
        if defined is None or defined in public:
            continue
        elsewhere = (
            node for other in tree.body if other is not statement for node in ast.walk(other)
        )
        names = {node.id for node in elsewhere if isinstance(node, ast.Name)}
        assert defined in names, defined


def load_names(tree: ast.Module) -> list[str]:
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "__all__":
            names = ast.literal_eval(statement.value)
            assert isinstance(names, list)
            return names
    raise AssertionError("no __all__")


def test_holds_a_class_table_only_if_a_pattern_needs_it() -> None:
    def plain(pattern: str) -> str:
        fields = {"think": {"open_pattern": pattern, "close": "</t>"}, "content": {}}
        return bundle_spec({"start_anchor": "<a>", "fields": fields}).text

    assert not re.search(r"^(WORD|DIGIT) = ", plain("<t>"), re.MULTILINE)
    assert re.findall(r"^(WORD|DIGIT) = ", plain(r"<t\d>"), re.MULTILINE) == ["DIGIT"]
    assert re.findall(r"^(WORD|DIGIT) = ", plain(r"<t\w>"), re.MULTILINE) == ["WORD"]


@pytest.mark.parametrize("name", PARSERS)
def test_keeps_the_comments_of_what_it_keeps(name: str) -> None:
    text = bundled(name).text
    stream = (RUNTIME / "stream.py").read_text("utf-8")
    comments = re.findall(r"^ +(# .*)$", stream, re.MULTILINE)
    assert comments
    assert [comment for comment in comments if comment not in text] == []


def test_a_field_may_have_the_name_of_anything_in_the_runtime(tmp_path: Path) -> None:
    """The generated module's names are distinct from all that may be inlined before it."""
    paths = [path for path in RUNTIME.rglob("*.py") if path.parent.name != "chat"]
    modules = [read_segments(path.stem, path.read_text("utf-8")) for path in paths]
    names = {name for m in modules for s in m.segments for name in s.defines}
    fields = {
        name.lower(): {"open": f"<{name}>", "close": "</>"} for name in sorted(names, key=str.lower)
    }
    made = bundle_spec({"start_anchor": "<a>", "fields": {**fields, "content": {}}})
    alone = load_file(written(tmp_path, "names", made))
    text = "".join(f"{field['open']}{name}{field['close']}" for name, field in fields.items())
    assert alone.parse(text, prefix="") == {name: name for name in fields}


def test_header_says_where_it_comes_from_and_tells_edits() -> None:
    text = bundle_spec(TINY).text
    assert re.match(
        r"# Code generated by chatc \S+ from tiny\. DO NOT EDIT\.\n"
        r"#   <template> +sha256:[0-9a-f]{16}\n"
        r"#   this file, below +sha256:[0-9a-f]{16}   runtime API \d+\n"
        r"# To change it, edit the sources and run: chatc bundle \. -o -\n"
        r'r"""Parser of the responses of tiny\.\n',
        text,
    )
    assert not is_edited(text)
    assert is_edited(text.replace("def parse(", "def parse (", 1))


def test_a_pattern_beyond_re_keeps_regex_and_says_so() -> None:
    fields = {"think": {"open_pattern": r"<\p{Lu}+>", "close": "</t>"}, "content": {}}
    made = bundle_spec({"start_anchor": "<a>", "fields": fields})
    assert made.packages == ("regex",)
    assert "\n# Needs more than the standard library: pip install regex\n" in made.text[:600]
    assert re.search(r"^import regex$", made.text, re.MULTILINE)


@pytest.mark.parametrize("name", PARSERS)
def test_is_clean_for_linters(name: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F,I,E7,E9,W", "-"],
        input=bundled(name).text,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
