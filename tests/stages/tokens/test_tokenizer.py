"""The tokens of a tokenizer file."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphrag_pipeline.errors import PluginError
from graphrag_pipeline.plugin.host import PluginHost
from graphrag_pipeline.stages.tokens import optional
from graphrag_pipeline.stages.tokens.tokenizer import HuggingFaceTokenizer, TokenizerParams
from tests.stages.tokens.small import small_tokenizer


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return small_tokenizer(tmp_path)


def counter(path: Path) -> HuggingFaceTokenizer:
    return HuggingFaceTokenizer(TokenizerParams(path=str(path)))


def test_tokens_are_those_of_the_file(path):
    assert counter(path).count("abc") == 1
    assert counter(path).count("ab") == 2
    assert counter(path).count("") == 0


def test_a_limit_of_length_and_padding_in_the_file_are_ignored(path):
    # The file cuts after two tokens and pads to eight.
    assert counter(path).count("abab") == 4
    assert counter(path).count("a") == 1


def test_case_64_the_name_of_a_special_token_is_text(path):
    assert counter(path).count("<|endoftext|>") == len("<|endoftext|>")
    assert counter(path).count("a<|endoftext|>b") == len("<|endoftext|>") + 2


def test_lone_surrogates_are_counted_as_replacement_characters(path):
    assert counter(path).count("\ud800") == counter(path).count("\ufffd")
    assert optional.encodable("a\ud83d\udea2b\ud800") == "a🚢b\ufffd"


def test_a_file_that_is_not_there_or_no_tokenizer_is_named(path, tmp_path):
    with pytest.raises(PluginError, match="no such tokenizer file") as missing:
        counter(tmp_path / "none.json")
    assert "none.json" in missing.value.where
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(PluginError, match="no tokenizer file") as wrong:
        counter(tmp_path / "other.json")
    assert "other.json" in wrong.value.where


def test_without_the_package_the_extra_is_named(path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "tokenizers", None)
    with pytest.raises(PluginError, match="tokenizers, which is not installed") as error:
        counter(path)
    assert "graphrag-pipeline[tokenizers]" in error.value.hint


def test_a_pipeline_that_names_it_says_the_same(tmp_path):
    host = PluginHost.discover(entry_points=False, environ={})
    params = TokenizerParams(path=str(tmp_path / "none.json"))
    with pytest.raises(PluginError, match="'tokenizer' could not be made: There is no such tokenizer file"):
        host.build("token_counter", "tokenizer", params)
