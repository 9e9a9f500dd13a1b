"""Specialised chat templates render what jinja2 renders, and refuse what its sandbox refuses."""

from __future__ import annotations

import re
import subprocess
import sys
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from compiler.backends.jinja.specialise import compile_chat_template
from runtime.chat.environment import compile_source, load_code, render_template
from runtime.chat.specialised import (
    MISSING,
    HandOver,
    Variables,
    bounded_range,
    field_of,
    filter_items,
    item,
)
from runtime.chat.template import ChatTemplate
from tests.chat.conversations import SPECIAL_TOKENS, conversations
from tests.chat.feature_templates import FEATURES
from tests.chat.specialising import hands_over, outcome, specialised_template
from tests.chat.template_strategies import data, templates

ROOT = Path(__file__).parents[2]
HELLO = [{"role": "user", "content": "Hello"}]


def not_a_template(source: str) -> bool:
    return outcome(lambda: compile_source(source))[0] != "text"


TEMPLATES = {name: source for name, source in FEATURES.items() if not not_a_template(source)}


def without_addresses(result: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(re.sub("0x[0-9a-f]+", "", str(part)) for part in result)


def both(source: str, arguments: dict[str, Any]) -> list[tuple[Any, ...]]:
    renderers = (ChatTemplate(source), specialised_template(source))
    return [
        without_addresses(outcome(partial(each.render, **deepcopy(arguments))))
        for each in renderers
    ]


@pytest.mark.parametrize(
    "printed", ["a|items", "b|map('upper')", "b|map(attribute='x')", "b|select('string')"]
)
def test_a_generator_that_is_printed_has_the_name_that_it_has_in_jinja(printed: str) -> None:
    for source in (f"{{{{ {printed} }}}}", f"{{% set y = {printed} %}}{{{{ y }}}}"):
        values = {"a": {}, "b": ["c"]}
        plain, specialised = both(source, {"messages": [{"role": "user"}], **values})
        assert plain == specialised
        assert plain[1].startswith("<generator object ")
        assert specialised_template(source).specialised(values)  # not handed over


@pytest.mark.parametrize("feature", TEMPLATES)
def test_every_feature_renders_every_conversation_alike(feature: str) -> None:
    for shape, arguments in conversations().items():
        plain, found = both(TEMPLATES[feature], {**SPECIAL_TOKENS, **arguments})
        assert found == plain, shape


@pytest.mark.filterwarnings("ignore::SyntaxWarning")  # of slices of numbers, jinja2's own as well
@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(templates, data())
def test_random_templates_render_alike_or_hand_over(source: str, variables: dict[str, Any]) -> None:
    template = specialised_template(source)
    try:
        text = template.specialised({"messages": [], **variables})
    except Exception:  # any: they all hand over
        return
    plain = load_code(compile_source(source))
    expected = outcome(lambda: render_template(plain, {"messages": [], **variables}))
    assert without_addresses(("text", text)) == without_addresses(expected)


# What needs no jinja2

COMMON = {
    "messages": "{{ bos_token }}{% for m in messages %}<|{{ m.role }}|>{{ m['content'] | trim }}\n"
    "{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}",
    "positions": "{% for m in messages %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}"
    "{{ loop.revindex0 }}{{ loop.length }}{{ ',' if not loop.last }}{{ loop.first }}"
    "{{ (loop.previtem or {}).role }}{{ loop.nextitem is defined }}{% endfor %}",
    "namespace": "{% set ns = namespace(n=0, last=none) %}{% for m in messages %}"
    "{% set ns.n = ns.n + 1 %}{% set ns.last = m %}{% endfor %}{{ ns.n }}{{ ns.last.role }}"
    "{{ ns.nothing }}",
    "macro": "{% macro show(m, mark='*', also=mark) %}{{ mark }}{{ m }}{{ also }}{% endmacro %}"
    "{{ show(1) }}{{ show(tools, also=1) }}{{ show() }}{{ show(missing, missing) }}",
    "recursive macro": "{% macro down(n) %}{{ n }}{% if n > 0 %}{{ down(n - 1) }}{% endif %}"
    "{% endmacro %}{{ down(3) }}",
    "captures": "{% set x %}a{{ messages|length }}{% endset %}{{ x ~ 1 }}"
    "{% generation %}{{ x }}{% endgeneration %}",
    "tojson": "{{ messages | tojson }}{{ tools | tojson(indent=4) }}",
    "safe": "{% set x = messages | tojson | safe if messages else 'a' %}{{ x }}{{ x is string }}"
    "{{ '<' ~ x }}{{ messages[0] | tojson | safe }}",
    "tests": "{% for x in ['a', 1, 1.5, true, none, [], {}, missing] %}{{ x is string }}"
    "{{ x is mapping }}{{ x is sequence }}{{ x is iterable }}{{ x is none }}{{ x is defined }}"
    "{{ x is number }}{{ x is boolean }}{{ x is true }}{{ x is false }}{{ x is undefined }}"
    "{% endfor %}{{ strftime_now is defined }}",
    "undefined": "{{ missing }}{{ 'a' if missing }}{{ missing | default('d') }}"
    "{{ missing | length }}"
    "{{ messages[9] }}{{ messages[0]['x'] }}{% for x in missing %}{% else %}none{% endfor %}"
    "{{ missing == nothing }}{{ 'a' in missing }}{{ [missing] }}",
    "methods": "{{ 'a,b'.split(',')[-1].strip().upper() }}{{ 'ab'.startswith('a') }}"
    "{% for k, v in messages[0].items() %}{{ k }}{{ v }}{% endfor %}"
    "{{ messages[0].get('x', 'd') }}{{ messages[0].get('x', missing) is defined }}",
    "items": "{% for k, v in messages[0] | items %}{{ k }}={{ v }}{% endfor %}"
    "{% for k, v in messages[0] | dictsort %}{{ k }}{% endfor %}{{ missing | items | list }}",
    "selection": "{{ messages | selectattr('role', 'equalto', 'user') | list | length }}"
    "{{ messages | rejectattr('x') | map(attribute='role') | join(',') }}"
    "{{ (messages | selectattr('role', 'equalto', 'nobody') | first) is undefined }}",
    "slices": "{{ messages[1:] | length }}{{ messages[::-1][0].role }}{{ 'abc'[:2] }}",
    "filtered loop": "{% for m in messages if m.role == 'user' %}{{ loop.index }}{% break %}"
    "{% else %}-{% endfor %}",
    "range": "{% for i in range(3) %}{{ i }}{% endfor %}",
    "parts that are a text": "{% macro kind(x) %}{{ x.type }}|{{ x['type'] }}{% endmacro %}"
    "{% for m in messages %}{% for part in m.content %}{{ part.type == 'text' }}{{ kind(part) }}"
    "{% endfor %}{{ m.content.type is defined }}{{ m.content[0].type }}{{ kind(m.content) }}"
    "{{ kind(none) }}{{ kind(1) }}{{ kind([]) }}{{ kind(m | items) }}"
    "{{ m.content | selectattr('type', 'equalto', 'text') | list }}{% endfor %}",
    "items that are not there": "{{ none[0] is defined }}{{ {}[[]] is defined }}{{ {1: 2}[1] }}",
    "safe text added to": "{% set x = '<&>' %}{% if messages %}"
    "{% set x = messages | tojson | safe %}{% endif %}"
    "{{ messages[0].role + '<&>\\'' + x + '\"' }}{{ x is string }}{{ x == '' }}"
    "{{ (x + '<') ~ '<' }}{{ ('<' | safe if tools else '>') + '&' }}{{ x + x + bos_token }}",
    "text format": "{% set mark = ':open' %}{{ '<{}|{{}}{}>'.format(mark, messages[0].role) }}"
    "{{ '{}'.format(none) }}{{ ''.format() }}{{ '{}{}'.format(missing, 1.5) ~ 'a' }}",
    "smallest, largest": "{{ [3, messages | length, 2] | min }}{{ [1, messages | length] | max }}",
    "title": "{{ (messages[0].role ~ '-CD (ef {gh [ij <kl  éa ßx') | title }}",
    "tests of items": "{{ [messages, 1, 'a', none] | reject('none') | select | list | length }}"
    "{{ [1, messages[0].role] | select('string') | list }}"
    "{{ [1, 'a'] | reject('equalto', 'a') | list }}"
    "{{ messages | selectattr('role', 'defined') | list | length }}"
    "{{ messages | rejectattr('x', 'undefined') | list | length }}",
    "call block": "{% macro box(x, mark='*') %}{{ mark }}[{{ caller(x) }}]{% endmacro %}"
    "{% for m in messages %}{% call(y) box(m.role, mark='+') %}{{ y }}{{ loop.index }}"
    "{% call(z) box('a') %}{{ z }}-{% endcall %}{% endcall %}{% endfor %}",
    "recursive call block": "{% macro down(n) %}{{ n }}{% if n %}{% call down(n - 1) %}{{ n }}"
    "{% endcall %}{% endif %}{{ caller() }}{% endmacro %}{% call down(3) %}end{% endcall %}",
    "false constants": "{% if false %}a{% else %}b{% endif %}{% if 0 %}c{% endif %}",
}


@pytest.mark.parametrize("feature", COMMON)
@pytest.mark.parametrize("shape", ["user", "turns", "tools"])
def test_what_is_common_needs_no_jinja(feature: str, shape: str) -> None:
    arguments = {**SPECIAL_TOKENS, **conversations()[shape]}
    plain, found = both(COMMON[feature], arguments)
    assert found == plain
    assert found[0] == "text"
    assert not hands_over(COMMON[feature], arguments)


def test_jinja_is_not_imported(tmp_path: Path) -> None:
    module = tmp_path / "chat.py"
    module.write_text(compile_chat_template(COMMON["messages"], "a test"), "utf-8")
    script = (
        "import sys; sys.modules['jinja2'] = None; sys.path.insert(0, sys.argv[1])\n"
        "from chat import render\n"
        "print(render([{'role': 'user', 'content': ' Hi '}], bos_token='<s>'), end='')"
    )
    run = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], cwd=ROOT, capture_output=True, text=True
    )
    assert (run.stdout, run.stderr) == ("<s><|user|>Hi\n", "")


