r"""The `xml-inline` content parser: a flat run of tags, each of which is an entry of a dict.

    <parameter=city>Rome</parameter><parameter=days>3</parameter> -> {"city": "Rome", "days": "3"}

`parse_xml_inline` takes any tag pattern. `parse_xml_parts` takes one that was cut at its `.*?`: it
looks for each part once, and so reads any text in linear time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from runtime.content.excerpt import excerpt
from runtime.scan import SPACES

_Groups = dict[str, Any]  # text of each named group, None where it took no part in the match
_TagPart = tuple[str, Callable[[str], str] | None, re.Pattern[str]]  # gap, its trim, closer


def parse_xml_inline(
    body: str,
    tag: re.Pattern[str],
    ends_with: str | None = None,
    *,
    value: Callable[[str], Any] | None = None,
    merge_duplicates: bool = False,
) -> dict[str, Any]:
    """The tags found in the body as a dict; text between them is skipped.

    `tag`: a pattern, of `re` or `regex`, with the groups `key` and `value`; without a `value` group
    every text is "". `ends_with`: a literal at the end of every match of a pattern that looks at
    nothing behind it; nothing is searched after its last occurrence, so that tags which never
    close cost nothing. `value` makes a value of its text; without it the text is the value. Of
    equal keys the last wins, or with `merge_duplicates` their values become a list.

    Raises ValueError for a match without a key, and whatever `value` raises.
    """
    return _collect_tags(find_tags(body, tag, ends_with), value, merge_duplicates)


def parse_xml_parts(
    body: str,
    opener: re.Pattern[str],
    parts: Sequence[_TagPart],
    *,
    value: Callable[[str], Any] | None = None,
    merge_duplicates: bool = False,
) -> dict[str, Any]:
    r"""As `parse_xml_inline`, for a tag pattern made of parts with `.*?` between them.

    `opener`: the first part, which matches some text. Each of `parts` is a gap, a trim and a
    closer: the text up to the next match of the closer is the group named by the gap, after the
    trim, which may drop text from its end. Opener and closers may have named groups too. So
    `OPENER\s*(?P<value>.*?)\s*CLOSER` is

        parse_xml_parts(body, OPENER\s*, [("value", trim_space, CLOSER)])

    The two agree if text that a trim drops cannot start the closer, and if no closer can match
    from inside the text of the part before it.
    """
    return _collect_tags(find_tag_parts(body, opener, parts), value, merge_duplicates)


def trim_space(text: str) -> str:
    r"""What `.*?` matches before a `\s*` of `regex`, which does not count `\x1c` to `\x1f`."""
    return text.rstrip(SPACES)


def trim_newline(text: str) -> str:
    r"""What `.*?` matches before a `\n?`."""
    return text.removesuffix("\n")


def find_tags(
    body: str,
    tag: re.Pattern[str],
    ends_with: str | None = None,
    *,
    outside: Callable[[str], object] | None = None,
) -> Iterator[_Groups]:
    """The groups of each tag; arguments as of `parse_xml_inline`.

    `outside`: whether text may stand outside of tags; ValueError where it may not.
    """
    end = len(body) if ends_with is None else body.rfind(ends_with) + len(ends_with)
    place = 0
    for match in tag.finditer(body, 0, end):
        _require(outside, body, place, match.start())
        place = match.end()
        yield match.groupdict()
    _require(outside, body, place, len(body))


def find_tag_parts(
    body: str,
    opener: re.Pattern[str],
    parts: Sequence[_TagPart],
    *,
    outside: Callable[[str], object] | None = None,
) -> Iterator[_Groups]:
    """The groups of each tag; arguments as of `parse_xml_parts`, `outside` as of `find_tags`."""
    place = 0
    while tag := _next_tag(body, place, opener, parts):
        start, end, groups = tag
        _require(outside, body, place, start)
        place = end
        yield groups
    _require(outside, body, place, len(body))


def _next_tag(
    body: str, place: int, opener: re.Pattern[str], parts: Sequence[_TagPart]
) -> tuple[int, int, _Groups] | None:
    """Where the next tag starts and ends, and its groups.

    A closer that is not found from here is not found from any later place: then there is no tag.
    """
    opened = opener.search(body, place)
    if opened is None:
        return None
    groups: _Groups = opened.groupdict()
    position = opened.end()
    for gap, trim, closer in parts:
        closed = closer.search(body, position)
        if closed is None:
            return None
        text = body[position : closed.start()]
        groups[gap] = text if trim is None else trim(text)
        if closer.groupindex:
            groups.update(closed.groupdict())
        position = closed.end()
    return opened.start(), position, groups


def _require(outside: Callable[[str], object] | None, body: str, start: int, end: int) -> None:
    if outside and start < end and not outside(body[start:end]):
        place = start + len(body[start:end]) - len(body[start:end].lstrip())
        raise ValueError(f"xml-inline: text outside of tags, near {excerpt(body, place)}")


def _collect_tags(
    tags: Iterable[_Groups], value: Callable[[str], Any] | None, merge_duplicates: bool
) -> dict[str, Any]:
    last: dict[str, Any] = {}
    every: dict[str, list[Any]] = {}
    for groups in tags:
        key = groups.get("key")
        if key is None:
            raise ValueError("xml-inline: a tag was found without the group 'key'")
        text = groups.get("value", "")
        last[key] = text if value is None else value(text)
        if merge_duplicates:
            every.setdefault(key, []).append(last[key])
    if merge_duplicates:
        return {key: found if len(found) > 1 else found[0] for key, found in every.items()}
    return last
