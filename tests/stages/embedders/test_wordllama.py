from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest

from graphrag_pipeline import StageError
from graphrag_pipeline.stages.embedders import wordllama
from graphrag_pipeline.stages.embedders.wordllama import WordLlama

TEXTS = ["The harbour of Łódź", "port", "北条の港", "\U0001f6a2", "a " * 900, "<s></s>"]


@pytest.fixture(scope="module")
def embedder() -> WordLlama:
    try:
        return WordLlama()
    except StageError as error:
        pytest.skip(f"wordllama is not here: {error.what}")


def test_rows_are_those_that_the_package_computes(embedder, monkeypatch):
    monkeypatch.setattr(
        "logging.basicConfig", lambda **given: None
    )  # the package sets up logging when imported
    inference = pytest.importorskip("wordllama.inference")
    tokenizer, vectors = wordllama._load.__wrapped__(embedder._home)
    theirs = inference.WordLlamaInference(vectors, tokenizer).embed(TEXTS)
    ours = embedder.embed(TEXTS)
    assert ours.shape == (len(TEXTS), 256)
    assert np.abs(ours - theirs).max() < 1e-5


def test_a_text_has_the_same_row_in_any_company(embedder):
    together = embedder.embed(TEXTS)
    assert (together == np.concatenate([embedder.embed([text]) for text in TEXTS])).all()


def test_texts_that_mean_alike_point_alike(embedder):
    rows = embedder.embed(["a ship in the harbour", "boats moored at the port", "quarterly tax report"])
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.1


def test_the_fingerprint_is_that_of_the_files(embedder):
    assert embedder.fingerprint() == WordLlama().fingerprint()
    assert len(embedder.fingerprint()) > 64


def test_the_package_is_never_imported(embedder):
    code = (
        "import sys, logging; from graphrag_pipeline.stages.embedders.wordllama import WordLlama\n"
        "WordLlama().embed(['port'])\n"
        "sys.exit('wordllama' in sys.modules or 'requests' in sys.modules or bool(logging.root.handlers))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("name", ["wordllama", "tokenizers", "safetensors"])
def test_a_missing_package_is_told_when_the_pipeline_is_built(monkeypatch, name):
    monkeypatch.setattr(wordllama, "find_spec", lambda asked: None if asked == name else find_spec(asked))
    with pytest.raises(StageError, match=name) as error:
        WordLlama()
    assert error.value.hint == "pip install 'graphrag-pipeline[dense]'"


def test_a_package_without_its_model_is_told(monkeypatch, tmp_path):
    class Spec:
        submodule_search_locations = (str(tmp_path),)

    monkeypatch.setattr(wordllama, "find_spec", lambda asked: Spec)
    with pytest.raises(StageError, match="without its model") as error:
        WordLlama()
    assert error.value.where == str(tmp_path)
