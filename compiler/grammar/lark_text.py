"""Printing: the region grammar as Lark text, complete enough to be read instead of the template."""

from __future__ import annotations

import json

from compiler.delimiters.engine import engine_of
from compiler.delimiters.lowered import lower
from compiler.delimiters.trees import tree_of
from compiler.delimiters.widths import is_nullable
from compiler.frontend.syntax import Delimiter
from compiler.grammar.body_text import VALUE_END, string_pattern
from compiler.grammar.nodes import Alternative, RegionGrammar, Repeated, Rule, Symbol, Terminal
from compiler.template_files import EXTENDED_FILE, TEMPLATE_FILE

_HEADER = """\
// Region grammar{of}: compiled from {file}. DO NOT EDIT.
// A rule is a region; a terminal is a whole delimiter, or the text up to the leftmost delimiter
// that may follow. At one place the longest delimiter wins, then open before close, then the name.
"""

_IN_SLASHES = str.maketrans({"/": r"\/", **{chr(code): f"\\x{code:02x}" for code in range(32)}})


def print_grammar(grammar: RegionGrammar, name: str = "") -> str:
    """The grammar as text that Lark loads; `name` is the model's."""
    file = EXTENDED_FILE if grammar.template.extended else TEMPLATE_FILE
    lines = [_HEADER.format(of=f" of {name}" if name else "", file=file)]
    lines += _legend(grammar)
    lines += [_start(grammar)]
    if grammar.unclosed:
        lines += ["", "// Regions that the end of the text closes."]
        lines += map(_unclosed, grammar.unclosed)
    lines.append("")
    for rule in grammar.rules:
        lines += [f"// {rule.comment}", _rule(rule)]
    lines += ["", f"// Start anchor: {_pattern(grammar.template.anchor)}"]
    defaults = json.dumps(dict(grammar.template.defaults), ensure_ascii=False, default=str)
    lines += [f"// Defaults: {defaults}", ""]
    lines += [_terminal(terminal) for terminal in grammar.terminals if terminal.role != "text"]
    texts = " ".join(terminal.name for terminal in grammar.terminals if terminal.role == "text")
    lines += ["", f"%declare {texts}"]
    text = "\n".join(lines) + "\n"
    return text.encode("utf-8", "backslashreplace").decode("utf-8")  # lone surrogates as escapes


def _legend(grammar: RegionGrammar) -> list[str]:
    renamed = [(slug, name) for slug, name in grammar.slugs if slug != name]
    return [
        f"// {slug}: the field {json.dumps(name, ensure_ascii=False)}" for slug, name in renamed
    ]


def _start(grammar: RegionGrammar) -> str:
    unclosed = " [unclosed]" if grammar.unclosed else ""
    return f"start: ({' | '.join(grammar.sequence)})*{unclosed}"


def _unclosed(rule: Rule) -> str:
    head = f"?{rule.name}: "
    return head + f"\n{'| ':>{len(head)}}".join(map(_alternative, rule.alternatives))


def _rule(rule: Rule) -> str:
    return f"{rule.name}: " + " | ".join(map(_alternative, rule.alternatives))


def _alternative(alternative: Alternative) -> str:
    text = " ".join(map(_symbol, alternative.symbols))
    return f"{text} -> {alternative.alias}" if alternative.alias else text


def _symbol(symbol: Symbol | Repeated) -> str:
    if isinstance(symbol, Repeated):
        return f"({' | '.join(symbol.names)})*"
    return f"[{symbol.name}]" if symbol.optional else symbol.name


def _terminal(terminal: Terminal) -> str:
    """Its definition; only declared, with the pattern beside it, where it can be empty.

    Lark refuses terminals that can be empty, and patterns that only `regex` reads.
    """
    if terminal.role == "string":
        assert terminal.field is not None and terminal.field.strings is not None
        return f"{terminal.name}: {_in_slashes(string_pattern(terminal.field.strings))}"
    if terminal.delimiter is None:
        return f"%declare {terminal.name}  // {VALUE_END}"
    tree = lower(tree_of(terminal.delimiter))
    pattern = _pattern(terminal.delimiter)
    if is_nullable(tree) or engine_of(tree)[0] == "regex":
        return f"%declare {terminal.name}  // {pattern}"
    return f"{terminal.name}: {pattern}"


def _pattern(delimiter: Delimiter) -> str:
    ways = [json.dumps(text, ensure_ascii=False) for text in delimiter.literals or ()]
    if delimiter.pattern is not None:
        ways.append(_in_slashes(delimiter.pattern))
    ways += (f"before {_pattern(other)}" for other in delimiter.yields_to)
    return " | ".join(ways)


def _in_slashes(pattern: str) -> str:
    escaped = pattern.replace("\\/", "/").translate(_IN_SLASHES)
    return f"/{escaped}/s"
