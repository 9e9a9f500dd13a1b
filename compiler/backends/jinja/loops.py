"""Pass 5: a loop that knows its position becomes a loop over numbered items.

    for l_1_m, l_1_loop in LoopContext(x, undefined):
        environment.getattr(l_1_loop, "last")
    ->
    items_1 = as_items(x)
    for index_1, l_1_m in enumerate(items_1):
        index_1 == len(items_1) - 1

Nothing can change the items meanwhile: the sandbox refuses it. Other uses of `loop`, such as
`loop.cycle` or a recursive loop, are handed over.
"""

from __future__ import annotations

import ast

from compiler.backends.jinja.syntax import call, dotted, hand_over, is_call, is_name, name, text_of

_POSITIONS = {
    "index": "{index} + 1",
    "index0": "{index}",
    "first": "{index} == 0",
    "last": "{index} == len({items}) - 1",
    "length": "len({items})",
    "revindex": "len({items}) - {index}",
    "revindex0": "len({items}) - {index} - 1",
    "previtem": "{items}[{index} - 1] if {index} else MISSING",
    "nextitem": "{items}[{index} + 1] if {index} < len({items}) - 1 else MISSING",
}


def number_loops(root: ast.FunctionDef) -> ast.FunctionDef:
    _Numbering().visit(root)
    return root


class _Numbering(ast.NodeTransformer):
    def __init__(self) -> None:
        self._count = 0

    def visit_For(self, node: ast.For) -> list[ast.stmt] | ast.stmt:
        if not (is_call(node.iter, "LoopContext") and len(node.iter.args) == 2):
            self.generic_visit(node)
            return node
        if not isinstance(node.target, ast.Tuple):
            raise AssertionError(ast.unparse(node.target))
        target, loop = node.target.elts[0], dotted(node.target.elts[1])
        self._count += 1
        items, index = f"items_{self._count}", f"index_{self._count}"
        for statement in node.body:
            _Placing(loop, items, index).visit(statement)
        sequence = node.iter.args[0]
        node.target = ast.Tuple([ast.Name(index, ast.Store()), target], ast.Store())
        node.iter = call("enumerate", name(items))
        self.generic_visit(node)
        return [ast.Assign([ast.Name(items, ast.Store())], call("as_items", sequence)), node]


class _Placing(ast.NodeTransformer):
    """Replaces what is asked of one loop; what was replaced is not looked at again."""

    def __init__(self, loop: str, items: str, index: str) -> None:
        self._loop = loop
        self._names = {"items": items, "index": index}

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if is_call(node, "environment.getattr") and is_name(node.args[0], self._loop):
            position = _POSITIONS.get(text_of(node.args[1]) or "")
            if position is None:
                return hand_over()
            return ast.parse(position.format(**self._names), mode="eval").body
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return hand_over() if is_name(node, self._loop) and _is_read(node) else node


def _is_read(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)
