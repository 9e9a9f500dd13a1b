r"""Reading patterns: the tree, what is refused and where, and agreement with `regex`."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.delimiters.nodes import (
    Alternation,
    Anchor,
    Any,
    Backreference,
    Capture,
    Category,
    Class,
    Look,
    Node,
    Range,
    Repeat,
    Sequence,
    Text,
    walk,
)
from compiler.delimiters.pattern import PatternError, literals_node, parse_pattern
from tests.unit.delimiter_oracle import Subject, check_final

TOKENS = [
    *"aab(){}[]|?*+.^$\\-,:!=<>#P1i0\n ",
    *("(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>", "(?P<n>", "(?<m>", "(?P=n)", "(?#x)"),
    *("(?i)", "(?i:", "(?s-i:", "(?m)", r"\d", r"\s", r"\w", r"\b", r"\1", r"\x41", r"\u0041"),
    *(r"\N{DIGIT ONE}", r"\p{L}", "[:alpha:]", "[^", "[a-", "{2}", "{1,3}", "{,2}", "{2,}"),
    *("{e", "{x}", "*?", "++", r"\]", r"\Z", r"\A", r"\g<n>", r"\0", r"\07", r"\101", "]", ")"),
]


def test_a_tree() -> None:
    tree = parse_pattern(r"<(?P<n>[^>\d]+)>\s*|^$")
    name = Class((Range(">", ">"), Category("DIGIT")), negated=True)
    first = Sequence(
        (
            Text("<"),
            Capture(Repeat(name, 1, None), 1, "n"),
            Text(">"),
            Repeat(Class((Category("SPACE"),)), 0, None),
        )
    )
    expected = Alternation((first, Sequence((Anchor("start"), Anchor("last line")))))
    assert without_spans(tree) == without_spans(expected)


@pytest.mark.parametrize(
    ("pattern", "span"),
    [
        ("ab(c)d", (2, 5)),
        (r"a(?=b)", (1, 6)),
        ("ab+", (1, 3)),
        ("x[a-z]", (1, 6)),
        ("(?:ab)*", (3, 7)),
    ],
)
def test_nodes_know_where_they_stand(pattern: str, span: tuple[int, int]) -> None:
    wanted = (Capture, Look, Repeat, Class)
    assert (
        next(node.span for node in walk(parse_pattern(pattern)) if isinstance(node, wanted)) == span
    )


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("ab*", Sequence((Text("a"), Repeat(Text("b"), 0, None)))),
        ("(?:ab)*?", Repeat(Text("ab"), 0, None, "lazy")),
        ("a{2,3}+", Repeat(Text("a"), 2, 3, "possessive")),
        ("a{,3}", Repeat(Text("a"), 0, 3)),
        ("a{2}", Repeat(Text("a"), 2, 2)),
        ("a{x}", Sequence((Text("a"), Text("{"), Text("x}")))),
        ("a(?#note)+", Repeat(Text("a"), 1, None)),
        (r"(a)\1", Sequence((Capture(Text("a"), 1), Backreference(1)))),
        (r"\x41\u0042\U00000043", Sequence((Text("A"), Text("B"), Text("C")))),
        (r"\N{DIGIT ONE}", Text("1")),
        (r"\101\07", Sequence((Text("A"), Text("\x07")))),
        ("(?i)a", Text("a", fold=True)),
        ("a(?i:b)c", Sequence((Text("a"), Text("b", fold=True), Text("c")))),
        ("(?i)a(?-i:b)", Sequence((Text("a", fold=True), Text("b")))),
        ("(?-s).", Class((Range("\n", "\n"),), negated=True)),
        ("[]a]", Class((Range("]", "]"), Range("a", "a")))),
        (r"[a-\d]", Class((Range("a", "a"), Range("-", "-"), Category("DIGIT")))),
        (".", Any()),
        ("", Sequence(())),
        ("(?i)a|b", Alternation((Text("a", fold=True), Text("b", fold=True)))),
    ],
)
def test_forms(pattern: str, expected: Node) -> None:
    assert without_spans(parse_pattern(pattern)) == without_spans(expected)


@pytest.mark.parametrize(
    ("pattern", "position", "message"),
    [
        ("ab)", 2, "unbalanced )"),
        ("(ab", 3, "a group without )"),
        ("x[ab", 4, "a set without ]"),
        ("*a", 0, "nothing to repeat"),
        ("a|*b", 2, "nothing to repeat"),
        ("ab**", 3, "a quantifier after a quantifier"),
        ("x[z-a]", 2, "a range ends before it starts"),
        ("ab\\", 2, "a backslash at the end of the pattern"),
        (r"ab\q", 2, r"\q has no meaning"),
        (r"a[b\B]", 3, r"\B has no meaning in a set"),
        (r"a\x4", 1, r"\x needs 2 hexadecimal digits"),
        (r"a\N{NO SUCH}", 1, "no character is named 'NO SUCH'"),
        (r"(a)\2", 3, "there is no group 2"),
        (r"(?P=n)", 0, "there is no group n"),
        (r"a(b\1)", 3, "group 1 refers to itself"),
        (r"\1(a)", 0, "group 1 comes later"),
        ("ab(?R)", 2, "recursion is not supported"),
        ("(a)(?(1)b)", 3, "conditional groups are not supported"),
        ("a(?|b|c)", 1, "branch reset is not supported"),
        ("ab{e<=1}", 2, "approximate matching is not supported"),
        ("a(*PRUNE)", 1, "backtracking verbs are not supported"),
        ("a(?P<1>b)", 1, "a bad group name"),
        ("a(?z)", 1, "unknown kind of group"),
        ("a(?#b", 1, "unterminated comment"),
        ("a(?x)b", 1, "verbose mode is not supported"),
        (r"a\Kb", 1, r"resetting the start of the match \K is not supported"),
        ("a{3,2}", 2, "min repeat greater than max repeat"),
        (r"a\p{Nothing}", 12, "unknown property"),
        ("(" * 400 + ")" * 400, 0, "the pattern is nested too deep"),
        ("[ab]" * 200, 0, "the pattern is too long"),
    ],
)
def test_mistakes_have_a_place(pattern: str, position: int, message: str) -> None:
    with pytest.raises(PatternError) as caught:
        parse_pattern(pattern)
    assert (caught.value.message, caught.value.position) == (message, position)
    assert str(caught.value) == f"{message} (at offset {position})"


def test_mistakes_come_with_advice() -> None:
    with pytest.raises(PatternError) as caught:
        parse_pattern("f(x")
    assert caught.value.hint == r"write \( for a literal parenthesis"


@settings(deadline=None, max_examples=400)
@given(st.lists(st.sampled_from(TOKENS), min_size=1, max_size=9), st.text("ab1 \nAi", max_size=6))
def test_agreement_with_regex(tokens: list[str], text: str) -> None:
    pattern = "".join(tokens)
    accepted = is_read_by_regex(pattern)
    try:
        parse_pattern(pattern)
    except PatternError as error:
        assert 0 <= error.position <= len(pattern)
        known = ("supported", "comes later", "refers to itself")
        assert not accepted or any(phrase in error.message for phrase in known), error
        return
    assert accepted
    if pattern.count("[^") < 2:  # `regex` 2026.11.19 reads `[^a]|[^b]` as `[^ab]`
        check_final(Subject(pattern), text)


def test_literals_are_tried_longest_first() -> None:
    assert literals_node(("</s>", "<|end|>", "</s>")) == Alternation(
        (Text("<|end|>"), Text("</s>"))
    )
    assert literals_node(("(x)",)) == Text("(x)")


def is_read_by_regex(pattern: str) -> bool:
    try:
        regex.compile(pattern, regex.DOTALL)
    except regex.error:
        return False
    return True


def without_spans(node: Node) -> str:
    """The tree as text, spans left out."""
    return regex.sub(r", span=\(\d+, \d+\)|span=\(\d+, \d+\)", "", repr(node))
