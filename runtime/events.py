"""The shapes that cross the API: plain dicts, to be logged, sent and compared as they are.

    {"type": "region_open", "field": str}
    {"type": "region_chunk", "field": str, "text": str, "dirty": bool}
    {"type": "region_close", "field": str, "value": Any}
    {"type": "region_malformed", "field": str, "reason": str, "message": str, "raw": str,
     "span": [int, int]}

The first three are the reference's (v1, "Streaming events"); `dirty` is false where each chunk is
already part of the value. The fourth stands in for `region_close` with `on_error="keep"`.
"""

from __future__ import annotations

from typing import Any

Event = dict[str, Any]
Message = dict[str, Any]
