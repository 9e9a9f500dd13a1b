"""LT101, LT102, LT203, LT204: methods of Python's strings, lists and dicts, and their fixes."""

from __future__ import annotations

import pytest
from jinja2 import Environment, nodes

from tests.lint.chat_problems import mended, places_of, problems_of, rules_of


@pytest.mark.parametrize(
    ("text", "rule", "place"),
    [
        ("{{ messages[0].role.upper() }}", "LT101", "1:21"),
        ("{% if tools %}\n{% for k, v in tools.items() %}{% endfor %}{% endif %}", "LT101", "2:22"),
        ("{{ messages[0].role . strip () }}", "LT101", "1:23"),
        ("{{ ', '.join(['a']) }}", "LT101", "1:9"),
        ("{{ messages[0].role.split('s')[0] }}", "LT102", "1:21"),
        ("{{ messages[0]\n  .get('role') }}", "LT102", "2:4"),
        ("{% if tools %}{% set x = tools.append(1) %}{% endif %}", "LT203", "1:32"),
        ("{% if tools %}{{ tools[0].keys }}{% endif %}", "LT204", "1:27"),
    ],
)
def test_the_name_of_the_method_is_the_place(text: str, rule: str, place: str) -> None:
    assert places_of(text, rule) == [place]


@pytest.mark.parametrize(
    "text",
    [
        "{% for m in messages %}{{ loop.cycle('a', 'b') }}{% endfor %}",
        "{% set c = cycler('a', 'b') %}{{ c.next() }}",
        "{% macro strip(x) %}{{ x }}{% endmacro %}{{ strip('a') }}",
        "{{ messages[0].role }}",
        "{{ messages[0]['role'] }}",
        "{{ 'x.strip()' }}{# x.strip() #}{% raw %}{{ x.strip() }}{% endraw %} x.strip()",
        "{% set ns = namespace(items=['a']) %}{{ ns.items|join }}",
        "{{ dict.fromkeys(['a'])|length }}",
        "{{ messages[0]['items'] }}",
    ],
)
def test_what_is_no_method_of_data(text: str) -> None:
    assert rules_of(text) == []


def mended_expression(expression: str) -> str:
    """The expression where a template sets a variable to it, after the fixes of LT101."""
    before, after = "{% set x = ", " %}"
    return mended(before + expression + after, "LT101").file.text[len(before) : -len(after)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("' a '.strip()", "' a '|trim"),
        ("' a ' 'b'.strip()", "' a ' 'b'|trim"),
        ("(a ~ b).strip()", "(a ~ b)|trim"),
        ("(a ~ b)\n  . strip ( )", "(a ~ b)\n  |trim"),
        ("(a ~ b).strip('x')", "(a ~ b)|trim('x')"),
        ("(a ~ b).strip().split('x')", "((a ~ b)|trim).split('x')"),
        ("(a ~ b).strip()[0]", "((a ~ b)|trim)[0]"),
        ("(a ~ b).strip('x').lower().upper()", "(a ~ b)|trim('x')|lower|upper"),
        ("c is sameas (a ~ b).strip()", "c is sameas (a ~ b).strip()"),  # the test takes (a ~ b)
        ("c is sameas a.lower().upper()", "c is sameas (a.lower()|upper)"),
        ("c is in a.lower().upper()", "c is in (a.lower()|upper)"),
        ("c is not in a.lower().upper()", "c is not in (a.lower()|upper)"),
        ("c in a.lower().upper()", "c in a.lower()|upper"),
        ("c not in a.lower().upper()", "c not in a.lower()|upper"),
        ("not a.lower().upper()", "not (a.lower()|upper)"),
        ("c + a.lower().upper()", "c + (a.lower()|upper)"),
        ("c ~ a.lower().upper() ~ d", "c ~ a.lower()|upper ~ d"),
        ("[a.lower().upper()]", "[(a.lower()|upper)]"),
        ("{'k': a.lower().upper()}", "{'k': (a.lower()|upper)}"),
        ("f(a.lower().upper())", "f(a.lower()|upper)"),
        ("a.lower().upper() if b else c", "a.lower()|upper if b else c"),
        ("a.b['c'](d).lower().upper()", "a.b['c'](d).lower()|upper"),
        ("a.b['c.d()'].lower().upper()", "a.b['c.d()'].lower()|upper"),
        ("a.split('x')[-1].strip()", "a.split('x')[-1]|trim"),
        ("(a + 'b').capitalize()", "(a + 'b')|capitalize"),
        ("(a|string).lower()", "(a|string)|lower"),
        ("(a ~ b).replace('x', 'y')", "(a ~ b)|replace('x', 'y')"),
        ("a.strip() if a is string else b", "a|trim if a is string else b"),
        ("a is string and a.strip()", "a is string and a|trim"),
        ("b and a is string and c and a.strip() == d", "b and a is string and c and a|trim == d"),
    ],
)
def test_certain_texts_are_given_to_filters(before: str, after: str) -> None:
    assert mended_expression(before) == after


