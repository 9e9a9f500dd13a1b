from __future__ import annotations

import pytest

from compiler.frontend.placeholders import Placeholder, placeholder_in, placeholder_part


@pytest.mark.parametrize(
    ("text", "placeholder"),
    [
        ("{a}", Placeholder(("a",))),
        ("{a.b|c.d}", Placeholder(("a.b", "c.d"))),
        ("{a|b.c|{}}", Placeholder(("a", "b.c"), ({},))),
        ('{a|{"k": "|}"}}', Placeholder(("a",), ({"k": "|}"},))),
        ("{a|null}", Placeholder(("a",), (None,))),
        ("{a|true}", Placeholder(("a",), (True,))),
        ("{a|0}", Placeholder(("a",), (0,))),
        ('{a|"x y"}', Placeholder(("a",), ("x y",))),
        ("{a|[]}", Placeholder(("a",), ([],))),
        ("{id?}", Placeholder(("id",), (), True)),
        ("{a|b?}", Placeholder(("a", "b"), (), True)),
    ],
)
def test_placeholders_of_the_dialect(text: str, placeholder: Placeholder) -> None:
    assert placeholder_in(text, extended=True) == placeholder
    if text != "{a}":
        assert placeholder_in(text, extended=False) is None
        assert placeholder_part(text, extended=False) is None


@pytest.mark.parametrize(
    "text",
    ["{a|}", "{a||b}", "{a|{}|b}", "{a|b c}", "{a|{}?}", "{a|null?}", "{a?|b}", "{?}", "{a ?}"],
)
def test_what_is_no_placeholder(text: str) -> None:
    assert placeholder_in(text, extended=True) is None
    assert placeholder_in(text, extended=False) is None


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("f-{a}", (2, "{a}")),
        ("f-{a?}", (2, "{a?}")),
        ("f-{a|b}", (2, "{a|")),
        ("{a|}", (0, "{a|")),
        ("{a b}", None),
        ("{", None),
    ],
)
def test_texts_that_look_like_placeholders(text: str, part: tuple[int, str] | None) -> None:
    assert placeholder_part(text, extended=True) == part
