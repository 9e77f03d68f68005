"""Vectors from wordllama: the mean of stored vectors of a text's tokens."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrag_pipeline.errors import StageError
from graphrag_pipeline.model.component import Component, Params
from graphrag_pipeline.stages.embedders.contract import FloatMatrix

WEIGHTS = Path("weights", "l2_supercat_256.safetensors")
TOKENIZER = Path("tokenizers", "l2_supercat_tokenizer_config.json")
TENSOR = "embedding.weight"
INSTALL = "pip install 'graphrag-pipeline[dense]'"


class WordLlamaParams(Params):
    """wordllama takes no parameters: its package holds one model."""


class WordLlama(Component[WordLlamaParams]):
    """256 numbers: the mean of the vectors that the package ``wordllama`` stores for each token.

    Words are looked up and not read in context, so order says nothing. The model is read from the installed
    package when it is first needed; nothing is ever downloaded.
    """

    name = "wordllama"
    Params = WordLlamaParams

    def __init__(self, params: WordLlamaParams | None = None) -> None:
        super().__init__(params)
        self._home = package_directory()

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """Return one row per text."""
        tokenizer, vectors = _model(self._home)
        rows = np.zeros((len(texts), vectors.shape[1]), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            # One text at a time: a batch is tokenized in threads, and those do not survive a fork.
            if tokens := tokenizer.encode(text, add_special_tokens=False).ids:
                np.mean(vectors[tokens], axis=0, out=row)
        return rows

    def fingerprint(self) -> str:
        """Return the digests of vectors and tokenizer."""
        return f"wordllama {_digest(self._home)}"


def package_directory() -> Path:
    """Return where wordllama is installed, without importing it: that would set up logging for everybody.

    Raises:
        StageError: It is not installed, or without its model.
    """
    missing = [name for name in ("wordllama", "tokenizers", "safetensors") if find_spec(name) is None]
    if missing:
        raise StageError(
            f"it needs {', '.join(missing)}, which cannot be imported",
            where="embedder wordllama",
            hint=INSTALL,
        )
    spec = find_spec("wordllama")
    homes = list(spec.submodule_search_locations or ()) if spec else []
    for home in map(Path, homes):
        if (home / WEIGHTS).is_file() and (home / TOKENIZER).is_file():
            return home
    raise StageError(
        f"the package wordllama is there without its model, {WEIGHTS.name} and {TOKENIZER.name}",
        where=str(homes[0]) if homes else "embedder wordllama",
        hint=f"Install it anew: {INSTALL}",
    )


_LOADING = Lock()


def _model(home: Path) -> tuple[Any, NDArray[np.float32]]:  # Any: the tokenizer's class carries no types
    with _LOADING:
        return _load(home)


@lru_cache(maxsize=1)
def _load(home: Path) -> tuple[Any, NDArray[np.float32]]:
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(home / TOKENIZER))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    vectors: NDArray[np.float32] = load_file(home / WEIGHTS)[TENSOR].astype(np.float32)
    return tokenizer, vectors


@lru_cache(maxsize=1)
def _digest(home: Path) -> str:
    state = hashlib.sha256()
    for name in (WEIGHTS, TOKENIZER):
        state.update(hashlib.sha256((home / name).read_bytes()).digest())
    return state.hexdigest()
