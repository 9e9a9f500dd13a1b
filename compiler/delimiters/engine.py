"""Choose the regular expression engine of a delimiter: stdlib `re` where it can do the work."""

from __future__ import annotations

from compiler.delimiters.characters import is_single
from compiler.delimiters.nodes import (
    Atomic,
    Backreference,
    Capture,
    Class,
    Look,
    Node,
    Property,
    Repeat,
    Text,
    children,
    walk,
)
from compiler.delimiters.printer import Engine
from compiler.delimiters.widths import width

_MANY = 8  # rounds of a loop that count as many


def engine_of(node: Node) -> tuple[Engine, str | None]:
    """The engine for a tree, and why if it is `regex`: stdlib `re` lacks it, or is too slow."""
    inside = walk(node)
    reasons = [_reason(inner) for inner in inside]
    reasons.append(_group_reason(inside))
    reason = next((reason for reason in reasons if reason), None)
    return ("regex", reason) if reason else ("re", None)


def is_nested_loop(node: Node) -> bool:
    """Whether a node is a loop over a loop, which `re` may take exponential time to leave."""
    if not isinstance(node, Repeat) or is_single(node.body):
        return False
    return (node.high is None or node.high >= _MANY) and _has_open_loop(node.body)


def _reason(node: Node) -> str | None:
    match node:
        case Text(fold=True) | Class(fold=True) | Backreference(fold=True):
            return "letter case is ignored"
        case Class() if any(isinstance(member, Property) for member in node.members):
            return "a character property"
        case Atomic() | Repeat(mode="possessive"):
            return "an atomic group or possessive quantifier"
        case Look(ahead=False) if _varies(node.body):
            return "a look-behind of variable width"
        case Repeat() if is_nested_loop(node):
            return "a loop inside a loop"
    return None


def _group_reason(inside: list[Node]) -> str | None:
    groups = [inner for inner in inside if isinstance(inner, Capture)]
    if len({group.number for group in groups}) < len(groups):
        return "two groups of one name"
    referred = {inner.number for inner in inside if isinstance(inner, Backreference)}
    for look in inside:
        if isinstance(look, Look) and any(
            isinstance(inner, Capture) and inner.number in referred for inner in walk(look)
        ):
            return "a backreference to a group in a look-around"
    return None


def _varies(node: Node) -> bool:
    least, most = width(node)
    return least != most or any(isinstance(inner, Backreference) for inner in walk(node))


def _has_open_loop(node: Node) -> bool:
    """Whether a loop without limit is in a node, outside of looks."""
    if isinstance(node, Look):
        return False
    if isinstance(node, Repeat) and node.high is None:
        return True
    return any(_has_open_loop(child) for child in children(node))