# What is handed over

UNUSUAL = {
    "error": "{{ 1 + 'a' }}",
    "own error": "{{ raise_exception('No.') }}",
    "undefined used": "{{ missing.a }}",
    "method as a value": "{{ messages[0].items }}",
    "key that is a method": "{{ messages[0]['items'] }}",
    "safe text changed": "{{ (messages[0].role | safe | trim) + '<b>' }}",
    "safe text repeated": "{{ (messages[0].role | safe) * 2 + '<b>' }}",
    "safe text in a list": "{{ [messages[0].role | safe] }}",
    "safe text in a field": "{% set ns = namespace() %}{% set ns.x = messages[0].role | safe %}"
    "{{ ns.x + '<b>' }}",
    "number added to a safe text": "{{ (messages[0].role | safe) + 1 }}",
    "loop as a value": "{% for m in messages %}{{ loop.cycle('a', 'b') }}{% endfor %}",
    "loop asked about": "{% for m in messages %}{{ loop is defined }}{{ loop.index }}{% endfor %}",
    "macro as a value": "{% macro m() %}{% endmacro %}{{ m }}{{ m.name }}",
    "macro with varargs": "{% macro m() %}{{ varargs }}{% endmacro %}{{ m(1) }}",
    "namespace as a value": "{{ namespace(a=1) }}",
    "global replaced": "{% if messages %}{% set range = messages %}{% endif %}{{ range(3) }}",
    "unknown filter": "{{ messages | pprint }}",
    "block": "{% block b %}in{% endblock %}",
    "recursive loop": "{% for x in [1, [2]] recursive %}{{ loop(x) if x is iterable else x }}"
    "{% endfor %}",
    "call block without a name": "{% macro m() %}{{ caller is defined }}{% endmacro %}"
    "{% call m() %}{% endcall %}",
    "call block with names": "{% macro m() %}{{ caller(x=1) }}{% endmacro %}"
    "{% call(x) m() %}{{ x }}{% endcall %}",
    "call block that is not taken": "{% macro m() %}a{% endmacro %}{% call m() %}{% endcall %}",
    "call block that is missing": "{% macro m() %}{{ caller() }}{% endmacro %}{{ m() }}",
    "argument in place of a call block": "{% macro m(a) %}{{ caller() if a }}{% endmacro %}"
    "{{ m(0, 1) }}",
    "method of a part that is a text": "{% for part in messages[0].content %}{{ part.title }}"
    "{{ part.count }}{% endfor %}",
    "field of something undefined": "{% macro m(x) %}{{ x.type }}{% endmacro %}{{ m(missing) }}",
    "item of something undefined": "{% set x = messages[9] %}{{ x[0] }}",
    "text format by position": "{{ '{0}'.format(1) }}",
    "text format by name": "{{ '{a}'.format(a=1) }}",
    "text format with a width": "{{ '{:>3}'.format(1) }}",
    "text format into an argument": "{{ '{.__class__}'.format(1) }}",
    "text format with too much": "{{ '{}'.format(1, 2) }}",
    "text format with too little": "{{ '{}{}'.format(1) }}",
    "text format that is none": "{{ '{'.format() }}",
    "text format from the messages": "{{ messages[0].content.format(1) }}",
    "smallest text": "{{ [messages[0].role, 'B'] | min }}",
    "smallest of none": "{{ messages[9:] | min }}",
    "test of items with more": "{{ messages | selectattr('role', 'in', ['user']) | list }}",
    "test of items that is none": "{{ messages | select('odder') | list }}",
    "fields selected by nothing": "{{ messages | selectattr | list }}",
}


