r"""The text of a derived pattern, and how it stands in Python source.

A template is pattern text in which `{SPACE}`, `{DIGIT}` and `{WORD}` stand for the set texts of
`runtime/unicode_classes.py`. Literal braces are always escaped in it, so nothing else looks so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from compiler.delimiters.classes import CLASSES, class_text

# What may hold a parenthesis or a bar that means itself, then those that do not.
_TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^]\\])*\]|[(|)]", re.DOTALL)


@dataclass(frozen=True)
class PatternText:
    """A pattern for `re.compile(..., re.DOTALL)`, or for `regex` with the same flag."""

    template: str

    def text(self) -> str:
        """The pattern itself, its classes spelled out."""
        text = self.template
        for name in self.classes():
            text = text.replace(f"{{{name}}}", class_text(name))
        return text

    def classes(self) -> tuple[str, ...]:
        """The constants of `runtime/unicode_classes.py` that the source form refers to."""
        return tuple(name for name in CLASSES if f"{{{name}}}" in self.template)

    def ways(self) -> tuple[PatternText, ...]:
        """The alternatives, where the pattern is nothing but alternatives."""
        bounds, depth = [0], 0
        for token in _TOKEN.finditer(self.template):
            depth += {"(": 1, ")": -1}.get(token[0], 0)
            if token[0] == "|" and not depth:
                bounds.append(token.end())
        ends = [*(bound - 1 for bound in bounds[1:]), len(self.template)]
        return tuple(PatternText(self.template[a:b]) for a, b in zip(bounds, ends, strict=True))

    def source(self) -> str:
        """A Python expression for the pattern: a raw string, or a raw f-string with classes."""
        text, prefix = self.template, "r"
        if self.classes():
            prefix = "rf"
            text = text.replace("{", "{{").replace("}", "}}")
            for name in self.classes():
                text = text.replace(f"{{{{{name}}}}}", f"{{{name}}}")
        if '"' not in text:
            return f'{prefix}"{text}"'
        if "'" not in text:
            return f"{prefix}'{text}'"
        escaped = text.replace('"', r"\"")  # an escaped quote is the same pattern
        return f'{prefix}"{escaped}"'
