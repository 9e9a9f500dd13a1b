"""How messages name those that read response templates, at the versions that were looked at."""

from __future__ import annotations

VLLM_RUST = "vLLM 0.33 (Rust frontend)"
PYTHON_SERVERS = "vLLM 0.33 (Python frontend) and SGLang 0.5.23"
SERVERS = "vLLM 0.33 and SGLang 0.5.23"  # both frontends
SGLANG = "SGLang 0.5.23"