@pytest.mark.parametrize("case", UNUSUAL)
def test_what_is_unusual_is_left_to_jinja(case: str) -> None:
    arguments = {"messages": HELLO}
    plain, found = both(UNUSUAL[case], arguments)
    assert found == plain
    assert hands_over(UNUSUAL[case], arguments)


@pytest.mark.parametrize(
    "variables",
    [{"range": 5}, {"namespace": "n"}, {"strftime_now": 1}, {"add_generation_prompt": [1]}],
)
def test_variables_in_the_way_are_left_to_jinja(variables: dict[str, Any]) -> None:
    source = "{{ range }}{{ namespace is string }}{{ add_generation_prompt }}{{ messages|length }}"
    arguments = {"messages": HELLO, **variables}
    plain, found = both(source, arguments)
    assert found == plain
    assert hands_over("{{ messages|length }}", arguments)


def test_errors_name_the_line_of_the_template() -> None:
    template = specialised_template("a\nb{{ messages[0].content + 1 }}")
    with pytest.raises(TypeError) as caught:
        template.render(HELLO)
    assert getattr(caught.value, "template_line", None) == 2


def test_continued_messages_are_cut_in_specialised_code_too() -> None:
    arguments = {"messages": [*HELLO, {"role": "assistant", "content": "So "}]}
    arguments |= {"continue_final_message": True}
    plain, found = both(COMMON["messages"], arguments)
    assert found == plain
    assert found[1].endswith("So")


