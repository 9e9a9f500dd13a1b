"""LT207: generation blocks whose spans are wrong."""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import nodes

from compiler.lint.chat.subject import ChatSubject
from compiler.lint.problems import LintFinding


def check_captured_spans(subject: ChatSubject) -> Iterator[LintFinding]:
    """Generation blocks whose text is captured, and so printed elsewhere than it was written."""
    for capture in subject.tree.find_all((nodes.AssignBlock, nodes.FilterBlock)):
        for block in capture.find_all(nodes.CallBlock):
            if _is_generation(block):
                tag = "set" if isinstance(capture, nodes.AssignBlock) else "filter"
                message = f"the text of this block is captured by {{% {tag} %}}: its span is wrong"
                hint = "print what is captured inside of the generation block"
                yield LintFinding("LT207", "", message, hint, block.lineno)


def _is_generation(block: nodes.CallBlock) -> bool:
    """Blocks of the extension call it instead of a macro."""
    return isinstance(block.call.node, nodes.ExtensionAttribute)
