"""Generation spans: the model's own words, wherever the template took them."""

from __future__ import annotations

import pytest

from runtime.chat import ChatTemplate
from runtime.chat.spans import token_mask

HELLO = [{"role": "user", "content": "Hello"}]


def spanned(source: str) -> tuple[str, list[str]]:
    """The text, and what each span holds; spans are in order and apart."""
    text, spans = ChatTemplate(source).render_with_spans(HELLO)
    assert text == ChatTemplate(source).render(HELLO)
    ends = [0, *(bound for span in spans for bound in span), len(text)]
    assert ends == sorted(ends)
    return text, [text[start:end] for start, end in spans]


def spans_of(source: str) -> list[tuple[int, int]]:
    return ChatTemplate(source).render_with_spans(HELLO)[1]


G, E = "{% generation %}", "{% endgeneration %}"


@pytest.mark.parametrize(
    ("source", "spans"),
    [
        (f"ab{G}xyz{E}c", [(2, 5)]),
        (f"{G}x{E}{G}y{E}", [(0, 1), (1, 2)]),
        (f"ab{G}{E}c", [(2, 2)]),
        ("plain", []),
        (f"{{% for x in [1, 2] %}}<{G}{{{{ x }}}}{E}>{{% endfor %}}", [(1, 2), (4, 5)]),
        ("a\n{%- generation -%}\n x \n{%- endgeneration -%}\n b", [(1, 2)]),
        # In a set block, where transformers says (2, 5).
        (f"ab{{% set x %}}cd{G}xyz{E}{{% endset %}}{{{{ x }}}}", [(4, 7)]),
        (f"{{% set x %}}{G}xy{E}{{% endset %}}a{{{{ x }}}}b{{{{ x }}}}", [(1, 3), (4, 6)]),
        (f"{{% set x %}}{G}xy{E}{{% endset %}}nowhere", []),
        (f"{{% macro m(t) %}}ab{G}{{{{ t }}}}{E}{{% endmacro %}}c{{{{ m('xyz') }}}}", [(3, 6)]),
        (f"{{% macro m() %}}[{{{{ caller() }}}}]{{% endmacro %}}"
         f"{{% call m() %}}{G}xy{E}{{% endcall %}}", [(1, 3)]),
        (f"a{{% filter upper %}}b{G}xy{E}{{% endfilter %}}", [(2, 4)]),
        (f"{G}a{G}b{E}c{E}d", [(0, 3)]),  # the outer one, once
        (f"a{{% block b %}}b{G}x{E}{{% endblock %}}{{{{ self.b() }}}}", [(2, 3), (4, 5)]),
        (
            f"{{% for x in [1, [2]] recursive %}}<{{% if x is number %}}{G}{{{{ x }}}}{E}"
            "{% else %}{{ loop(x) }}{% endif %}>{% endfor %}",
            [(1, 2), (5, 6)],
        ),
    ],
)  # fmt: skip
def test_spans(source: str, spans: list[tuple[int, int]]) -> None:
    assert spans_of(source) == spans
    spanned(source)


def test_a_template_that_measures_its_capture_renders_what_it_renders() -> None:
    measuring = f"{{% set x %}}{G} xy {E}{{% endset %}}a{{{{ x|trim }}}}{{{{ x|length }}}}"
    assert ChatTemplate(measuring).render(HELLO) == "axy4"
    assert ChatTemplate(measuring).render_with_spans(HELLO) == ("axy4", [(0, 4)])


def test_a_template_that_strips_its_capture() -> None:
    source = f"{{% set x %}}{G} x y\n{E}{{% endset %}}ab{{{{ x|trim }}}}c"
    assert spanned(source) == ("abx yc", ["x y"])
    blank = f"{{% set x %}}{G}  {E}{{% endset %}}ab{{{{ x }}}}c"
    assert spanned(blank) == ("ab  c", ["  "])


def test_a_template_that_refuses_marks_renders_what_it_renders() -> None:
    refusing = (
        f"{{% set x %}}{G}xy{E}{{% endset %}}"
        "{% if x != 'xy' %}{{ raise_exception('marked') }}{% endif %}{{ x }}"
    )
    assert ChatTemplate(refusing).render_with_spans(HELLO) == ("xy", [(0, 2)])


def test_a_template_that_cuts_a_mark_off() -> None:
    for cut in ("x[1:]", "x[:-1]"):
        source = f"{{% set x %}}{G}{E}{{% endset %}}{{{{ {cut} }}}}"
        assert ChatTemplate(source).render_with_spans(HELLO) == ("", [(0, 0)])


def test_marks_are_not_taken_from_the_text() -> None:
    text = "".join(map(chr, range(0xFDD0, 0xFDEE)))
    source = f"{{% set x %}}{text}{G}xy{E}{{% endset %}}{{{{ x }}}}"
    assert spanned(source) == (text + "xy", ["xy"])
    full = source.replace(text, text + "\ufdee\ufdef")  # no marks left: as transformers counts
    assert spans_of(full) == [(0, 2)]


def test_rendering_after_a_failure_is_as_before() -> None:
    failing = ChatTemplate(f"{G}{{{{ messages[0].x.y }}}}{E}")
    for _ in range(2):
        with pytest.raises(Exception, match="no attribute 'x'"):
            failing.render_with_spans(HELLO)
    assert spans_of(f"a{G}b{E}") == [(1, 2)]


def test_spans_and_a_continued_message_do_not_go_together() -> None:
    template = ChatTemplate(f"{G}{{{{ messages[0].content }}}}{E}")
    with pytest.raises(ValueError, match="not compatible with return_assistant_tokens_mask"):
        template.render_with_spans(HELLO, continue_final_message=True)
    with pytest.raises(ValueError, match="add_generation_prompt are not compatible"):
        template.render_with_spans(HELLO, None, None, True, continue_final_message=True)


@pytest.mark.parametrize(
    ("offsets", "spans", "mask"),
    [
        ([(0, 2), (2, 4), (4, 6)], [(2, 4)], [0, 1, 0]),
        ([(0, 3), (3, 5), (5, 6)], [(2, 4)], [1, 1, 0]),  # any overlap counts
        ([(0, 1), (1, 2), (2, 3), (3, 4)], [(0, 1), (2, 3)], [1, 0, 1, 0]),
        ([(0, 9)], [(2, 3), (5, 6)], [1]),
        ([(0, 1), (1, 2)], [(1, 1)], [0, 0]),
        ([(0, 1)], [], [0]),
        ([], [(0, 1)], []),
    ],
)
def test_tokens_of_spans(
    offsets: list[tuple[int, int]], spans: list[tuple[int, int]], mask: list[int]
) -> None:
    assert token_mask(offsets, spans) == mask
