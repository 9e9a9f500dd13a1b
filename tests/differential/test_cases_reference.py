"""Every case, on the whole text, against the reference: cases are right, and it agrees."""

from __future__ import annotations

import pytest
from transformers.utils.chat_parsing import parse_response

from tests.test_cases import CASES, Case, Failure, Message, failure, is_right, template_of


@pytest.mark.parametrize("case", [case for case in CASES if case.is_v1], ids=lambda case: case.name)
def test_reference(case: Case) -> None:
    result = run_reference(case)
    assert is_right(case, result), result


def run_reference(case: Case) -> Message | Failure:
    try:
        template = template_of(case.template)
        return parse_response(case.text, template, prefix=case.prefix, tools=list(case.tools))
    except Exception as error:
        return failure(error)
