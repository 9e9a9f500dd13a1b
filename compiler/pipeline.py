"""Every stage in order and nothing else: the file to read first.

source    where the template came from           frontend/load.py
template  checked and frozen                     frontend/validate.py
grammar   how regions follow one another         grammar/lower.py
text      the grammar as Lark text               grammar/lark_text.py
automaton the states Lark's table has for it     grammar/automaton.py
view      every name and line of the module      backends/python/view.py
module    Python source                          backends/python/render.py
"""

from __future__ import annotations

from dataclasses import dataclass

from compiler.backends.python.render import render_module
from compiler.backends.python.view import template_hash, view_module
from compiler.diagnostics import Diagnostic
from compiler.frontend.syntax import Template
from compiler.frontend.validate import validate
from compiler.grammar.automaton import Automaton, read_automaton
from compiler.grammar.lark_text import print_grammar
from compiler.grammar.lower import lower
from compiler.grammar.nodes import RegionGrammar
from compiler.source import Source


@dataclass(frozen=True)
class Compiled:
    """What the stages made of one template."""

    template: Template
    grammar: RegionGrammar
    grammar_text: str
    automaton: Automaton
    module: str
    warnings: tuple[Diagnostic, ...]


def compile_source(source: Source, name: str = "", grammar_text: str | None = None) -> Compiled:
    """Compile the template of `source`; `name` is the model's, "" for a template without one.

    `grammar_text` stands in for the printed grammar, as an edited region.lark does. Raises
    TemplateError with every mistake of the template.
    """
    checked = validate(source)
    grammar = lower(checked.template)
    text = print_grammar(grammar, name) if grammar_text is None else grammar_text
    automaton = read_automaton(grammar, text)
    view = view_module(grammar, automaton, name or "a template", template_hash(source.spec))
    return Compiled(
        template=checked.template,
        grammar=grammar,
        grammar_text=text,
        automaton=automaton,
        module=render_module(view),
        warnings=checked.warnings,
    )
