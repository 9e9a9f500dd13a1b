"""Hypothesis-made templates: every chunking gives what transformers 5.24.0 gives on whole text."""

from __future__ import annotations

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from compiler import compile_template
from tests.differential.compare import resumed, streamed, whole
from tests.differential.reference import Stalled, load_reference, reference_outcome
from tests.differential.strategies import chunkings, templates, texts

TEXTS_A_TEMPLATE = 8


def check_template(data: st.DataObject) -> int:
    """One template on several texts; the number of cases compared."""
    spec = data.draw(templates())
    try:
        reference = load_reference(spec)
    except ValueError:
        assume(False)
    compiled = compile_template(spec)
    compared = 0
    for _ in range(TEXTS_A_TEMPLATE):
        text = data.draw(texts(spec))
        try:
            expected = reference_outcome(reference, text)
        except Stalled:
            continue
        compared += 1
        assert streamed(compiled, "", [text]) == expected
        chunks = data.draw(chunkings(text))
        assert streamed(compiled, "", chunks) == expected
        assert resumed(compiled, "", chunks) == expected
        one_pass = whole(compiled, "", text)
        assert (one_pass.message, one_pass.error) == (expected.message, expected.error)
        anchor = data.draw(st.integers(0, len(text)))
        prefix = text[:anchor]
        if not reference.start_anchor_re.search(prefix):
            assert streamed(compiled, prefix, [text[anchor:]]) == expected
    return compared


@settings(max_examples=400, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_equals_the_reference_one_shot(data: st.DataObject) -> None:
    check_template(data)
