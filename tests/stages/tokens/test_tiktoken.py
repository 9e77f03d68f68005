"""The tokens of tiktoken's encodings, and never a download."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from graphrag_pipeline.errors import PluginError
from graphrag_pipeline.stages.tokens.tiktoken import CACHE_VARIABLE, Tiktoken, TiktokenParams

CL100K = "9b5ad71b2ce5302211f9c61530b329a4922fc6a4"
"""The name under which tiktoken keeps the table of cl100k_base."""


@pytest.fixture
def tiktoken() -> Any:
    return pytest.importorskip("tiktoken", reason="the tiktoken extra is not installed")


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No network: whoever tries it fails the test. Returns an empty directory of tables."""

    def refuse(*_: object, **__: object) -> None:
        pytest.fail("the network was asked")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    return tmp_path


@pytest.fixture
def small(tiktoken: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """An encoding of bytes whose table is loaded already."""
    ranks = {bytes([byte]): byte for byte in range(256)} | {b"bc": 256, b"abc": 257}
    encoding = tiktoken.Encoding(
        "small", pat_str=r"(?s).+", mergeable_ranks=ranks, special_tokens={"<|endoftext|>": 258}
    )
    monkeypatch.setitem(tiktoken.registry.ENCODINGS, "small", encoding)
    constructors = {**dict.fromkeys(tiktoken.list_encoding_names()), "small": None}
    monkeypatch.setattr(tiktoken.registry, "ENCODING_CONSTRUCTORS", constructors)
    return "small"


def test_tokens_are_those_of_the_encoding(small):
    counter = Tiktoken(TiktokenParams(encoding=small))
    assert [counter.count(text) for text in ("", "ab", "abc", "é")] == [0, 2, 1, 2]


def test_case_64_the_name_of_a_special_token_is_text(small):
    text = "Delimiter is <|endoftext|> in this corpus"
    assert Tiktoken(TiktokenParams(encoding=small)).count(text) == len(text)


def test_lone_surrogates_are_counted(small):
    assert Tiktoken(TiktokenParams(encoding=small)).count("a\ud800") > 1


def test_case_65_a_table_that_is_not_here_is_one_clear_error_at_once(tiktoken, offline):
    started = time.perf_counter()
    with pytest.raises(PluginError) as error:
        Tiktoken(TiktokenParams(encoding="cl100k_base"))
    assert time.perf_counter() - started < 5
    assert "'cl100k_base' is not on this machine" in error.value.what
    assert f"{CACHE_VARIABLE}={offline}" in error.value.where
    assert CACHE_VARIABLE in error.value.hint


def test_case_65_a_damaged_table_is_not_fetched_again(tiktoken, offline):
    (offline / CL100K).write_bytes(b"damaged")
    with pytest.raises(PluginError, match="is not on this machine"):
        Tiktoken(TiktokenParams(encoding="cl100k_base"))


def test_tiktoken_reads_as_before_afterwards(tiktoken, offline):
    before = tiktoken.load.read_file
    with pytest.raises(PluginError):
        Tiktoken(TiktokenParams(encoding="cl100k_base"))
    assert tiktoken.load.read_file is before


def test_case_65_neither_package_is_imported_before_it_is_asked_for():
    code = (
        "import sys, graphrag_pipeline.plugin.builtins as ours; ours.graphrag_register_token_counters();"
        "sys.exit(bool({'tiktoken', 'tokenizers'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_an_unknown_encoding_names_those_there_are(tiktoken):
    with pytest.raises(PluginError, match="no encoding 'cl100k'") as error:
        Tiktoken(TiktokenParams(encoding="cl100k"))
    assert "cl100k_base" in error.value.hint


def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    with pytest.raises(PluginError, match="tiktoken, which is not installed") as error:
        Tiktoken()
    assert "graphrag-pipeline[tiktoken]" in error.value.hint
