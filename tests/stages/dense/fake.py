"""An embedder whose vectors can be worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrag_pipeline import Component
from graphrag_pipeline.stages.dense.embedding import Embedding

ALPHABET = "abcdefgh"


class Letters(Component):
    """How often each letter from a to h is in a text; it keeps what it was asked."""

    name = "letters"

    def __init__(self, params: Any = None, version: str = "letters 1") -> None:
        super().__init__(params)
        self.version = version
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float64]:
        self.asked += texts
        return np.array([[text.count(letter) for letter in ALPHABET] for text in texts], dtype=np.float64)

    def fingerprint(self) -> str:
        return self.version


def letters(version: str = "letters 1") -> Embedding:
    return Embedding(Letters(version=version))