def test_spans_are_those_of_the_template() -> None:
    source = (
        "{% for m in messages %}{% generation %}{{ m.content }}{% endgeneration %};{% endfor %}"
    )
    assert specialised_template(source).render_with_spans(HELLO) == ("Hello;", [(0, 5)])


# The sandbox

ESCAPES = (
    "{{ ''.__class__ }}",
    "{{ ''.__class__.__mro__ }}",
    "{{ ''['__class__']['__mro__'] }}",
    "{{ messages.__class__.__base__.__subclasses__() }}",
    "{{ messages[0].__init__.__globals__ }}{{ messages[0].__getstate__ }}",
    "{{ messages | map(attribute='__class__') | list }}",
    "{{ messages | map(attribute='role.__class__') | list }}",
    "{{ messages | selectattr('__class__') | list | length }}",
    "{{ messages | attr('__class__') }}",
    "{{ raise_exception.__globals__ }}",
    "{{ range.__globals__ }}",
    "{{ namespace.__init__.__globals__ }}",
    "{{ namespace(__class__=1) }}",
    "{{ namespace(**{'__class__': 1}) }}",
    "{% set ns = namespace() %}{% set ns.__class__ = 1 %}",
    "{% set ns = namespace() %}{{ ns.__dict__ }}{{ ns._values }}",
    "{% set ns = namespace() %}{{ ns.get('a') }}",
    "{% set ns = namespace() %}{{ ns.assign('a', 1) }}",
    "{% set ns = namespace(a=1) %}{{ ns.assign }}{{ ns['assign'] }}{{ ns.get('a', missing) }}",
    "{% macro m() %}{% endmacro %}{{ m.__globals__ }}{{ m._func }}",
    "{% macro m() %}{% endmacro %}{{ m.__call__.__globals__ }}",
    "{{ '{0.__class__}'.format(messages) }}",
    "{{ '{0.__class__.__mro__}'.format_map({'0': 1}) }}",
    "{{ '%s' | format(messages.__class__) }}",
    "{{ messages.append(1) }}",
    "{{ messages[0].update({'role': 'x'}) }}",
    "{{ messages[0].pop('role') }}",
    "{{ messages[0].setdefault('x', 1) }}",
    "{{ messages.sort() }}{{ messages.clear() }}",
    "{{ range(100001) | length }}",
    "{% for i in range(10**9) %}{% endfor %}",
    "{{ self.__init__ }}{{ self._TemplateReference__context }}",
    "{{ cycler.__init__.__globals__ }}{{ joiner.__init__ }}{{ lipsum.__globals__ }}",
    "{{ variables }}{{ text }}{{ hand_over }}{{ MISSING }}{{ specialised }}{{ __import__('os') }}",
    "{{ missing.__class__ }}{{ missing['__class__'] }}",
    "{% macro m(n) %}{{ m(n + 1) }}{% endmacro %}{{ m(0) }}",
    "{% include 'x' %}",
    "{% import 'x' as y %}{{ y }}",
    "{{ [].__class__([1]) }}{{ ().__class__ }}",
    "{{ (1).__class__ }}{{ (1).real }}{{ true.__class__ }}",
    "{{ messages[0].items.__self__ }}{{ messages[0].get.__self__ }}",
    "{{ {}.fromkeys('ab') }}{{ dict.__class__ }}",
)


