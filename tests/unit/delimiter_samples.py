"""Delimiter patterns as templates write them, and shapes that are easy to get wrong."""

from __future__ import annotations

from hypothesis import strategies as st

# From response templates of real models.
REAL = (
    r"</think>|(?=<tool_call>)",
    r"\s*<tool_call>",
    r"</tool_call>\s*",
    r"\s*(?:<\|im_end\|>|<\|endoftext\|>)\s*",
    r"\s*<tool_call>\s*<function=(?P<name>[^>\n]+)>",
    r"(?:</function>\s*)?</tool_call>\s*",
    r"\s*<\|tool_call>call:(?P<name>[^\s{]+)",
    r"\s*(?:<turn\|>|<\|tool_response>|<eos>)\s*",
    r"<\|assistant\|>(?:</think>)?",
    r"\s*<tool_call>\s*(?P<name>[^\s<]+)\s*",
    r"\s*\[TOOL_CALLS\](?P<name>[^\[\{]+)(?:\[ARGS\]|(?=\{))",
    r"(?=\[TOOL_CALLS\])|\s*</s>\s*",
    r"\s*(?:<\|tcs\|>\s*)?<\|tc\|>\s*(?P<id>(?:functions\.)?(?P<name>[^\s:<]+)[^\s<]*)\s*<\|arg\|>",
    r"\s*(?:<m:tool_call>\s*)?<invoke name=\"(?P<name>[^\"]+)\">\s*",
    r"\s*(?:\[e~\[|</m:tool_call>)\s*",
    r"\s*(?:<｜calls｜>\s*)?<｜call｜>\w*<｜sep｜>(?P<name>[^\n]+)\n```json\n",
    r"\n?```\s*<｜end｜>\s*",
    r"<\|channel\|>analysis(?! to=)[^<]*<\|message\|>",
    r"<\|end\|>|(?=<\|start\|>|<\|channel\|>)|<\|return\|>",
    r"<\|channel\|>(?:final|commentary)(?! to=)[^<]*(?:<\|constrain\|>[^<]*)?<\|message\|>",
    r"(?:<\|channel\|>(?:commentary|analysis))? to=functions\.(?P<name>[^\s<]+)[^<]*<\|message\|>",
    r"\A\s*(?:<\|python_tag\|>)?\s*(?=\{\s*\"name\"\s*:)",
    r"<tool_call>\s*<function=(?P<name>\w+)>",
    r"<\|channel\|>commentary to=functions\.(?P<name>\w+).*?<\|message\|>",
    r"(?:^|<think>\s*)",
    r"\n?</response>",
    r"(?:<\|message_model\|>)?[^<]*<\|content_text\|>",
    r"(?=[\s\S]*?</think>)",
    r"(?:<\|tool_call_start\|>\[|,\s*)(?P<name>\w+)\(",
    r"\)(?:\]<\|tool_call_end\|>)?\s*",
    r"(?:<turn\|>|<eos>)\s*|$",
    r"to=functions\.(?P<name>\S+?)<\|channel\|>",
)