@pytest.mark.parametrize(
    "expression",
    [
        "a.strip()",  # undefined fails, and prints nothing with a filter
        "a.split()[0].strip()",  # there may be no piece
        "a.split('x')[1].strip()",
        "a.split(b)[0].strip()",
        "(a + b).strip()",
        "('x' if a).strip()",
        "(a or 'x').strip()",
        "(a ~ b).title()",  # the filter does another thing
        "(a ~ b).strip(*c)",
        "(a ~ b).replace(c, 'y')",  # the filter makes a text of c
        "(a ~ b).replace('x', 'y', 1)",
        "(a|safe|trim).replace('x', 'y')",  # markup escapes what it gets
        "(a ~ b).lower(c)",
        "(a ~ b).strip(c, d)",
        "(a ~ b).join(c)",
        "a.strip() if a is not string else b",
        "a is string or a.strip()",
        "a.b().strip()",
        "a.items()",
        "{}.items()",  # no loop: the filter makes a generator of it
    ],
)
def test_what_is_uncertain_is_left_alone(expression: str) -> None:
    text = f"{{% set x = {expression} %}}"
    assert "LT101" in rules_of(text)
    assert mended_expression(expression) == expression


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{% if a is string %}{{ a.strip() }}{% endif %}", "a|trim"),
        ("{% if a.b is string and c %}{{ d(a.b.strip()) }}{% endif %}", "a.b|trim"),
        ("{% if a is mapping %}{% for k, v in a.items() %}{% endfor %}{% endif %}", "a|items"),
        ("{% for k, v in {'a': 1}.items() %}{% endfor %}", "in {'a': 1}|items %"),
    ],
)
def test_what_a_condition_tells_is_certain(before: str, after: str) -> None:
    assert after in mended(before, "LT101").file.text


@pytest.mark.parametrize(
    "text",
    [
        "{% if a is string %}{% endif %}{{ a.strip() }}",
        "{% if a is string %}{% else %}{{ a.strip() }}{% endif %}",
        "{% if a is string %}{% elif b %}{{ a.strip() }}{% endif %}",
        "{% if a is string %}{% set a = b %}{{ a.strip() }}{% endif %}",
        "{% if a is string %}{% for a in b %}{{ a.strip() }}{% endfor %}{% endif %}",
        "{% if a is string %}{% macro f(a) %}{{ a.strip() }}{% endmacro %}{% endif %}",
        "{% if a is string %}{% block b %}{{ a.strip() }}{% endblock %}{% endif %}",
        "{% if n.a is string %}{% set n.a = b %}{{ n.a.strip() }}{% endif %}",
        "{% if n.a is string %}{{ f() }}{{ n.a.strip() }}{% endif %}{% set m.a = 1 %}",
        "{% if a[b] is string %}{{ a[b].strip() }}{% endif %}",
        "{% if a() is string %}{{ a().strip() }}{% endif %}",
        "{% for m in b %}{% if loop.previtem is string %}{% for c in m %}"
        "{{ loop.previtem.strip() }}{% endfor %}{% endif %}{% endfor %}",
        "{% if a is mapping %}{{ a.items()|length }}{% endif %}",
        "{% for k, v in a.items() %}{% endfor %}",
    ],
)
def test_no_condition_tells_it(text: str) -> None:
    assert mended(text, "LT101").file.text == text


