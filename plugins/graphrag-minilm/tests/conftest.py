from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "ship", "port", "the", "quay", "##s"]
WIDTH, INNER, HEADS, LAYERS, LONGEST = 8, 12, 2, 2, 10
CONFIG = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "position_embedding_type": "absolute",
    "num_hidden_layers": LAYERS,
    "num_attention_heads": HEADS,
    "layer_norm_eps": 1e-12,
}


@pytest.fixture(scope="session")
def tensors() -> dict[str, np.ndarray]:
    """The weights of a model of two layers, at random."""
    rng = np.random.default_rng(0)

    def drawn(*shape: int) -> np.ndarray:
        return rng.standard_normal(shape).astype(np.float32)

    tensors = {
        "embeddings.word_embeddings.weight": drawn(len(WORDS), WIDTH),
        "embeddings.position_embeddings.weight": drawn(LONGEST, WIDTH),
        "embeddings.token_type_embeddings.weight": drawn(2, WIDTH),
        "embeddings.LayerNorm.weight": drawn(WIDTH),
        "embeddings.LayerNorm.bias": drawn(WIDTH),
    }
    for number in range(LAYERS):
        layer = f"encoder.layer.{number}."
        for part in ("query", "key", "value"):
            tensors[f"{layer}attention.self.{part}.weight"] = drawn(WIDTH, WIDTH)
            tensors[f"{layer}attention.self.{part}.bias"] = drawn(WIDTH)
        for name, (rows, columns) in {
            "attention.output": (WIDTH, WIDTH),
            "intermediate": (INNER, WIDTH),
            "output": (WIDTH, INNER),
        }.items():
            tensors[f"{layer}{name}.dense.weight"] = drawn(rows, columns)
            tensors[f"{layer}{name}.dense.bias"] = drawn(rows)
        for name in ("attention.output", "output"):
            tensors[f"{layer}{name}.LayerNorm.weight"] = drawn(WIDTH)
            tensors[f"{layer}{name}.LayerNorm.bias"] = drawn(WIDTH)
    return tensors


@pytest.fixture(scope="session")
def write_model(tensors) -> Callable[..., Path]:
    """Writes a directory as sentence-transformers does, with a model that anyone can compute."""
    tokenizers = pytest.importorskip("tokenizers")
    save_file = pytest.importorskip("safetensors.numpy").save_file

    def write(folder: Path, **config: object) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        save_file(tensors, folder / "model.safetensors")
        (folder / "config.json").write_text(json.dumps({**CONFIG, **config}), encoding="utf-8")
        vocabulary = {word: number for number, word in enumerate(WORDS)}
        made = tokenizers.Tokenizer(tokenizers.models.WordPiece(vocabulary, unk_token="[UNK]"))
        made.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
        made.normalizer = tokenizers.normalizers.BertNormalizer()
        made.post_processor = tokenizers.processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
        # The packaged tokenizer pads and cuts, too.
        made.enable_padding(length=9, pad_token="[PAD]")
        made.enable_truncation(9)
        made.save(str(folder / "tokenizer.json"))
        return folder

    return write


@pytest.fixture(scope="session")
def model(write_model, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = write_model(tmp_path_factory.mktemp("model"))
    return folder
