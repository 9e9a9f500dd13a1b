"""Special tokens read from a repository: those that transformers 5.24.0 passes to templates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast

from runtime.chat.special_tokens import load_special_tokens
from runtime.chat.storage import load_chat_template

ADDED = {"content": "<added>", "lstrip": False, "normalized": True, "rstrip": False}
TYPED = {**ADDED, "__type": "AddedToken"}
DECODER = {"1": {**ADDED, "content": "</s>"}}

Config = dict[str, Any]

# tokenizer_config.json, special_tokens_map.json.
FOLDERS: list[tuple[Config | None, Config | None]] = [
    (None, None),
    ({}, {}),
    ({"bos_token": "<s>", "eos_token": TYPED, "pad_token": None}, None),
    ({"add_bos_token": True, "image_token": "<img>", "image_token_id": 5}, None),
    ({"image_token": TYPED, "bos_token": "<s>"}, None),
    ({"extra_special_tokens": {"image_token": "<img>", "boi": TYPED}}, None),
    ({"extra_special_tokens": ["<a>", "<b>"]}, None),
    ({"additional_special_tokens": {"boi": "<b>"}}, None),
    ({"additional_special_tokens": {"boi": "<b>"}, "extra_special_tokens": ["<a>"]}, None),
    ({"model_specific_special_tokens": {"boi": "<b>"}}, None),
    ({"model_specific_special_tokens": {"boi": "<b>"}, "image_token": "<img>"}, None),
    ({"bos_token": "<s>"}, {"bos_token": "<map>", "eos_token": ADDED, "sep_token": "</s>"}),
    ({"bos_token": "<s>", "added_tokens_decoder": DECODER}, {"bos_token": "<map>"}),
    ({"image_token": "<img>"}, {"image_token": "<map>", "audio_token": "<aud>"}),
    ({"image_token": "<img>"}, {"extra_special_tokens": {"boi": "<b>", "image_token": "<x>"}}),
    ({}, {"additional_special_tokens": ["<a>"], "mask_token": "<mask>"}),
    ({"bos_token": "<s>"}, {"bos_token": None}),
]


def write_configs(folder: Path, config: Config | None, legacy: Config | None) -> Path:
    backend = Tokenizer(models.WordLevel({"[UNK]": 0, "a": 1}, unk_token="[UNK]"))
    PreTrainedTokenizerFast(tokenizer_object=backend).save_pretrained(folder)
    (folder / "tokenizer_config.json").unlink()
    for name, value in (("tokenizer_config", config), ("special_tokens_map", legacy)):
        if value is not None:
            (folder / f"{name}.json").write_text(json.dumps(value))
    return folder


def reference(folder: Path) -> dict[str, str]:
    return PreTrainedTokenizerFast.from_pretrained(folder).special_tokens_map


@pytest.mark.parametrize(("config", "legacy"), FOLDERS)
def test_tokens(config: Config | None, legacy: Config | None, tmp_path: Path) -> None:
    write_configs(tmp_path, config, legacy)
    assert load_special_tokens(tmp_path) == reference(tmp_path)


NAMES = st.sampled_from(["bos_token", "eos_token", "image_token", "boi"])
TOKENS = st.sampled_from(["<s>", "", TYPED, None, True])
NAMED = st.dictionaries(NAMES, st.just("<n>"))


def configs(*groups: str) -> st.SearchStrategy[Config]:
    """Single tokens, and groups of named ones."""
    grouped = st.fixed_dictionaries({}, optional=dict.fromkeys(groups, NAMED))
    return st.builds(
        lambda single, more: {**single, **more}, st.dictionaries(NAMES, TOKENS), grouped
    )


CONFIGS = configs("extra_special_tokens", "model_specific_special_tokens")
LEGACY = st.one_of(st.none(), configs("extra_special_tokens"))


@settings(max_examples=150, deadline=None)
@given(config=CONFIGS, legacy=LEGACY)
def test_any_tokens(
    config: Config, legacy: Config | None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = write_configs(tmp_path_factory.mktemp("tokens"), config, legacy)
    try:
        expected = reference(folder)
    except (TypeError, ValueError):
        return
    assert load_special_tokens(folder) == expected


def test_the_text_of_apply_chat_template(tmp_path: Path) -> None:
    write_configs(tmp_path, {"bos_token": TYPED, "image_token": "<img>"}, {"eos_token": "</s>"})
    (tmp_path / "chat_template.jinja").write_text(
        "{{ bos_token }}{{ image_token }}{{ unk_token is defined }}"
        "{% for m in messages %}{{ m.content + eos_token }}{% endfor %}"
    )
    chat = [{"role": "user", "content": "a"}]
    tokenizer = PreTrainedTokenizerFast.from_pretrained(tmp_path)
    expected = tokenizer.apply_chat_template(chat, tokenize=False)
    tokens = load_special_tokens(tmp_path)
    assert load_chat_template(tmp_path).render(chat, **tokens) == expected
    assert expected == "<added><img>Falsea</s>"
