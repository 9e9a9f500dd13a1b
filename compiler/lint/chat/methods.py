"""LT101, LT102, LT203, LT204: methods of Python's strings, lists and dicts."""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import nodes

from compiler.lint.chat.certainty import Facts, facts_of_calls, makes_markup
from compiler.lint.chat.edits import as_filter
from compiler.lint.chat.subject import ChatSubject
from compiler.lint.problems import Fix, LintFinding

_FILTERS = {  # by the method that does the same
    **{name: name for name in ("lower", "upper", "title", "capitalize", "replace", "items")},
    "strip": "trim",
    "join": "join",
}
_TEXT_FILTERS = ("trim", "lower", "upper", "capitalize")  # the same for whatever is a text

_CHANGING = {
    *("append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse"),
    *("update", "setdefault", "popitem"),
}
_OWNERS = {  # by the method's name
    name: kind
    for kind, owner in (("dict", dict), ("list", list), ("string", str))
    for name in dir(owner)
    if not name.startswith("_") and name not in _CHANGING
}
_DICT_METHODS = {name for name in dir(dict) if not name.startswith("_")}

_HINTS = {
    "join": "write list|join(separator)",
    "title": "write x|title; it does not capitalise after an apostrophe, as title() does",
    "startswith": "a slice can be compared: x[:3] == 'abc'",
    "endswith": "a slice can be compared: x[-3:] == 'abc'",
    "get": "write x.key, or x.key|default(value)",
    "keys": "a loop over a mapping goes over its keys",
    "values": "loop over x|items",
}


def check_methods(subject: ChatSubject) -> Iterator[LintFinding]:
    """Calls of methods that only Python has, or that the sandbox refuses."""
    for call, facts in facts_of_calls(subject.tree):
        attribute = call.node
        if not isinstance(attribute, nodes.Getattr) or _is_jinjas_own(attribute.node):
            continue
        method, place = attribute.attr, _name_offset(subject, attribute)
        if method in _CHANGING:
            message = f"{method}() would change data, which the sandbox refuses"
            hint = "make a new value: {% set x = x + [item] %}, in a namespace if a loop makes it"
            yield LintFinding("LT203", "", message, hint, place)
        elif method in _FILTERS:
            message = f"{method}() is a method of Python's {_OWNERS[method]}s"
            hint = _HINTS.get(method, f"write x|{_FILTERS[method]}")
            fix = _fix(subject, call, attribute, facts)
            yield LintFinding("LT101", "", message, hint, place, fix=fix)
        elif method in _OWNERS:
            message = f"{method}() is a method of Python's {_OWNERS[method]}s; no filter does it"
            yield LintFinding("LT102", "", message, _HINTS.get(method), place)


def check_method_values(subject: ChatSubject) -> Iterator[LintFinding]:
    """Names of a dict's methods after a dot, without a call: the key of that name is not read."""
    called = {id(call.node) for call in subject.tree.find_all(nodes.Call)}
    spaces = _namespaces(subject.tree)
    for attribute in subject.tree.find_all(nodes.Getattr):
        is_own = _is_jinjas_own(attribute.node) or _name(attribute.node) in spaces
        if attribute.attr in _DICT_METHODS and id(attribute) not in called and not is_own:
            name = attribute.attr
            message = f".{name} is the method of Python's dicts, even where there is a key {name!r}"
            place = _name_offset(subject, attribute)
            yield LintFinding("LT204", "", message, f"write x['{name}'] for the key", place)


def _fix(
    subject: ChatSubject, call: nodes.Call, attribute: nodes.Getattr, facts: Facts
) -> Fix | None:
    """The filter in place of the method, where it is certain to do the same."""
    name = _FILTERS[attribute.attr]
    if call.kwargs or call.dyn_args or call.dyn_kwargs:
        return None
    if name == "items":
        is_same = not call.args and _is_looped_over(subject.tree, call)
        is_same = is_same and facts.is_mapping(attribute.node)
    elif name == "replace":
        is_same = all(facts.is_text(each) for each in (attribute.node, *call.args[:2]))
        is_same = is_same and len(call.args) == 2 and not makes_markup(subject.tree)
    else:
        is_same = name in _TEXT_FILTERS and facts.is_text(attribute.node)
        is_same = is_same and len(call.args) <= (name == "trim")
    if not is_same:
        return None
    tag = subject.tag_at(attribute.lineno)
    return subject.fix(f".{attribute.attr}() -> |{name}", as_filter(tag, call, attribute, name))


def _is_looped_over(tree: nodes.Template, call: nodes.Call) -> bool:
    return any(loop.iter is call for loop in tree.find_all(nodes.For))


def _is_jinjas_own(owner: nodes.Node) -> bool:
    """`loop.cycle` and the like are no methods of data."""
    return _name(owner) in ("loop", "dict", "self")


def _name(node: nodes.Node) -> str | None:
    return node.name if isinstance(node, nodes.Name) else None


def _namespaces(tree: nodes.Template) -> set[str | None]:
    """The names of what has attributes of the template's own."""
    return {
        _name(assign.target)
        for assign in tree.find_all(nodes.Assign)
        if isinstance(assign.node, nodes.Call) and _name(assign.node.node) == "namespace"
    }


def _name_offset(subject: ChatSubject, attribute: nodes.Getattr) -> int:
    tag = subject.tag_at(attribute.lineno)
    return next(token.start for token in tag if token.start > attribute.lineno)
