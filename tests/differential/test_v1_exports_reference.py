"""transformers loads the v1 export of every model, and reads ordinary replies with it as we do."""

from __future__ import annotations

from transformers.utils.chat_parsing import parse_response

from tests.test_cases import same
from tests.test_v1_exports import Ordinary, every_ordinary_case, exported, read


@every_ordinary_case
def test_reference(each: Ordinary) -> None:
    case, template = each.case, exported(each.model).spec
    theirs = parse_response(case.text, template, prefix=case.prefix, tools=list(case.tools))
    assert same(read(case), theirs)