@pytest.mark.parametrize(
    "making",
    ["{'lower': f}", "{x: f}", "dict(split=f)", "namespace(upper=f)", "[{'rsplit': f}]"],
)
def test_a_function_may_be_called_like_a_method_where_the_template_makes_one(making: str) -> None:
    call = "{% set x = a.lower().upper() %}"
    assert mended(call, "LT101").fixed
    assert mended(f"{{% set f = {{'a': range}} %}}{call}", "LT101").fixed
    assert not mended(f"{{% set f = {making} %}}{call}", "LT101").fixed


def test_a_function_may_be_an_attribute_of_a_namespace() -> None:
    text = "{% set ns = namespace() %}{% set ns.lower = range %}{{ ns.lower().upper() }}"
    assert not mended(text, "LT101").fixed


def test_texts_that_escape_are_left_alone() -> None:
    text = "{{ (a ~ b).replace('x', 'y') }}"
    assert mended(text, "LT101").fixed
    assert not mended(f"{{% autoescape true %}}{text}{{% endautoescape %}}", "LT101").fixed


CONTEXTS = [
    *("-CALL", "+CALL", "CALL**2", "CALL is b", "a[CALL]", "a[CALL:]", "a(CALL, b=CALL)"),
    *("CALL if CALL else CALL", "not CALL", "a in CALL", "{'a': CALL}", "(CALL,)", "CALL * CALL"),
    *("CALL|b", "CALL.b", "CALL['b']", "CALL.b()", "a and CALL", "CALL < CALL <= 1", "(CALL)"),
    *("(a ~ CALL).b", "a is b(CALL)", "a is defined and CALL", "[CALL, CALL]"),
]


@pytest.mark.parametrize("arguments", ["", "'x'", "('x' ~ y)"])
@pytest.mark.parametrize("context", CONTEXTS)
def test_a_filter_takes_the_place_in_the_tree(context: str, arguments: str) -> None:
    """Wherever the method is called, the filter has its operand and its arguments."""
    before = context.replace("CALL", f"(p ~ q).strip({arguments})")
    expected = tree(before)
    for call in [*expected.find_all(nodes.Call)]:
        if isinstance(call.node, nodes.Getattr) and call.node.attr == "strip":
            _replace(expected, call)
    after = mended_expression(before)
    assert "strip" not in after
    assert tree(after) == expected


def tree(expression: str) -> nodes.Template:
    environment = Environment()
    environment.tests["b"] = environment.filters["b"] = lambda *arguments: None
    return environment.parse(f"{{% set z = {expression} %}}")


def _replace(tree: nodes.Node, call: nodes.Call) -> None:
    assert isinstance(call.node, nodes.Getattr)
    new = nodes.Filter(call.node.node, "trim", call.args, [], None, None)
    for parent in [tree, *tree.find_all(nodes.Node)]:
        for name, value in parent.iter_fields():
            if value is call:
                setattr(parent, name, new)
            elif isinstance(value, list):
                value[:] = [new if item is call else item for item in value]


def test_what_is_said() -> None:
    (problem,) = problems_of("{{ messages[0].role.upper() }}")
    assert problem.diagnostic.message == "upper() is a method of Python's strings"
    assert problem.diagnostic.hint == "write x|upper"
    (problem,) = problems_of("{% if tools %}{{ tools[0].items }}{% endif %}")
    assert problem.diagnostic.message == (
        ".items is the method of Python's dicts, even where there is a key 'items'"
    )
    assert problem.diagnostic.hint == "write x['items'] for the key"
