"""A tokenizer with a few tokens, which does what real ones do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


def small_tokenizer(directory: Path) -> Path:
    """Write a tokenizer of bytes with one long token, ``abc``, and return its file.

    ``ab`` is two tokens and ``abc`` one, so a longer text may count less than its beginning.
    """
    tokenizers = pytest.importorskip("tokenizers", reason="the tokenizers extra is not installed")
    alphabet = sorted(tokenizers.pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {letter: number for number, letter in enumerate(alphabet)}
    vocabulary |= {"bc": len(vocabulary), "abc": len(vocabulary) + 1}
    model = tokenizers.models.BPE(vocab=vocabulary, merges=[("b", "c"), ("a", "bc")])
    tokenizer = tokenizers.Tokenizer(model)
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.add_special_tokens(["<|endoftext|>"])
    tokenizer.enable_truncation(2)
    tokenizer.enable_padding(length=8)
    path = directory / "tokenizer.json"
    tokenizer.save(str(path))
    assert json.loads(path.read_text("utf-8"))["truncation"]
    return path
