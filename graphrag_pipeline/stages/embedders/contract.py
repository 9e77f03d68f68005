"""What an embedder is, and how another component names one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from graphrag_pipeline.model.component import Params

FloatMatrix: TypeAlias = NDArray[np.floating[Any]]
"""Floating-point numbers in two dimensions: one row for each text."""


class Embedder(Protocol):
    """Turns texts into vectors: texts that mean alike into vectors that point alike."""

    def embed(self, texts: Sequence[str]) -> FloatMatrix:
        """Return one row of finite numbers per text, all of one size.

        There is at least one text, and none is blank. A text has the same row in any company; its length
        need not be 1. Calls come one at a time.
        """
        ...

    def fingerprint(self) -> str:
        """Return what tells this model from any other and from its versions; vectors are kept under it."""
        ...


class EmbedderParams(Params):
    """Parameters of a component that works with vectors of texts.

    A component whose ``Params`` extend these is made with a further keyword, ``embedding``: an
    :class:`~graphrag_pipeline.stages.dense.embedding.Embedding` over the embedder named here.
    """

    embedder: str = "hashing"
    """Embedder that turns texts into vectors."""
    embedder_params: dict[str, Any] = Field(default_factory=dict)
    """Parameters of the embedder."""
