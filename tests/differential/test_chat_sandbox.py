"""Random ways out of the sandbox end as they do in transformers, by every path of chatc."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compiler.backends.jinja.specialise import specialised_function
from runtime.chat import ChatTemplate
from tests.chat.specialising import specialised_template
from tests.differential.chat_reference import Rendered, outcome, reference_text

MESSAGES = [{"role": "user", "content": "Hello"}]

_VALUES = (
    *("messages", "messages[0]", "messages[0].role", "''", "'{0.__class__}'", "'%s'", "[1]", "{}"),
    *("(1,)", "1", "1.5", "true", "none", "missing", "ns", "m", "range(3)", "x", "self", "loop"),
    *("range", "namespace", "dict", "cycler", "joiner", "lipsum", "raise_exception"),
    *("strftime_now", "cycler('a')", "joiner(',')", "messages|map('upper')", "messages[0]|items"),
    *("specialised", "variables", "text", "environment", "context", "hand_over", "caller"),
)
_HIDDEN = (
    *("__class__", "__mro__", "__base__", "__bases__", "__subclasses__", "__init__", "__globals__"),
    *(
        "__builtins__",
        "__dict__",
        "__getattribute__",
        "__func__",
        "__self__",
        "__code__",
        "__doc__",
    ),
    *("__closure__", "__call__", "__module__", "__import__", "__reduce_ex__", "__format__"),
    *("__getitem__", "__len__", "__add__", "__iter__", "__html__", "_func", "_environment"),
    *("_values", "_source", "_TemplateReference__context", "gi_frame", "gi_code", "f_globals"),
    *("f_back", "tb_frame", "cr_frame", "mro", "func_globals", "im_self"),
)
_PUBLIC = (
    *("append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse", "update"),
    *("setdefault", "popitem", "copy", "fromkeys", "get", "assign", "keys", "items", "values"),
    *("format", "format_map", "join", "encode", "translate", "real", "count", "index", "title"),
    *("role", "content", "name", "next", "current", "environment", "cycle", "changed"),
)
names = st.sampled_from(_HIDDEN + _PUBLIC)


def _steps(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Expressions around others: attributes, calls, formats, filters."""
    one = st.tuples(inner, names)
    two = st.tuples(inner, inner)
    return st.one_of(
        one.map(lambda each: f"({each[0]}).{each[1]}"),
        one.map(lambda each: f"({each[0]})['{each[1]}']"),
        one.map(lambda each: f"({each[0]})|attr('{each[1]}')"),
        one.map(lambda each: f"[{each[0]}]|map(attribute='{each[1]}')|list"),
        one.map(lambda each: f"[{each[0]}]|map(attribute='role.{each[1]}')|list"),
        one.map(lambda each: f"[{each[0]}]|selectattr('{each[1]}')|list"),
        one.map(lambda each: f"[{each[0]}]|groupby('{each[1]}')|list"),
        one.map(lambda each: f"[{each[0]}]|sum(attribute='{each[1]}', start='')"),
        one.map(lambda each: f"'{{0.{each[1]}}}'.format({each[0]})"),
        one.map(lambda each: f"'{{.{each[1]}}}'.format({each[0]})"),
        one.map(lambda each: f"'{{a[{each[1]}]}}'.format_map({{'a': {each[0]}}})"),
        one.map(lambda each: f"('{{a.{each[1]}}}'|attr('format'))(a={each[0]})"),
        one.map(lambda each: f"namespace({each[1]}={each[0]})"),
        one.map(lambda each: f"namespace(**{{'{each[1]}': {each[0]}}})"),
        one.map(lambda each: f"dict({each[1]}={each[0]})"),
        two.map(lambda each: f"({each[0]})({each[1]})"),
        two.map(lambda each: f"({each[0]})(*[{each[1]}])"),
        two.map(lambda each: f"({each[0]})[{each[1]}]"),
        two.map(lambda each: f"({each[0]})|format({each[1]})"),
        two.map(lambda each: f"({each[0]})|default({each[1]})"),
        two.map(lambda each: f"m({each[0]}, y={each[1]})"),
        inner.map(lambda each: f"({each})()"),
        inner.map(lambda each: f"'{{}}'.format({each})"),
        inner.map(lambda each: f"({each})|list"),
        inner.map(lambda each: f"({each})|first"),
        inner.map(lambda each: f"({each})|safe"),
        inner.map(lambda each: f"('<' + (({each})|safe))"),
        inner.map(lambda each: f"({each})|tojson"),
        inner.map(lambda each: f"({each}) is defined"),
    )


expressions = st.recursive(st.sampled_from(_VALUES), _steps, max_leaves=4)
statements = st.one_of(
    names.map(lambda each: f"{{% set ns.{each} = 1 %}}{{{{ ns.{each} }}}}"),
    names.map(lambda each: f"{{{{ messages[0].role.{each} }}}}"),
    expressions.map(lambda each: f"{{{{ {each} }}}}"),
    expressions.map(lambda each: f"{{% set x = {each} %}}{{{{ x }}}}"),
    expressions.map(lambda each: f"{{% for x in {each} %}}{{{{ x }}}}{{% endfor %}}"),
    expressions.map(lambda each: f"{{% if {each} %}}{{{{ 1 }}}}{{% endif %}}"),
    expressions.map(lambda each: f"{{% call(x) b(messages) %}}{{{{ {each} }}}}{{% endcall %}}"),
    st.tuples(names, expressions).map(
        lambda each: f"{{% set ns.{each[0]} = {each[1]} %}}{{{{ ns.{each[0]} }}}}"
    ),
    st.tuples(st.sampled_from(_VALUES), names, expressions).map(
        lambda each: (
            f"{{% set {each[0]}.{each[1]} = {each[2]} %}}"
            if each[0].isidentifier()
            else f"{{{{ ({each[0]}).{each[1]}({each[2]}) }}}}"
        )
    ),
)


def _template(body: str) -> str:
    return (
        "{% set ns = namespace(a=1) %}{% macro m(x, y=1) %}{{ x }}{{ x.role }}{{ y }}{% endmacro %}"
        "{% macro b(x) %}{{ caller(x) }}{% endmacro %}" + body + "{{ ns.a }}"
    )


def _comparable(rendered: Rendered) -> Rendered:
    """Of a text with an address in it, perhaps letter by letter, only that it is one."""
    has_address = "0x" in re.sub(r"\W", "", rendered.result or "")
    return Rendered(
        result="an address" if has_address else rendered.result,
        error=rendered.error and re.sub("0x[0-9a-f]+", "", rendered.error),
    )


def ending(render: Callable[[list[dict[str, Any]]], Rendered]) -> Rendered:
    """What a rendering comes to; it must leave the messages alone."""
    messages = deepcopy(MESSAGES)
    random.seed(0)  # `lipsum` writes random words
    rendered = render(messages)
    assert messages == MESSAGES
    return _comparable(rendered)


def own_endings(source: str) -> dict[str, Rendered]:
    templates = {"plain": ChatTemplate(source)}
    try:
        specialised_function(source)
    except Exception:  # no template; the plain path says how
        pass
    else:
        templates["specialised"] = specialised_template(source)
    return {
        path: ending(lambda messages, t=template: outcome(lambda: t.render(messages)))
        for path, template in templates.items()
    }


@pytest.mark.filterwarnings("ignore::SyntaxWarning")  # of calls of numbers, jinja2's own as well
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(statements.map(_template))
def test_what_reaches_for_the_hidden_ends_as_in_transformers(source: str) -> None:
    expected = ending(lambda messages: reference_text(source, {"messages": messages}))
    for path, found in own_endings(source).items():
        assert found == expected, path
