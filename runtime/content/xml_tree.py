r"""The `xml-tree` content parser of the dialect: elements inside one another.

    <a>x</a><b><c>1</c></b><d><item>2</item><item>3</item></d>

is {"a": "x", "b": {"c": "1"}, "d": ["2", "3"]}, with "item" for `item_tag`. All leaves are text.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from runtime.content.excerpt import excerpt

_TREE_DEPTH = 100  # elements inside one another


def parse_xml_tree(body: str, *, tag_prefix: str = "", item_tag: str | None = None) -> Any:
    """The elements of the body as a dict; white space around them is skipped.

    Every tag is `tag_prefix`, then `<name>` or `</name>`. An element without elements is its text
    as it is. Others are dicts, in which equal names become a list, or lists, if all that they hold
    are elements named `item_tag`.

    Raises ValueError where elements overlap or are not closed, for text next to elements, and for
    more than 100 elements inside one another.
    """
    root = _Element("")
    open_elements = [root]
    position = 0
    for tag in _element_tag(tag_prefix).finditer(body):
        element, text = open_elements[-1], body[position : tag.start()]
        position = tag.end()
        if tag["slash"]:
            if tag["name"] != element.name:  # the root has no name
                raise ValueError(f"xml-tree: closes nothing: {excerpt(body, tag.start())}")
            open_elements.pop()
            open_elements[-1].add(element.name, element.value(text, item_tag))
            continue
        if len(open_elements) > _TREE_DEPTH:
            raise ValueError(f"xml-tree: more than {_TREE_DEPTH} elements inside one another")
        element.require_space(text)
        open_elements.append(_Element(tag["name"]))
    if len(open_elements) > 1:
        raise ValueError(f"xml-tree: {open_elements[-1].name!r} is not closed")
    root.require_space(body[position:])
    return root.as_dict()


class _Element:
    """An element that is being read: what it holds so far."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.held: dict[str, list[Any]] = {}

    def add(self, name: str, value: Any) -> None:
        self.held.setdefault(name, []).append(value)

    def value(self, text: str, item_tag: str | None) -> Any:
        """What the element is, given the text behind the last element in it."""
        if not self.held:
            return text
        self.require_space(text)
        if item_tag is not None and self.held.keys() == {item_tag}:
            return self.held[item_tag]
        return self.as_dict()

    def as_dict(self) -> dict[str, Any]:
        return {
            name: values if len(values) > 1 else values[0] for name, values in self.held.items()
        }

    def require_space(self, text: str) -> None:
        if text and not text.isspace():
            raise ValueError(f"xml-tree: text next to elements: {excerpt(text)}")


@cache
def _element_tag(prefix: str) -> re.Pattern[str]:
    return re.compile(rf"{re.escape(prefix)}<(?P<slash>/?)(?P<name>[^<>/\s][^<>]*)>")