# Shapes: one trap each.
SHAPES = (
    r"</a>(?=<\|$)",
    r"\n(?=Action\b)",
    r"\n(?!end\b)",
    r"<tool>(?=\{(?!\}))",
    r"<x>(?:(?!</x>).)*</x>",
    r"<x>(?:(?!</x>).)*",
    r"(?:(?!ab|ba)[ab])+c",
    r"a(?=b)c|ab",
    r"(?=ab)a?b?c",
    r"(?=a+b)a*",
    r"a(?=.*?b)",
    r"a(?=.*b$)",
    r"a(?!.*b)",
    r"a(?!b*$)",
    r"a(?=b*\Z)",
    r"a(?=b(?=c))b",
    r"a(?!b(?!c))b",
    r"a(?=b|cd)",
    r"a(?!b|cd)c",
    r"(?<=a)b",
    r"(?<!a)b+",
    r"ab(?<=ab)c",
    r"a(?:b|c)(?<=b)d",
    r"(?<=a\b)-",
    r"(?<=\ba)b",
    r"(?<!a(?=bc))b",
    r"(?<=a(?!bc))b",
    r"\bab\b",
    r"a\Bb\b",
    r"\b|a",
    r"a\b.",
    r"\ma+\M",
    r"^a|b",
    r"\Aab",
    r"a^|b",
    r"ab$",
    r"a$|ab",
    r"a*$",
    r"a\Z|abc",
    r"(?:a|$)b",
    r"a(?:\n|$)",
    r"(?m)^a$",
    r"(?m)a$\nb",
    r"(?P<q>['\"]).*?(?P=q)",
    r"<(\w+)>.*?</\1>",
    r"(a*)b\1c",
    r"(?:(a)|b)\1?c",
    r"(?=(a))\1b",
    r"(?>a+)b",
    r"a++b|c",
    r"(?>a|ab)c",
    r"(?>a$|a)b",
    r"(?=(?>a$|a)b)a",
    r"a*?b",
    r"a.*?bc",
    r"a.*b",
    r"a.+?b",
    r"a[^c]*?bc",
    r"a.*?(?:bc|cb)",
    r"a.*?b?c",
    r"a.*?\Z",
    r"a\w*?b",
    r"a.??b",
    r"ab??",
    r"a(?:bc)??",
    r"a(?:bc)?",
    r"a(?:bc)?b",
    r"a{2,3}b",
    r"a{2}",
    r"a{2,}",
    r"ba{2,3}",
    r"ba{0,2}?c",
    r"(?:ab){2,3}c",
    r"(?:ab){2}",
    r"(?:ab)+",
    r"(?:ab)*c",
    r"(?:ab)+?c",
    r"(?:a|b)*?c",
    r"(?:a(?=b)b)+c",
    r"(?:(?<=a)b|a)+c",
    r"(?:(?<=a)b){2}",
    r"(?:^a|b)+c",
    r"<(?:\w+\s*)+>",
    r"(?:a*b)*c",
    r"(?:a?b?)*c",
    r"ENDX|END",
    r"a|ab",
    r"ab|a",
    r"abcd|bc",
    r"a(?:b|bc)d",
    r"(?:ab|abc)\s*",
    r"\[[^\]]*\]|;",
    r"(?:a\s*)?\s*b",
    r"\s*(?:a\s*)?b",
    r"\s*\n?\s*a",
    r"\s+|a",
    r"\s*",
    r"a|",
    r"",
    r"(?:a|)b",
    r"(?i)end\s*K",
    r"(?i:x)y",
    r"\p{Lu}+x",
    r"[[:alpha:]]+\d",
    r"[^\W\d_]+:",
    r"[\W_]x",
    r"[\S\n]x",
    r"[^\S\n]+x",
    r"(?P<n>a)|(?P<n>b)c",
    r"(?<=a+)b",
    r"(?<!\s)\w+:",
    r"(?=a*b)",
    r"(?=\s*<t>)",
    r"x|(?=a*b)",
    r"(?!a)b?",
    r"(?!ab)",
    r"(?=ab)",
    r"(?=a)",
    r"a(?=)b",
    r"a(?!)|b",
    r"(?s:a.)(?-s:b.)",
    r"x{0}a{0,0}b",
    r"(?:a(?:b(?:c)?)?)?d",
    r"(?:a*)*b",
    r"a(?:(?=b)|c)b?",
    r"a(?:(?!b)|c)c?",
    r"(?:a(?!b)c?)+d",
    r"(?=(?>a$|a\n)(?<=\n))a",
    r"(?=(?>a(?!bc)|ab)(?<=b))a",
    r"a(?=b|$)c?",
    r"a(?!b|$)",
    r"\Z|(?=(?P<n>a)bba)*+",
    r"(?=\w*+(?<!b))ba\w|a",
    r"(?=(a+))\1",
    r"(?=(a+))a",
    r"a(?=\s*+b)",
    r"a\s*+b|\s*+$",
    r"x(?=.*?ab(?=c))",
    r"x(?=.*?(?!ab\w)ab)",
    r"<(?=(?P<n>\w+))",
    r"[ab]*(c)\1",
    r"(?m:^)\Z(\w)|\1\w{2,}b",
    r"\S(b\w{2,}b??)??|ba\1",
    r"(?!(?<m>a))b\1|c",
)

# Made-up patterns over a small alphabet, for which all short texts can be tried.
_ATOMS = ("a", "b", "ab", "ba", "aab", r"\n", ".", "[^b]", "[ab]", r"\s", r"\S", r"\w", r"\W")
_PLACES = ("^", "$", r"\Z", r"\b", r"\B", "(?m:^)", "(?m:$)")
_BEHIND = ("a", "ab", r"a\b", r"(?<!a)b", "a(?=b)", "b(?!a)")
_QUANTIFIERS = ("*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{2,}", "{0,2}?", "*+", "?+")
_GROUPS = ("(?:%s)", "(?:%s)", "(%s)", "(?P<n>%s)", "(?=%s)", "(?!%s)", "(?>%s)")


@st.composite
def patterns(draw: st.DrawFn, depth: int = 3) -> str:
    """Patterns in `regex` syntax over a, b and the newline."""
    branches = draw(st.integers(1, 2))
    return "|".join(draw(_rows(depth)) for _ in range(branches))


@st.composite
def _rows(draw: st.DrawFn, depth: int) -> str:
    return "".join(draw(_items(depth)) for _ in range(draw(st.integers(1, 3))))


@st.composite
def _items(draw: st.DrawFn, depth: int) -> str:
    kind = draw(st.integers(0, 9))
    if kind >= 6 and depth:
        item = draw(st.sampled_from(_GROUPS)) % draw(patterns(depth - 1))
    elif kind == 5:
        return draw(st.sampled_from(_PLACES))
    elif kind == 4:
        return draw(st.sampled_from(("(?<=%s)", "(?<!%s)"))) % draw(st.sampled_from(_BEHIND))
    else:
        item = draw(st.sampled_from(_ATOMS))
    if draw(st.integers(0, 2)):
        return item
    unit = item if len(item) == 1 or item[0] in "[(\\" else f"(?:{item})"
    return unit + draw(st.sampled_from(_QUANTIFIERS))
