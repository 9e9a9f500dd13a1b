"""What is not collected where its oracle cannot be installed, and what tests leave alone."""

from __future__ import annotations

import os
import sys

# transformers 5.24.0, which the differential tests compare with, needs Python 3.11.
collect_ignore_glob = ["differential/*"] if sys.version_info < (3, 11) else []

# The bytecode cache of the person who runs the tests; its own tests have folders of their own.
os.environ.setdefault("CHATC_NO_BYTECODE", "1")
