"""Random templates and data for them: expressions, loops and macros of every feature mixed."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

_KEYS = ("role", "type", "items", "get", "title", "k", "0")
_NAMES = ("a", "b", "c", "missing", "x", "ns.k", "ns.items", "ns")
_CONSTANTS = (
    "'role'",
    "'k'",
    "''",
    "' a,B '",
    "0",
    "1",
    "-1",
    "2.5",
    "true",
    "none",
    "[]",
    "[1, 'k']",
)
_FILTERS = (
    *("tojson", "length", "trim", "string", "safe", "default('d')", "default('d', true)", "items"),
    *("join", "join('-')", "first", "last", "lower", "upper", "list", "int", "replace('a', 'b')"),
    *("capitalize", "title", "dictsort", "tojson(indent=2)", "tojson(separators=(',', ':'))"),
    *("selectattr('k')|list", "selectattr('role', 'equalto', 'k')|list", "rejectattr('k')|list"),
    *(
        "map(attribute='k')|list",
        "map('upper')|list",
        "reverse|list",
        "escape",
        "sum",
        "unique|list",
    ),
)
_TESTS = (
    *("defined", "undefined", "none", "string", "mapping", "iterable", "sequence", "number"),
    *("boolean", "true", "false", "integer", "odd", "equalto('k')", "in(['k'])", "callable"),
)
_METHODS = (
    *("split(',')", "strip()", "lstrip('a')", "upper()", "startswith('a')", "items()", "keys()"),
    *("get('k')", "get('k', b)", "get('k', 1)", "join(['a', 'b'])", "index(1)", "count('a')"),
    *(
        "append(1)",
        "pop()",
        "format(1)",
        "values()",
        "replace('a', b)",
        "title()",
        "copy()",
        "nope()",
    ),
)
_OPERATORS = ("+", "~", "==", "!=", "<", "in", "not in", "and", "or", "*", "%")

values = st.recursive(
    st.sampled_from([None, True, False, 0, 1, -3, 2.5, "", "a", "k", "role", " a,b ", "<b>"]),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.lists(inner, max_size=2).map(tuple),
        st.dictionaries(st.sampled_from(_KEYS), inner, max_size=3),
    ),
    max_leaves=6,
)


def _calls(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        inner.map(lambda each: f"m({each})"),
        st.tuples(inner, inner).map(lambda each: f"m({each[0]}, q={each[1]})"),
        _larger(inner),
    )


def _larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    key = st.sampled_from(_KEYS[:-1])
    return st.one_of(
        st.tuples(inner, key).map(lambda each: f"({each[0]}).{each[1]}"),
        st.tuples(inner, key).map(lambda each: f"({each[0]})['{each[1]}']"),
        st.tuples(inner, inner).map(lambda each: f"({each[0]})[{each[1]}]"),
        st.tuples(inner, st.sampled_from(("[1:]", "[::-1]", "[:2]"))).map(
            lambda each: f"({each[0]}){each[1]}"
        ),
        st.tuples(inner, st.sampled_from(_FILTERS)).map(lambda each: f"({each[0]})|{each[1]}"),
        st.tuples(inner, st.sampled_from(_TESTS)).map(lambda each: f"(({each[0]}) is {each[1]})"),
        st.tuples(inner, st.sampled_from(_METHODS)).map(lambda each: f"({each[0]}).{each[1]}"),
        st.tuples(inner, st.sampled_from(_OPERATORS), inner).map(
            lambda each: f"(({each[0]}) {each[1]} ({each[2]}))"
        ),
        st.tuples(inner, inner, inner).map(
            lambda each: f"(({each[0]}) if {each[1]} else ({each[2]}))"
        ),
        st.tuples(inner, inner).map(lambda each: f"(({each[0]}) if {each[1]})"),
        st.tuples(inner, inner).map(lambda each: f"{{'k': {each[0]}, 'role': {each[1]}}}"),
        st.tuples(inner, inner).map(lambda each: f"[{each[0]}, {each[1]}]"),
        inner.map(lambda each: f"(not {each})"),
        inner.map(lambda each: f"range({each})"),
    )


_atoms = st.sampled_from(_NAMES + _CONSTANTS)
_in_macros = st.recursive(_atoms, _larger, max_leaves=5)  # a macro that calls itself has no end
expressions = st.recursive(_atoms, _calls, max_leaves=5)


def _statements(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    field = st.sampled_from(
        (
            "index",
            "index0",
            "first",
            "last",
            "length",
            "revindex",
            "revindex0",
            "previtem",
            "nextitem",
            "cycle('a', 'b')",
            "depth",
        )
    )
    return st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(expressions, inner, inner).map(
            lambda each: f"{{% if {each[0]} %}}{each[1]}{{% else %}}{each[2]}{{% endif %}}"
        ),
        st.tuples(expressions, inner, field).map(
            lambda each: f"{{% for x in {each[0]} %}}{{{{ loop.{each[2]} }}}}{each[1]}"
            "{% else %}-{% endfor %}"
        ),
        st.tuples(expressions, inner, expressions).map(
            lambda each: f"{{% for x in {each[0]} if {each[2]} %}}{each[1]}{{% endfor %}}"
        ),
        st.tuples(expressions, inner).map(
            lambda each: f"{{% for x, c in {each[0]} %}}{each[1]}{{% endfor %}}"
        ),
        inner.map(lambda each: f"{{% set c %}}{each}{{% endset %}}"),
        inner.map(lambda each: f"{{% generation %}}{each}{{% endgeneration %}}"),
    )


bodies = st.recursive(
    st.one_of(
        expressions.map(lambda each: f"{{{{ {each} }}}}"),
        expressions.map(lambda each: f"{{% set c = {each} %}}"),
        expressions.map(lambda each: f"{{% set ns.k = {each} %}}"),
    ),
    _statements,
    max_leaves=4,
)


def _template(parts: tuple[str, str, str]) -> str:
    default, macro, body = parts
    return (
        f"{{% set ns = namespace(k=1) %}}{{% macro m(p, q={default}) %}}{{{{ {macro} }}}}"
        f"{{{{ p }}}}{{{{ q }}}}{{% endmacro %}}{body}{{{{ c }}}}"
    )


templates = st.tuples(_in_macros, _in_macros, bodies).map(_template)


def data() -> st.SearchStrategy[dict[str, Any]]:
    """Variables of a template; `c` is sometimes not given."""
    return st.fixed_dictionaries({"a": values, "b": values}, optional={"c": values})
