"""LT106, LT107, LT201, LT202, LT208, LT209: names that an environment has or lacks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from jinja2 import nodes

from compiler.frontend.wording import did_you_mean, quoted
from compiler.lint.chat.rendering import PRINTED, environment
from compiler.lint.chat.subject import ChatSubject
from compiler.lint.problems import LintFinding

_FILTER_HINTS = {
    "dictitems": "the filter is items",
    "fromjson": "no filter reads JSON: arguments of tool calls come as mappings",
    "from_json": "no filter reads JSON: arguments of tool calls come as mappings",
    "strip": "the filter is trim",
    "tostring": "the filter is string",
}


def check_filters(subject: ChatSubject) -> Iterator[LintFinding]:
    """Filters that there are not; in a branch, one fails only when the branch is taken."""
    known = environment().filters.keys() - {PRINTED}
    for each in subject.tree.find_all(nodes.Filter):
        if each.name not in known:
            hint = _FILTER_HINTS.get(each.name) or did_you_mean(each.name, sorted(known))
            message = f"no filter is named {quoted(each.name)}"
            yield LintFinding("LT201", "", message, hint, each.lineno)


def check_tests(subject: ChatSubject) -> Iterator[LintFinding]:
    """Tests that there are not."""
    known = environment().tests
    for each in subject.tree.find_all(nodes.Test):
        if each.name not in known:
            hint = did_you_mean(each.name.lower(), sorted(known))
            message = f"no test is named {quoted(each.name)}"
            name = next(
                token
                for token in subject.tag_at(each.lineno)
                if token.start > each.lineno and token.text not in ("is", "not")
            )
            yield LintFinding("LT202", "", message, hint, name.start)


def check_loop_controls(subject: ChatSubject) -> Iterator[LintFinding]:
    """`break` and `continue`, which are an extension of jinja2."""
    yield from _tags(subject, "LT106", ("break", "continue"), "is a tag of the extension for loops")


def check_generation_tags(subject: ChatSubject) -> Iterator[LintFinding]:
    """`generation`, which is transformers' own."""
    yield from _tags(subject, "LT107", ("generation",), "is a tag of transformers")


def check_inclusions(subject: ChatSubject) -> Iterator[LintFinding]:
    """Tags that load another template: there is no loader."""
    tags = ("include", "import", "from", "extends")
    yield from _tags(subject, "LT209", tags, "would load another template; nothing loads any")


def check_underscores(subject: ChatSubject) -> Iterator[LintFinding]:
    """Attributes of namespaces that transformers refuses."""
    hint = "leave the underscore out"
    for attribute in subject.tree.find_all(nodes.NSRef):
        if attribute.attr.startswith("_"):
            yield LintFinding("LT208", "", _refused(attribute.attr), hint, attribute.lineno)
    for call in subject.tree.find_all(nodes.Call):
        if call.node == nodes.Name("namespace", "load"):
            for argument in call.kwargs:
                if argument.key.startswith("_"):
                    tag = subject.tag_at(call.lineno)
                    place = next(token.start for token in tag if token.text == argument.key)
                    yield LintFinding("LT208", "", _refused(argument.key), hint, place)


def _refused(name: str) -> str:
    return f"a namespace cannot have the attribute {quoted(name)}"


def _tags(
    subject: ChatSubject, rule: str, names: tuple[str, ...], what: str
) -> Iterator[LintFinding]:
    tokens = [token for token in subject.tokens if token.kind != "whitespace"]
    for before, token in pairwise(tokens):
        if before.kind == "block_begin" and token.text in names:
            yield LintFinding(rule, "", f"{token.text} {what}", None, token.start)
