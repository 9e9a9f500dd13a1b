"""Chat template -> specialised Python: what each pass makes of its construct."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import black
import pytest

from compiler.backends.jinja.specialise import compile_chat_template
from compiler.backends.jinja.tidying import drop_unread

ROOT = Path(__file__).parents[2]
FORMAT = black.Mode(line_length=100)


def body(source: str) -> str:
    """The statements between the opening and the return of the function."""
    module = compile_chat_template(source, "a test")
    opening, closing = "    text: list[str] = []\n", '    return "".join(text)\n\n\ntemplate'
    return textwrap.dedent(module[module.index(opening) + len(opening) : module.index(closing)])


CASES = {
    "lookups": (
        "{{ messages }}{{ range(2) }}",
        """
        messages = variables.get("messages", MISSING)
        text += (str(messages), str(bounded_range(2)))
        """,
    ),
    "bookkeeping": (
        "{% set x = 1 %}{{ x }}",
        """
        x = MISSING
        x = 1
        text += (str(x),)
        """,
    ),
    "undefined": (
        "{{ 'a' if x }}",
        """
        x = variables.get("x", MISSING)
        text += (str("a" if x else MISSING),)
        """,
    ),
    "macros": (
        "{% macro m(p, q='*', r=p) %}{{ q }}{% endmacro %}{{ m(1, r=2) }}",
        """
        def m(p=MISSING, q="*", r=NOT_GIVEN):
            parts_1 = []
            if r is NOT_GIVEN:
                r = p
            parts_1 += (str(q),)
            return "".join(parts_1)

        text += (str(m(1, r=2)),)
        """,
    ),
    "a macro as a value": (
        "{% macro m() %}a{% endmacro %}{{ m.name }}{{ m }}",
        """
        def m():
            parts_1 = []
            parts_1 += ("a",)
            return "".join(parts_1)

        text += (str(field_of(hand_over(), "name")), str(hand_over()))
        """,
    ),
    "loops": (
        "{% for x in y %}{{ loop.index }}{{ loop.last }}{{ loop.depth }}{% endfor %}",
        """
        y = variables.get("y", MISSING)
        items_1 = as_items(y)
        for index_1, x in enumerate(items_1):
            text += (str(index_1 + 1), str(index_1 == len(items_1) - 1), str(hand_over()))
        """,
    ),
    "a loop with a condition": (
        "{% for x in y if x %}{{ x }}{% else %}-{% endfor %}",
        """
        y = variables.get("y", MISSING)

        def chosen_1(fiter):
            for x in fiter:
                if x:
                    yield x

        is_empty_2 = 1
        for x in chosen_1(y):
            text += (str(x),)
            is_empty_2 = 0
        x = MISSING
        if is_empty_2:
            text += ("-",)
        """,
    ),
    "calls": (
        "{{ x.split(',') }}{{ x.format(1) }}{{ x.get('a') }}{{ x(1) }}{{ raise_exception('a') }}"
        "{{ namespace(l_0_x=1) }}{{ namespace(_a=1) }}{{ namespace(*x) }}{{ namespace(**x) }}",
        """
        x = variables.get("x", MISSING)
        text += (
            str(x.split(",")),
            str(hand_over()),
            str(get_from_dict(x, "a")),
            str(hand_over()),
            str(hand_over()),
            str(hand_over()),
            str(hand_over()),
            str(hand_over()),
            str(hand_over()),
        )
        """,
    ),
    "fields": (
        "{{ x.a }}{{ x['a'] }}{{ x['items'] }}{{ x.items }}{{ x[y] }}{{ x[0] }}{{ x[1:] }}"
        "{{ x.__a }}",
        """
        x = variables.get("x", MISSING)
        y = variables.get("y", MISSING)
        text += (
            str(x.get("a", MISSING)),
            str(x.get("a", MISSING)),
            str(x["items"]),
            str(hand_over()),
            str(item(x, y)),
            str(item(x, 0)),
            str(x[1:]),
            str(hand_over()),
        )
        """,
    ),
    "namespaces": (
        "{% set ns = namespace(a=1) %}{% set ns.a = ns.a + 1 %}{% set ns._b = 1 %}",
        """
        ns = MISSING
        ns = Variables(a=1)
        ns.assign("a", ns.get("a", MISSING) + 1)
        hand_over()
        """,
    ),
    "safe where it is written": (
        "{% set x = y|tojson|safe %}{{ x }}{% set z = y|safe %}{{ z + 'a' }}",
        """
        y = variables.get("y", MISSING)
        x = z = MISSING
        x = filter_tojson(y)
        text += (str(x),)
        z = SafeText(y)
        text += (str(z + "a"),)
        """,
    ),
    "safe where it may be asked for": (
        "{% macro m(p) %}{{ p + '<' }}{% endmacro %}{{ m(x|safe) }}",
        """
        x = variables.get("x", MISSING)

        def m(p=MISSING):
            parts_2 = []
            parts_2 += (str(p + "<"),)
            return "".join(parts_2)

        text += (str(m(hand_over())),)
        """,
    ),
    "filters": (
        "{{ x|trim }}{{ x|length }}{{ x|selectattr('a', 'equalto', 1)|list }}{{ x|pprint }}",
        """
        x = variables.get("x", MISSING)
        text += (
            filter_trim(x),
            str(len(x)),
            str(list((each for each in x or () if each.get("a", MISSING) == 1))),
            str(hand_over()),
        )
        """,
    ),
    "tests": (
        "{{ x is defined }}{{ x is none }}{{ x is string }}{{ x is iterable }}{{ x is odd }}",
        """
        x = variables.get("x", MISSING)
        text += (
            str(x is not MISSING),
            str(x is None),
            str(isinstance(x, str)),
            str(is_iterable(x)),
            str(hand_over()),
        )
        """,
    ),
    "output": (
        "{% set x %}a{{ y }}{% endset %}b{{ x ~ 1 }}{{ y|trim }}",
        """
        y = variables.get("y", MISSING)
        x = MISSING
        parts_2 = []
        parts_2 += ("a", str(y))
        x = "".join(parts_2)
        text += ("b", "".join((str(x), str(1))), filter_trim(y))
        """,
    ),
    "model's words": (
        "{% generation %}{{ x }}{% endgeneration %}",
        """
        def caller():
            parts_1 = []
            x = variables.get("x", MISSING)
            parts_1 += (str(x),)
            return "".join(parts_1)

        text += (caller(),)
        """,
    ),
    "names": (
        "{% set class = 1 %}{% set text = 2 %}{{ str }}{% for x in x %}{{ x }}{% endfor %}",
        """
        str_0 = variables.get("str", MISSING)
        x_0 = variables.get("x", MISSING)
        class_0 = 1
        text_0 = 2
        text += (str(str_0),)
        for x_1 in x_0:
            text += (str(x_1),)
        """,
    ),
    "blocks": ("{% block b %}in{% endblock %}", "hand_over()"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_construct_becomes(case: str) -> None:
    source, expected = CASES[case]
    assert body(source).strip() == textwrap.dedent(expected).strip()


def test_a_variable_is_cleared_where_a_loop_may_read_its_last_value() -> None:
    function = ast.parse(
        "def f(y):\n for x in y:\n  a = b\n  b = x\n  print(a, b)\n x = a = b = MISSING"
    ).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert ast.unparse(drop_unread(function)).splitlines()[-1].strip() == "a = b = MISSING"


def test_the_module_says_what_it_is_and_imports_what_it_uses() -> None:
    module = compile_chat_template('a"""\\{{ x | trim }}\n', 'a "model" of\nours \\')
    assert module.startswith('"""The chat template of a \\"model\\" of ours \\\\, as Python.\n\n')
    assert (
        "\nfrom runtime.chat.specialised import MISSING, SpecialisedTemplate, filter_trim\n"
        in module
    )
    assert module.endswith(
        "\n\ntemplate = SpecialisedTemplate(SOURCE, specialised)\nrender = template.render\n"
    )


@pytest.mark.parametrize(
    "source", ["", "a", "\n", "a\r\nb\rc\n\n", "\u2028\x00\x85", "\ud800", "'\"\\"]
)
def test_the_source_is_kept_to_the_character(source: str) -> None:
    module: dict[str, object] = {}
    exec(compile_chat_template(source, "a test"), module)
    assert module["SOURCE"] == source


def test_the_text_is_formatted_and_the_same_under_every_hash() -> None:
    sources = [source for source, _ in CASES.values()]
    script = (
        "import sys, json; from compiler.backends.jinja.specialise import compile_chat_template\n"
        "for source in json.load(sys.stdin): print(compile_chat_template(source, 'a test'))"
    )

    texts = {
        subprocess.run(
            [sys.executable, "-c", script],
            input=json.dumps(sources),
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(texts) == 1
    for source in sources:
        module = compile_chat_template(source, "a test")
        assert black.format_str(module, mode=FORMAT) == module


def test_what_is_no_template_is_refused() -> None:
    with pytest.raises(Exception, match="unexpected"):
        compile_chat_template("{{ }", "a test")