@pytest.mark.parametrize("source", ESCAPES)
def test_an_escape_fails_as_in_the_sandbox(source: str) -> None:
    messages = deepcopy(HELLO)
    plain, found = both(source, {"messages": messages})
    assert found == plain
    assert messages == HELLO


def test_the_specialised_code_names_nothing_hidden() -> None:
    for source in ESCAPES:
        module = compile_chat_template(source, "a test")
        code = module[module.index("def specialised") :]
        assert not re.search(r"\.__\w+__|\._\w|getattr|\bformat|\beval|\bimport", code), code


# The parts


def test_a_field_of_any_value_is_that_of_jinja() -> None:
    assert field_of({"a": 1}, "a") == field_of(Variables(a=1), "a") == 1
    for value in ({}, Variables(), "abc", [1], (1,), 1, 1.5, True, None, filter_items({1: 2})):
        assert field_of(value, "type") is MISSING
    for value, name in (("a", "title"), ([], "sort"), (1, "real"), (MISSING, "a"), (range(2), "a")):
        with pytest.raises(HandOver):
            field_of(value, name)


def test_items_are_those_of_jinja() -> None:
    assert item([1, 2], -1) == 2
    assert item([], 0) is item({}, "a") is item({}, 0) is MISSING
    assert item(None, 0) is item({}, []) is item(5, 0) is MISSING
    for container, key in (({}, "items"), (MISSING, 0), ([], "a"), (Variables(a=1), "a")):
        with pytest.raises(HandOver):
            item(container, key)


def test_a_range_is_bounded() -> None:
    assert len(bounded_range(100_000)) == 100_000
    with pytest.raises(HandOver):
        bounded_range(100_001)
