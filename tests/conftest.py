"""What is not collected where its oracle cannot be installed."""

from __future__ import annotations

import sys

# transformers 5.24.0, which the differential tests compare with, needs Python 3.11.
collect_ignore_glob = ["differential/*"] if sys.version_info < (3, 11) else []
